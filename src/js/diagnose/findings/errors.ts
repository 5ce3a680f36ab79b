// The meaning of a line's error, from the texts of Locket, gRPC and the databases' drivers.

import { isTableMissing } from '../rows.js';

/** The meaning of an error. */
export type ErrorKind =
  | 'collision'
  /** Nothing listens at Locket's address. */
  | 'no-locket'
  /** Locket is alive and waits for its database. */
  | 'database-slow'
  | 'database-down'
  | 'table-missing'
  /** The settings themselves are refused. */
  | 'invalid'
  /** No answer in time, for whatever reason. */
  | 'timeout'
  | 'other';

const INVALID = ['invalid-ttl', 'invalid-owner', 'invalid-type'];
const SLOW = ['RST_STREAM', 'timeout: context deadline exceeded', 'canceling statement', 'Lock wait timeout', 'deadlock'];
const NO_ANSWER = ['DeadlineExceeded', 'code = Unavailable', 'code = Canceled'];
const DOWN = [
  ...['failed to connect to `', 'conn closed', 'connection reset', 'connection refused', 'bad connection', 'broken pipe', 'unexpected EOF'],
  ...['57P01', '57P02', '57P03', '08006', '08001', '08003', '53300', 'Error 1040', 'Error 2006', 'Error 2013', 'invalid connection'],
  ...['server closed', 'sql: database is closed', 'too many connections', 'too many clients', 'the database system is'],
];

const says = (error: string, words: readonly string[]) => words.some((word) => error.includes(word));

/** The kind of an error that a client got, by its text. */
export function errorKindOf(error: string): ErrorKind {
  if (error.includes('lock-collision') || error.includes('code = AlreadyExists')) return 'collision';
  if (isTableMissing({ error })) return 'table-missing';
  if (says(error, INVALID)) return 'invalid';
  if (says(error, SLOW)) return 'database-slow';
  const isOfLocket = error.includes('code = Unknown');
  if (!isOfLocket && error.includes('connection refused')) return 'no-locket';
  if (!isOfLocket && says(error, NO_ANSWER)) return 'timeout';
  return says(error, DOWN) || error.includes('sql-') ? 'database-down' : 'other';
}

/** The meaning of an error between Locket and its database. */
export function databaseErrorKindOf(error: string): ErrorKind {
  if (isTableMissing({ error })) return 'table-missing';
  if (says(error, INVALID)) return 'invalid';
  if (error.includes('no rows in result set') || error.includes('lock-collision')) return 'collision';
  if (says(error, SLOW) || error.includes('context deadline exceeded')) return 'database-slow';
  return 'database-down';
}
