// The error texts of Locket's database: of PostgreSQL and MySQL by their codes, of the drivers and of database/sql by their words.
// An error that says no more than itself is quoted.

import type { Certainty } from '../model.js';
import { type ErrorKind, type ErrorRow, proves, suggests } from './row.js';

/** Codes that say more than that the database answered with an error. */
type CodeRow = readonly [code: RegExp, kind: ErrorKind, words: string, certainty?: Certainty];

const CLOSED = 'The database ended its connection with Locket.';
const NOT_YET = 'The database accepted no connections: it was starting, stopping or recovering.';
const NO_TABLE = 'The locks table did not exist.';
const LOCKED = 'A lock of the database was not available in time.';
const TOO_LONG = 'A statement took longer than the database permits.';
const CANCELLED = 'The database cancelled a statement, as it does when the time of the statement or of its caller is over.';

/** PostgreSQL's. */
const POSTGRES: readonly CodeRow[] = [
  [/^42P01/, 'table-dropped', NO_TABLE],
  [/^55P03/, 'database-slow', LOCKED],
  [/^57014/, 'database-slow', CANCELLED, 'likely'],
  [/^57P03/, 'database-outage', NOT_YET],
  [/^57P01/, 'database-outage', 'The database ended its connection with Locket: an administrator or a shutdown did.'],
  [/^57P/, 'database-outage', CLOSED],
  [/^08/, 'database-outage', "Locket's connection to the database failed."],
];

/** MySQL's. */
const MYSQL_CODES: readonly CodeRow[] = [
  [/^1146/, 'table-dropped', NO_TABLE],
  [/^1205/, 'database-slow', LOCKED],
  [/^1969|^3024/, 'database-slow', TOO_LONG],
  [/^1317/, 'database-slow', CANCELLED, 'likely'],
  [/^1053|^1927/, 'database-outage', CLOSED],
  [/^200[236]|^2013/, 'database-outage', "Locket's connection to the database failed."],
];

/** Any other error, in its own words. */
const ANY_CODE: CodeRow = [/(?:)/, 'database-error', 'The database, or a proxy before it, answered with an error: $1'];

/** A code of the database as a row: the text proves that the database has answered. */
export function codeRow(text: string): ErrorRow | undefined {
  const postgres = /SQLSTATE (\w{5})|error code: (\w{5}), flavor: postgres|^pq: .*\((\w{5})\)$/.exec(text);
  const mysql = /\bError (\d{4})\b|error code: (\d{4}), flavor: mysql/.exec(text);
  const code = (postgres ?? mysql)?.slice(1).find(Boolean);
  if (code === undefined) return undefined;
  const isOfOther = /relation "(?!locks")|Table '(?![^']*\blocks')/.test(text);
  const [, kind, words, certainty = 'certain'] = (postgres ? POSTGRES : MYSQL_CODES).find(([says, of]) => says.test(code) && (of !== 'table-dropped' || !isOfOther)) ?? ANY_CODE;
  return { says: /([^]{1,160})/, kind, certainty, words };
}

/** The words of databases and drivers, where they give no code. */
export const DATABASE_ROWS: readonly ErrorRow[] = [
  proves(/sql-unrecoverable|relation "locks" does not exist|Table '[^']*locks' doesn't exist/, 'table-dropped', NO_TABLE),
  proves(/(sql-deadlock|sql-bad-request|sql-resource-exists)/, 'database-error', 'The database answered with an error: $1'),
  proves(/sql-resource-not-found|no rows in result set|resource-not-found/, 'not-found', 'There was no row for the key.'),
  proves(/the database system is (?:starting up|shutting down|in recovery mode|not (?:yet )?accepting connections)/, 'database-outage', NOT_YET),
  proves(/terminating connection|server closed the connection unexpectedly|server has gone away|Lost connection to MySQL|Server shutdown in progress|Connection was killed/, 'database-outage', CLOSED),
  proves(/canceling statement due to lock timeout|Lock wait timeout exceeded/, 'database-slow', LOCKED),
  proves(/canceling statement due to statement timeout|maximum statement execution time exceeded/, 'database-slow', TOO_LONG),
  suggests(/canceling statement due to user request|Query execution was interrupted/, 'database-slow', CANCELLED),
  proves(/executing DB health check/, 'database-slow', 'The database did not answer the health check in time.'),
  proves(/database is closed|connection is already closed/, 'call-cancelled', 'Locket itself had closed its connections to the database.'),
  proves(/bad connection|invalid connection|conn closed/, 'database-outage', "Locket's connection to the database was broken."),
  proves(/cannot parse `/, 'bad-settings', "Locket's settings of the database cannot be read."),
];

/** Waiting for the database. A text of the network in the same line says more. */
export const DATABASE_WAITING_ROWS: readonly ErrorRow[] = [
  suggests(/failed to connect to [^]*(?:context deadline exceeded|timeout)/, 'database-outage', 'Locket had no connection to the database in time.'),
  suggests(/context deadline exceeded|context already done/, 'database-slow', 'The database did not answer in time, or none of its connections was free.'),
  suggests(/context canceled/, 'call-cancelled', 'The caller had given up before the database answered.'),
  suggests(/failed to connect to [`']/, 'database-outage', 'Locket could not connect to the database.'),
  suggests(/^pq: ([^]{1,160})/, 'database-error', "The database, or Locket's driver, gave an error: $1"),
];
