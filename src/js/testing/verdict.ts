// The claims of tests about a server or an error, and their messages. Matchers and assertions use
// them.

import { kindOfAnswer, text } from '../base/checks.js';
import { LocketArgumentError, LocketError, type Reason } from '../node.js';
import type { Row } from '../types.js';
import { tableLines } from './report.js';

/** An object with a locks table: a server, or a wrapper around one. */
export interface HasTable {
  table(): Row[];
}

/** True if a claim holds, and the message if it should not have. */
export interface Verdict {
  pass: boolean;
  message: () => string;
}

/** The claim that a key is held as a lock or a presence, by `owner` if given. */
export function holds(kind: 'lock' | 'presence', server: HasTable, key: string, owner?: string): Verdict {
  if (typeof server?.table !== 'function') throw new LocketArgumentError('server', 'expected a LocketServer');
  text('key', key);
  if (owner !== undefined) text('owner', owner);
  const table = server.table();
  if (!Array.isArray(table)) throw new LocketArgumentError('server', `expected its table() to return rows, not ${kindOfAnswer(table)}`);
  const row = table.find(({ path, type }) => path === key && type === kind);
  const pass = row !== undefined && (owner === undefined ? row.owner !== '' : row.owner === owner);
  const claim = `${kind} '${key}' ${pass ? 'not ' : ''}to be held${owner === undefined ? '' : ` by '${owner}'`}`;
  const truth = row === undefined ? 'no owner holds it' : `'${row.owner}' holds it`;
  return { pass, message: () => [`expected ${claim}, but ${truth}`, '', ...tableLines(table)].join('\n') };
}

/** The claim that an error is Locket's refusal, with `reason` if given. */
export function refused(error: unknown, reason?: Reason): Verdict {
  if (reason !== undefined) text('reason', reason);
  const isRefusal = error instanceof LocketError && error.outcome === 'refused';
  const pass = isRefusal && (reason === undefined || error.reason === reason);
  const claim = `refusal by Locket${reason === undefined ? '' : ` with ${reason}`}`;
  const truth = error instanceof LocketError ? `${error.outcome}: ${error.message}` : wordsOf(error);
  return { pass, message: () => `expected ${pass ? 'no' : 'a'} ${claim}, but got ${truth}` };
}

/** Any thrown value, for a message. */
function wordsOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
