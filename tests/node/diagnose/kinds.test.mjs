// Findings of which there is no recording: lines as Locket and its clients write them, put together here.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { client, expired, inserted, locket, logs, started } from '../support/log-lines.mjs';

const REFUSED = { error: 'rpc error: code = AlreadyExists desc = lock-collision', 'request-uuid': 'first' };
const timedOut = (uuid, text = 'context deadline exceeded') => ({ duration: 5_002_000_000, error: `rpc error: code = DeadlineExceeded desc = ${text}`, 'request-uuid': uuid });

const HOLDER = [client(0.09, 'a', 'started'), client(0.101, 'a', 'acquired-lock')];
const STANDBY = [client(2.3, 'b', 'started'), client(2.31, 'b', 'failed-to-acquire-lock', { ...REFUSED, 'lock-owner': 'a' })];

describe('without a recording', () => {
  test('where only one client has no answers, its way to Locket is thought of', async () => {
    const { findings, causes } = await diagnose(
      logs({
        locket: [started(0), inserted(0.1, 'a', 'u1'), expired(35.11, 'a'), inserted(37.3, 'b', 'u7')],
        'bbs-0': [...HOLDER, client(30.13, 'a', 'lost-lock', timedOut('u2')), client(30.14, 'a', 'completed')],
        'bbs-1': [...STANDBY, client(37.301, 'b', 'acquired-lock')],
      }),
    );
    assert.match(causes[0].words, /^Only bbs-0 had no answers: the network to Locket was cut or slow/);
    const [nobody] = findings.filter(({ kind }) => kind === 'nobody-holding');
    assert.deepEqual([nobody.certainty, Math.round((nobody.toMs - nobody.fromMs) / 100)], ['certain', 72]);
  });

  test('settings that Locket refuses are named', async () => {
    const error = 'rpc error: code = InvalidArgument desc = invalid-ttl';
    const { findings } = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'started', { ttl_in_seconds: 0 }), client(0.1, 'a', 'failed-to-acquire-lock', { error, 'request-uuid': 'q' })] }));
    assert.deepEqual(findings.map(({ severity, summary, causeKind }) => [severity, summary, causeKind]), [['incident', '1 call of bbs-0 to Locket failed.', 'refused-settings']]);
  });

  test('a standby that stops, and learns that it has nothing to release, is no finding', async () => {
    const { findings } = await diagnose(
      logs({
        locket: [started(0), inserted(0.1, 'a', 'u1'), locket(9.01, 'release.release-lock.cannot-release-lock', { owner: 'b', error: REFUSED.error })],
        'bbs-0': HOLDER,
        'bbs-1': [...STANDBY, client(9, 'b', 'signalled'), client(9.02, 'b', 'failed-to-release-lock', { error: REFUSED.error }), client(9.03, 'b', 'completed')],
      }),
    );
    assert.deepEqual(findings, []);
  });
});
