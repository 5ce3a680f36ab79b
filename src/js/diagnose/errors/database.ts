// The error texts of Locket's database: of PostgreSQL and MySQL by their codes, of the drivers and of database/sql by their words.

import type { Certainty } from '../model.js';
import { type ErrorKind, type ErrorRow, proves, suggests } from './row.js';

const PGX = 'pgx: pgconn/pgconn.go';
const MYSQL = 'go-sql-driver/mysql: errors.go';
const SQL = 'database/sql/sql.go';

/** A code, or the beginning of a class of codes. */
type CodeRow = readonly [code: string, kind: ErrorKind, words: string, certainty?: Certainty];

const CLOSED = 'The database ended its connection with Locket';
const CONFLICT = 'The database rolled a transaction back';

/** PostgreSQL's: the first that a code begins with. */
const POSTGRES: readonly CodeRow[] = [
  ['42P01', 'table-dropped', 'The locks table did not exist.'],
  ['40P01', 'database-error', `${CONFLICT}: it was in a deadlock with another.`],
  ['40', 'database-error', `${CONFLICT}: it was in conflict with another, or with the recovery of a standby.`],
  ['55P03', 'database-slow', 'A lock of the database was not available in time.'],
  ['57014', 'database-slow', 'The database cancelled a statement, as it does when the time of the statement or of its caller is over.', 'likely'],
  ['57P01', 'database-outage', `${CLOSED}: an administrator or a shutdown did.`],
  ['57P02', 'database-outage', `${CLOSED}, since it had crashed.`],
  ['57P03', 'database-outage', 'The database accepted no connections: it was starting, stopping or recovering.'],
  ['57P05', 'database-outage', `${CLOSED}, which was idle.`],
  ['25P03', 'database-outage', `${CLOSED}, which was idle in a transaction.`],
  ['57P', 'database-outage', `${CLOSED}.`],
  ['08', 'database-outage', "Locket's connection to the database failed."],
  ['53300', 'database-error', 'The database refused a connection: it had too many.'],
  ['53100', 'database-error', 'The disk of the database was full.'],
  ['53', 'database-error', 'The database had not enough memory or other resources.'],
  ['25006', 'database-error', 'The database accepted no writes: it was a standby or set to read only.'],
  ['28', 'database-error', "The database rejected Locket's user, password or address."],
  ['3D000', 'database-error', 'The database server has no database of that name.'],
  ['42501', 'database-error', "The database's permissions do not let Locket use the table."],
  ['58', 'database-error', 'The database had an error of its disk or operating system.'],
];

/** MySQL's. */
const MYSQL_CODES: readonly CodeRow[] = [
  ['1146', 'table-dropped', 'The locks table did not exist.'],
  ['1213', 'database-error', `${CONFLICT}: it was in a deadlock with another.`],
  ['1205', 'database-slow', 'A lock of the database was not available in time.'],
  ['1969', 'database-slow', 'A statement took longer than the database permits.'],
  ['3024', 'database-slow', 'A statement took longer than the database permits.'],
  ['1317', 'database-slow', 'The database cancelled a statement, as it does when the time of its caller is over.', 'likely'],
  ['1040', 'database-error', 'The database refused a connection: it had too many.'],
  ['1203', 'database-error', 'The database refused a connection: its user had too many.'],
  ['1226', 'database-error', "The database's limit for its user was reached."],
  ['1044', 'database-error', "The database's permissions do not let Locket use the database."],
  ['1045', 'database-error', "The database rejected Locket's user, password or address."],
  ['1142', 'database-error', "The database's permissions do not let Locket use the table."],
  ['1049', 'database-error', 'The database server has no database of that name.'],
  ['1047', 'database-error', 'The node of the database cluster was not ready for queries.'],
  ['1021', 'database-error', 'The disk of the database was full.'],
  ['1114', 'database-error', 'The table was full.'],
  ['1129', 'database-error', "The database blocked Locket's machine after too many connection errors."],
  ['1130', 'database-error', "The database does not permit Locket's machine to connect."],
  ['1290', 'database-error', 'The database accepted no writes: it was set to read only.'],
  ['1792', 'database-error', 'The database accepted no writes: it was set to read only.'],
  ['1836', 'database-error', 'The database accepted no writes: it was set to read only.'],
  ['1053', 'database-outage', 'The database was stopping.'],
  ['1927', 'database-outage', `${CLOSED}: its connection was killed.`],
  ['2002', 'database-outage', 'Locket could not connect to the database.'],
  ['2003', 'database-outage', 'Locket could not connect to the database.'],
  ['2006', 'database-outage', `${CLOSED}.`],
  ['2013', 'database-outage', "Locket's connection to the database broke in a query."],
];

/** A code of the database as a row: the text proves that the database has answered. */
export function codeRow(text: string): ErrorRow | undefined {
  const postgres = /SQLSTATE (\w{5})|error code: (\w{5}), flavor: postgres|^pq: .*\((\w{5})\)$/.exec(text);
  const mysql = /\bError (\d{4})\b|error code: (\d{4}), flavor: mysql/.exec(text);
  const code = (postgres ?? mysql)?.slice(1).find(Boolean);
  if (code === undefined) return undefined;
  const [, kind, words, certainty = 'certain'] = (postgres ? POSTGRES : MYSQL_CODES).find(([start]) => code.startsWith(start)) ?? ['', 'database-error' as const, `The database, or a proxy before it, answered with the error code ${code}.`];
  return { says: /(?:)/, kind, certainty, words, source: postgres ? 'postgres: src/backend/utils/errcodes.txt' : 'mysql: share/messages_to_clients.txt' };
}

