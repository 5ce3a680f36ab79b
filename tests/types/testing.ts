// What users of locket-wasm/testing write, with the matchers of both runners.

import { expect as jestExpect } from '@jest/globals';
import type { AmbientClock, LocketClient, LocketServer, VirtualClock } from 'locket-wasm';
import { assertHoldsLock, assertRefused, withLocket } from 'locket-wasm/testing';
import 'locket-wasm/testing/jest';
import 'locket-wasm/testing/vitest';
import { test } from 'node:test';
import { expect } from 'vitest';

test('a test', withLocket(async ({ server, clock, client }, t: { name: string }) => {
  const own: VirtualClock = clock;
  const one: LocketClient = client('bbs-0', { timeout: '1s' });
  own.advance('15s');
  assertHoldsLock(server, 'bbs', t.name);
  await assertRefused(one.fetch('bbs'), 'resource-not-found');
  // @ts-expect-error Locket gives no such reason
  await assertRefused(one.fetch('bbs'), 'lock-is-held');
}));

withLocket({ clock: 'ambient', profile: 'upstream' }, ({ clock }) => {
  const ambient: AmbientClock = clock;
  // @ts-expect-error the ambient clock is not moved by hand
  ambient.advance('15s');
});
// @ts-expect-error there is no such option
withLocket({ profil: 'upstream' }, () => {});
// @ts-expect-error the test is missing
withLocket({ profile: 'upstream' });

export async function matchers(server: LocketServer, failing: Promise<unknown>): Promise<void> {
  expect(server).toHoldLock('bbs', 'bbs-0');
  expect(server).not.toHoldPresence('cell');
  await expect(failing).rejects.toBeRefused('lock-collision');
  jestExpect(server).toHoldLock('bbs');
  await jestExpect(failing).rejects.toBeRefused();
  // @ts-expect-error the key is missing
  expect(server).toHoldLock();
  // @ts-expect-error Locket gives no such reason
  jestExpect(failing).toBeRefused('lock-is-held');
}
