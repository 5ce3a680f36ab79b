// The meaning of an error text: who wrote it, and what it proves. A text that no table has is unknown.

import { remembering } from '../known.js';
import type { Certainty } from '../model.js';
import { DATABASE_ROWS, DATABASE_WAITING_ROWS, withCode } from './database.js';
import { GRPC_ROWS, WAITING_ROWS } from './grpc.js';
import { NETWORK_ROWS } from './network.js';
import { type ErrorKind, type ErrorRow, proves, suggests } from './row.js';
import { TLS_ROWS } from './tls.js';

/** The meaning of a text. */
export interface ErrorMeaning {
  kind: ErrorKind;
  certainty: Certainty;
  /** The cause, in a sentence. */
  words: string;
  /** The status code of gRPC; empty if the text has none. */
  code: string;
}

/** The answers of Locket's own rules. */
const RULE_ROWS: readonly ErrorRow[] = [
  proves(/lock-collision|code = AlreadyExists/, 'collision', 'Another owner has the row.'),
  proves(/(invalid-(?:ttl|owner|type))/, 'refused-settings', 'Locket refuses a TTL of 0 s or less, an empty owner and an unknown type; fix the configuration. It says: $1.'),
  proves(/resource-not-found/, 'not-found', 'There was no row for the key.'),
];

/** Of the codes with which only gRPC and proxies end a call, the one that says something. */
const CODE_ROWS: readonly ErrorRow[] = [
  proves(/code = (?:Unauthenticated|PermissionDenied)/, 'access-denied', 'The server, or a proxy before it, denied the client access.'),
  proves(/code = Unimplemented/, 'not-locket', 'The server at this address does not have the method that was called.'),
  suggests(/code = ResourceExhausted/, 'limit-reached', 'A limit of one side was reached.'),
  proves(/code = DeadlineExceeded/, 'timeout', 'No answer came before the deadline.'),
];

const OF_LOCKET = [...RULE_ROWS, ...TLS_ROWS, ...GRPC_ROWS, ...NETWORK_ROWS, ...WAITING_ROWS, ...CODE_ROWS];
const OF_DATABASE = [...DATABASE_ROWS, ...TLS_ROWS, ...NETWORK_ROWS, ...DATABASE_WAITING_ROWS];

/** The meaning of an error between a client and Locket. */
export const errorOf = remembering((text) => meaningOf('locket', text));

/** The meaning of the error with which a client lost its lock, or a process ended: another part of it may have failed. */
export function endOf({ kind, error, isOfOther }: { kind: string; error: string; isOfOther: boolean }): ErrorMeaning {
  const isLocket = kind.startsWith('locket-');
  const meaning = isLocket ? databaseErrorOf(error) : errorOf(error);
  const isExit = kind === 'client-exited' || kind === 'locket-exited';
  if (!isExit || !isOfOther || error === '' || (OF_ITSELF.has(meaning.kind) && !/Locket|the database/.test(meaning.words))) return meaning;
  const words = `The process ended, and nothing shows that its ${isLocket ? 'database' : 'lock'} was the cause. The error says: ${error.slice(0, QUOTED_MAX)}`;
  return { kind: 'unknown', certainty: 'possible', words, code: '' };
}

/** Faults of a process itself, whatever it called. */
const OF_ITSELF = new Set<ErrorKind>(['bad-settings', 'limit-reached', 'port-in-use', 'unknown']);

/** The meaning of an error between Locket and its database. */
export const databaseErrorOf = remembering((text) => meaningOf('database', text));

/** Between a client and Locket, or between Locket and its database. */
function meaningOf(side: 'database' | 'locket', text: string): ErrorMeaning {
  const [, code = '', description = text] = /code = (\w+) desc = ([^]*)$/.exec(text) ?? [];
  const own = read(RULE_ROWS, 'Locket', text, code);
  if (own !== undefined) return own;
  if (side === 'database') return ofDatabase(text, code);
  return isOfDatabase(code, description) ? ofDatabase(description, code) : (refined(read(OF_LOCKET, 'Locket', text, code)) ?? unknown(text, code));
}

/**
 * Locket's handlers return an error of the database as it is: gRPC gives it the code Unknown, or that of the deadline that it
 * wraps. Of gRPC itself, only answers of other programs and resets without a code of their own have this code.
 */
function isOfDatabase(code: string, description: string): boolean {
  if (code === 'Unknown') return !/RST_STREAM|HTTP status|content-type|malformed (?:grpc-status|header)/.test(description);
  return code === 'DeadlineExceeded' && /^(?:timeout: |failed to connect to [`'])/.test(description);
}

function ofDatabase(text: string, code: string): ErrorMeaning {
  const meaning = read(OF_DATABASE, 'the database', withCode(text), code);
  if (meaning === undefined) return unknown(text, code);
  return CONNECTIONS.has(meaning.kind) ? { ...meaning, kind: 'database-outage' } : meaning;
}

/** Between Locket and its database, each of these is an outage. */
const CONNECTIONS = new Set<ErrorKind>(['connection-closed', 'connection-refused', 'connection-silent', 'name-not-resolved', 'no-connection', 'tls-failed', 'unreachable', 'not-locket']);

/** A call that its deadline ended says more: until then there was no answer, whatever the last attempt to connect found. */
function refined(meaning: ErrorMeaning | undefined): ErrorMeaning | undefined {
  if (meaning?.code !== 'DeadlineExceeded' || meaning.kind !== 'call-reset') return meaning;
  return { ...meaning, kind: 'timeout', words: 'No answer came before the deadline, at which the other side, Locket or a proxy before it, cancelled the call.' };
}

function read(rows: readonly ErrorRow[], peer: string, text: string, code: string): ErrorMeaning | undefined {
  const row = rows.find((one) => one.says.test(text));
  if (row === undefined) return undefined;
  const { says, kind, certainty, words } = row;
  const caught = says.exec(text)?.slice(1).find(Boolean) ?? '';
  return { kind, certainty, words: words.replaceAll('{peer}', peer).replace('$1', () => caught.trim()), code };
}

/** True if Locket itself has answered, so that its lines about the call are older. */
export const isAnswered = (text: string): boolean => ANSWERS.has(errorOf(text).kind);

const ANSWERS = new Set<ErrorKind>(['collision', 'refused-settings', 'not-found', 'table-dropped', 'database-outage', 'database-slow', 'database-error']);

const QUOTED_MAX = 160;

function unknown(text: string, code: string): ErrorMeaning {
  const words = text === '' ? 'The line has no error text.' : `The cause is unknown. The error says: ${text.slice(0, QUOTED_MAX)}`;
  return { kind: 'unknown', certainty: 'possible', words, code };
}
