// What tests claim of a server or of an error, and what to say if it is not so. Matchers and assertions are made of it.

import { LocketArgumentError, LocketError, type Reason } from '../node.js';
import type { Row } from '../types.js';
import { tableLines } from './report.js';

/** What has a locks table: a server, or anything around one. */
export interface HasTable {
  table(): Row[];
}

/** Whether a claim holds, and what to say if it had to be otherwise. */
export interface Verdict {
  pass: boolean;
  message: () => string;
}

/** That a key is held, as a lock or a presence, by an owner or by anybody. */
export function holds(kind: 'lock' | 'presence', server: HasTable, key: string, owner?: string): Verdict {
  if (typeof server?.table !== 'function') throw new LocketArgumentError('server', 'expected a LocketServer');
  checkText('key', key);
  if (owner !== undefined) checkText('owner', owner);
  const table = server.table();
  const row = table.find(({ path, type }) => path === key && type === kind);
  const pass = row !== undefined && (owner === undefined ? row.owner !== '' : row.owner === owner);
  const claim = `${owner ?? 'anybody'} to hold the ${kind} ${key}`;
  const truth = row === undefined ? 'nobody does' : `${row.owner} does`;
  return { pass, message: () => [`expected ${pass ? 'not ' : ''}${claim}; ${truth}`, '', ...tableLines(table)].join('\n') };
}

/** That an error is Locket's refusal, for a reason or for any. */
export function refused(error: unknown, reason?: Reason): Verdict {
  if (reason !== undefined) checkText('reason', reason);
  const isRefusal = error instanceof LocketError && error.outcome === 'refused';
  const pass = isRefusal && (reason === undefined || error.reason === reason);
  const claim = `a refusal by Locket${reason === undefined ? '' : ` with ${reason}`}`;
  const truth = error instanceof LocketError ? `${error.outcome}: ${error.message}` : wordsOf(error);
  return { pass, message: () => `expected ${pass ? 'anything but ' : ''}${claim}, not ${truth}` };
}

function checkText(field: string, value: unknown): void {
  if (typeof value !== 'string') throw new LocketArgumentError(field, 'expected a string');
}

/** Whatever was thrown, for a message. */
function wordsOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'what has no text';
  }
}
