// The settings that survive outages: from a program and on the command line.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { explore, survive } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';

const CRASH = { profile: 'upstream', retryInterval: '5s', faults: { locketCrash: '60s' } };

describe('settings that survive', () => {
  test('are as explore says from scratch: the TTL is safe, and a second less is not', async () => {
    const { settings } = await survive(CRASH);
    const [{ settings: found, isShortest }] = settings;
    assert.deepEqual([settings.length, found.ttlMs, found.clients, isShortest], [1, 74_000, 'any', true]);
    const crash = { profile: 'upstream', retryInterval: '5s', faults: { locketCrash: { length: '60s', count: 1 } } };
    for (const property of [{ is: 'false-loss' }, { is: 'one-owner' }]) assert.equal((await explore({ ...crash, ttl: '74s', property })).verdict, 'safe');
    assert.equal((await explore({ ...crash, ttl: '73s', property: { is: 'false-loss' } })).verdict, 'unsafe');
  });

  test('are none if the given runner gives up on its first error, and the reason says so', async () => {
    const { settings, impossible, text } = await survive({ ...CRASH, runner: 'upstream' });
    assert.deepEqual(settings, []);
    assert.equal(impossible[0].isKnown, true);
    assert.match(text, /Breaks: upstream runner.* no longer believes it holds the lock/);
  });
});

describe('advise --survive', () => {
  test('prints the settings, and ends with 1 if there are none', () => {
    const safe = cli(['advise', '--survive', '--profile', 'upstream', '--retry-interval', '5s', '--fault', 'pause=10s']);
    assert.equal(safe.status, 0);
    assert.match(safe.stdout, /^ {2}safe runner, TTL 21 s, retry 5 s; .*; for any number of clients; no shorter TTL$/m);
    const none = cli(['advise', '--survive', '--runner', 'upstream', '--profile', 'upstream', '--retry-interval', '5s', '--fault', 'locket-crash=60s']);
    assert.equal(none.status, 1);
  });
});
