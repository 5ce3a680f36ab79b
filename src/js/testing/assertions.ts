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
  const refuse = () => new LocketArgumentError('call', 'expected the promise of a call');
  if (typeof call?.then !== 'function') throw refuse();
  const verdict = (await call.then(() => refused('a success', reason), (error: unknown) => refused(error, reason))) as Verdict | undefined;
  // A `then` that is no promise's may give anything.
  if (typeof verdict?.message !== 'function') throw refuse();
  assert(verdict);
}

function assert({ pass, message }: Verdict): void {
  if (pass) return;
  const error = new Error(message());
  error.name = 'AssertionError';
  throw error;
}
