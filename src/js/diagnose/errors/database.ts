// The error texts of Locket's database: of PostgreSQL and MySQL by their codes, and of the drivers and database/sql by their words.
// An error that says no more than itself is quoted.

import { type ErrorRow, proves, suggests } from './row.js';

/**
 * A text with the code in it put first: of PostgreSQL, which has five characters, or of MySQL, which has four digits, as drivers and
 * Locket write it.
 */
export const withCode = (text: string) => text.replace(/^(?=[^]*?(?:SQLSTATE |\bError (?=\d{4}\b)|error code: )(\w{4,5})\b|pq: .*\((\w{5})\)$)/, 'code $1$2: ');

/** What databases and drivers say. A text that names another table than that of the locks is about no table of Locket's. */
export const DATABASE_ROWS: readonly ErrorRow[] = [
  proves(/^(?![^]*(?:relation "(?!locks)|Table '(?![^']*\blocks')))[^]*(?:^code (?:42P01|1146)|sql-unrecoverable|relation "locks" does not exist|Table '[^']*locks' doesn't exist)/, 'table-dropped', 'The locks table did not exist.'),
  proves(/^code (?:53300|1040|1203)|too many (?:clients|connections)/i, 'database-error', 'The database had no connection left: too many clients have one.'),
  proves(/^code (?:25006|1290|1836)|read-only transaction/, 'database-error', 'The database was read-only, as one is after a failover.'),
  proves(/^code (?:55P03|1205)|canceling statement due to lock timeout|Lock wait timeout exceeded/, 'database-slow', 'A lock of the database was not available in time.'),
  proves(/^code (?:1969|3024)|canceling statement due to statement timeout|maximum statement execution time exceeded/, 'database-slow', 'A statement took longer than the database permits.'),
  suggests(/^code (?:57014|1317)|canceling statement due to user request|Query execution was interrupted/, 'database-slow', 'The database cancelled a statement, as it does when the time of the statement or of its caller is over.'),
  proves(/^code 57P03|the database system is (?:starting up|shutting down|in recovery mode|not (?:yet )?accepting connections)/, 'database-outage', 'The database accepted no connections: it was starting, stopping or recovering.'),
  proves(/^code (?:57P|1053|1927)|terminating connection|server closed the connection unexpectedly|server has gone away|Lost connection to MySQL|Server shutdown in progress|Connection was killed/, 'database-outage', 'The database ended its connection with Locket.'),
  proves(/^code (?:08|200[236]|2013)/, 'database-outage', "Locket's connection to the database failed."),
  // Any other code shows that the database has answered.
  proves(/^code \w+: ([^]{1,160})/, 'database-error', 'The database, or a proxy before it, answered with an error: $1'),
  proves(/(sql-deadlock|sql-bad-request|sql-resource-exists)/, 'database-error', 'The database answered with an error: $1'),
  proves(/sql-resource-not-found|no rows in result set|resource-not-found/, 'not-found', 'There was no row for the key.'),
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
