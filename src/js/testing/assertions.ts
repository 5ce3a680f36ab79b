// The claims as assertions, for test runners without matchers.

import { LocketArgumentError, type Reason } from '../node.js';
import { type HasTable, holds, refused, type Verdict } from './verdict.js';

/** Throws unless a lock is held, by an owner or by anybody. */
export function assertHoldsLock(server: HasTable, key: string, owner?: string): void {
  assert(holds('lock', server, key, owner));
}

/** Throws unless a presence is held, by an owner or by anybody. */
export function assertHoldsPresence(server: HasTable, key: string, owner?: string): void {
  assert(holds('presence', server, key, owner));
}

/** Rejects unless Locket refuses a call, for a reason or for any. */
export async function assertRefused(call: Promise<unknown>, reason?: Reason): Promise<void> {
  if (typeof call?.then !== 'function') throw new LocketArgumentError('call', 'expected the promise of a call');
  assert(await call.then(() => refused('a success', reason), (error: unknown) => refused(error, reason)));
}

function assert({ pass, message }: Verdict): void {
  if (pass) return;
  const error = new Error(message());
  error.name = 'AssertionError';
  throw error;
}
