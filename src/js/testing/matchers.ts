// The claims as matchers, for `expect.extend` of vitest and jest.

import type { Reason } from '../node.js';
import { type HasTable, holds, refused, type Verdict } from './verdict.js';

/** What `expect(…)` has in addition. */
export interface LocketMatchers<R = unknown> {
  /** That a lock is held, by an owner or by anybody: `expect(server).toHoldLock('bbs', 'bbs-0')`. */
  toHoldLock(key: string, owner?: string): R;
  /** That a presence is held, by an owner or by anybody: `expect(server).toHoldPresence('cell-1')`. */
  toHoldPresence(key: string, owner?: string): R;
  /** That an error is Locket's refusal: `await expect(client.lock(…)).rejects.toBeRefused('lock-collision')`. */
  toBeRefused(reason?: Reason): R;
}

/** For `expect.extend`; `locket-wasm/testing/vitest` and `locket-wasm/testing/jest` have done it already. */
export const matchers = {
  toHoldLock: (server: HasTable, key: string, owner?: string): Verdict => holds('lock', server, key, owner),
  toHoldPresence: (server: HasTable, key: string, owner?: string): Verdict => holds('presence', server, key, owner),
  toBeRefused: (error: unknown, reason?: Reason): Verdict => refused(error, reason),
};
