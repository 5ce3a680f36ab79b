// The claims as assertions, for test runners without matchers.

import { LocketArgumentError, type Reason } from '../node.js';
import { type HasTable, holds, refused, type Verdict } from './verdict.js';

/** Throws unless a lock is held, by `owner` if given. */
export function assertHoldsLock(server: HasTable, key: string, owner?: string): void {
  assert(holds('lock', server, key, owner));
}

/** Throws unless a presence is held, by `owner` if given. */
export function assertHoldsPresence(server: HasTable, key: string, owner?: string): void {
  assert(holds('presence', server, key, owner));
}

/** Rejects unless Locket refuses a call, with `reason` if given. */
export async function assertRefused(call: Promise<unknown>, reason?: Reason): Promise<void> {
  const refuse = () => new LocketArgumentError('call', 'expected the promise that a call returned');
  if (typeof call?.then !== 'function') throw refuse();
  const verdict = (await call.then(() => refused('a success', reason), (error: unknown) => refused(error, reason))) as Verdict | undefined;
  // The `then` of an object that is not a promise may return anything.
  if (typeof verdict?.message !== 'function') throw refuse();
  assert(verdict);
}

function assert({ pass, message }: Verdict): void {
  if (pass) return;
  const error = new Error(message());
  error.name = 'AssertionError';
  throw error;
}
