// The claims as matchers, for `expect.extend` of vitest and jest.

import type { Reason } from '../node.js';
import { type HasTable, holds, refused, type Verdict } from './verdict.js';

/** The additional matchers of `expect(…)`. */
export interface LocketMatchers<R = unknown> {
  /** A lock is held, by `owner` if given: `expect(server).toHoldLock('bbs', 'bbs-0')`. */
  toHoldLock(key: string, owner?: string): R;
  /** A presence is held, by `owner` if given: `expect(server).toHoldPresence('cell-1')`. */
  toHoldPresence(key: string, owner?: string): R;
  /**
   * An error is Locket's refusal:
   * `await expect(client.lock(…)).rejects.toBeRefused('lock-collision')`.
   */
  toBeRefused(reason?: Reason): R;
}

/**
 * For `expect.extend`; `locket-wasm/testing/vitest` and `locket-wasm/testing/jest` call it already.
 */
export const matchers = {
  toHoldLock: (server: HasTable, key: string, owner?: string): Verdict => holds('lock', server, key, owner),
  toHoldPresence: (server: HasTable, key: string, owner?: string): Verdict => holds('presence', server, key, owner),
  toBeRefused: (error: unknown, reason?: Reason): Verdict => refused(error, reason),
};