/** The words of databases and drivers, where they give no code. */
export const DATABASE_ROWS: readonly ErrorRow[] = [
  proves(/sql-unrecoverable|relation "locks" does not exist|Table '[^']*locks' doesn't exist/, 'table-dropped', 'The locks table did not exist.', 'diego-db-helpers: sqldb/helpers/errors.go'),
  proves(/sql-deadlock|deadlock detected|Deadlock found/, 'database-error', `${CONFLICT}: it was in a deadlock with another.`, 'diego-db-helpers: sqldb/helpers/errors.go'),
  proves(/conflict with recovery/, 'database-error', `${CONFLICT}: the database is a standby, and it was in conflict with its recovery.`, 'postgres: src/backend/tcop/postgres.c'),
  proves(/could not serialize access/, 'database-error', `${CONFLICT}: it was in conflict with another.`, 'postgres: src/backend/access/heap/heapam.c'),
  proves(/sql-bad-request/, 'database-error', 'A value was too long for its column.', 'diego-db-helpers: sqldb/helpers/errors.go'),
  proves(/sql-resource-exists|duplicate key|Duplicate entry/, 'database-error', 'Another transaction had just inserted the row.', 'diego-db-helpers: sqldb/helpers/errors.go'),
  proves(/sql-resource-not-found|no rows in result set|resource-not-found/, 'not-found', 'There was no row for the key.', 'diego-db-helpers: sqldb/helpers/errors.go'),
  proves(/too many (?:clients|connections)|remaining connection slots|Too many connections/, 'database-error', 'The database refused a connection: it had too many.', 'postgres: src/backend/storage/lmgr/proc.c'),
  proves(/the database system is (?:starting up|shutting down|in recovery mode|not (?:yet )?accepting connections)/, 'database-outage', 'The database accepted no connections: it was starting, stopping or recovering.', 'postgres: src/backend/postmaster/postmaster.c'),
  proves(/terminating connection due to idle/, 'database-outage', `${CLOSED}, which was idle.`, 'postgres: src/backend/tcop/postgres.c'),
  proves(/terminating connection|server closed the connection unexpectedly|server has gone away|Lost connection to MySQL|Server shutdown in progress|Connection was killed/, 'database-outage', `${CLOSED}.`, 'postgres: src/backend/tcop/postgres.c'),
  proves(/canceling statement due to lock timeout|Lock wait timeout exceeded/, 'database-slow', 'A lock of the database was not available in time.', 'postgres: src/backend/tcop/postgres.c'),
  proves(/canceling statement due to statement timeout|maximum statement execution time exceeded/, 'database-slow', 'A statement took longer than the database permits.', 'postgres: src/backend/tcop/postgres.c'),
  suggests(/canceling statement due to user request|Query execution was interrupted/, 'database-slow', 'The database cancelled a statement, as it does when the time of its caller is over.', 'postgres: src/backend/tcop/postgres.c'),
  proves(/authentication failed|failed SASL auth|Access denied|no pg_hba\.conf entry|authentication plugin|clear text authentication|native password authentication|old password authentication|role "[^"]*" does not exist|permission denied for/, 'database-error', 'The database rejected the user, password or permissions of Locket.', 'postgres: src/backend/libpq/auth.c'),
  proves(/database "[^"]*" does not exist|Unknown database/, 'database-error', 'The database server has no database of that name.', 'postgres: src/backend/utils/init/postinit.c'),
  proves(/read-only transaction|--read-only|read only connection|session is read-only|in hot standby|in standby mode/, 'database-error', 'The database accepted no writes: it was a standby or set to read only.', 'postgres: src/backend/tcop/utility.c'),
  proves(/WSREP has not yet prepared/, 'database-error', 'The node of the database cluster was not ready for queries.', 'mysql-wsrep: sql/sql_parse.cc'),
  proves(/No space left on device|could not (?:extend|write) file|disk full|is full/i, 'database-error', 'The disk or table of the database was full.', 'postgres: src/backend/storage/smgr/md.c'),
  proves(/executing DB health check/, 'database-slow', 'The database did not answer the health check in time.', 'locket: cmd/locket/db_health_check_runner.go'),
  proves(/database is closed|connection is already closed/, 'call-cancelled', 'Locket itself had closed its connections to the database.', SQL),
  suggests(/Transaction has already been committed or rolled back/, 'database-error', 'The transaction had ended before, as it does when its time is over.', SQL),
  proves(/bad connection|invalid connection|conn closed/, 'database-outage', "Locket's connection to the database was broken.", MYSQL),
  proves(/busy buffer|conn busy|commands out of sync|malformed packet|unexpected (?:message|ReadyForQuery|DataRow)|cached plan must not change|failed to deallocate/, 'database-error', "Locket's driver and the database did not agree on the messages.", MYSQL),
  proves(/packet for query is too large/, 'database-error', 'A query was larger than the database accepts.', MYSQL),
  proves(/cannot parse `/, 'bad-settings', "Locket's settings of the database cannot be read.", 'pgx: pgconn/config.go'),
];

/** Waiting for the database. A text of the network in the same line says more. */
export const DATABASE_WAITING_ROWS: readonly ErrorRow[] = [
  suggests(/failed to connect to [^]*(?:context deadline exceeded|timeout)/, 'database-outage', 'Locket had no connection to the database in time.', PGX),
  suggests(/context deadline exceeded|context already done/, 'database-slow', 'The database did not answer in time, or none of its connections was free.', PGX),
  suggests(/context canceled/, 'call-cancelled', 'The caller had given up before the database answered.', SQL),
  suggests(/failed to connect to [`']/, 'database-outage', 'Locket could not connect to the database.', PGX),
];
