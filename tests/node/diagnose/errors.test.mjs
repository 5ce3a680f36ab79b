// What a text of an error is read as: of a lost lock, of a query of Locket, and of the end of a process.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { CALLS, QUERIES } from '../support/error-texts.mjs';
import { client, locket, logs } from '../support/log-lines.mjs';

const lost = (error, duration = 1_000_000) => logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), client(10, 'a', 'lost-lock', { duration, error, 'request-uuid': 'u' })] });

async function lossOf(error) {
  const { findings, summary } = await diagnose(lost(error));
  return { ...findings.find(({ kind }) => kind.startsWith('lost-by-')), headline: summary };
}

describe('the error of a lost lock', () => {
  for (const [text, kind, source] of CALLS) {
    test(`${text} (${source}) is read as ${kind}`, async () => {
      const { causeKind, causeCertainty, certainty } = await lossOf(text);
      assert.deepEqual([causeKind, certainty], [kind, 'certain']);
      assert.equal(causeCertainty === null, kind === 'unknown');
    });
  }

  test('is not called late if it came at once', async () => {
    const { summary, cause, headline } = await lossOf('rpc error: code = Unavailable desc = error reading from server: EOF');
    assert.equal(summary, "bbs-0 lost 'bbs': its renewal failed (after 1 ms).");
    assert.match(cause, /closed the connection/);
    assert.doesNotMatch(headline, /frozen|slow|in time/);
  });

  test('is quoted if no table has it', async () => {
    const { cause } = await lossOf('rpc error: code = Unavailable desc = a text of tomorrow');
    assert.match(cause, /^The cause is unknown\. The error says: .*a text of tomorrow/);
  });

  test('without a text has no cause', async () => assert.equal((await lossOf('')).causeKind, 'unknown'));
});

describe('the error of a query', () => {
  for (const [text, kind, source] of QUERIES) {
    test(`${text} (${source}) is read as ${kind}`, async () => {
      const { findings } = await diagnose(logs({ locket: [locket(0, 'burglar.started'), locket(10, 'lock.failed-locking-lock', { owner: 'a', error: text })] }));
      assert.deepEqual(findings.filter((finding) => finding.kind.startsWith('database-')).map((finding) => finding.kind), kind === undefined ? [] : [kind]);
    });
  }
});
