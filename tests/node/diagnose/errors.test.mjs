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

describe('an error of which no other finding tells', () => {
  const failedOf = async (files) => (await diagnose(logs(files))).findings.filter(({ kind }) => kind === 'calls-failed').map(({ summary, causeKind, causeCertainty, cause }) => [summary, causeKind, causeCertainty, cause]);
  const queries = (...texts) => ({ locket: [locket(0, 'burglar.started'), ...texts.map((error, index) => locket(10 + index, 'lock.failed-locking-lock', { owner: 'a', error }))] });

  test('of a query is quoted if it is unknown', async () => {
    assert.deepEqual(await failedOf(queries('a text of tomorrow', 'a text of tomorrow')), [["2 calls of Locket 'locket' to its database failed in 1.00 s.", 'unknown', null, 'The cause is unknown. The error says: a text of tomorrow']]);
  });

  test('of a query has its cause if it is known, such as a limit of Locket itself or a table that is missing', async () => {
    for (const [text, kind] of [['dial tcp 10.0.0.7:5432: socket: too many open files', 'limit-reached'], ['cannot parse `host=x`: failed', 'bad-settings'], ['pq: relation "locks" does not exist', 'table-dropped']]) {
      const [[summary, causeKind, certainty]] = await failedOf(queries(text));
      assert.deepEqual([summary, causeKind, certainty], ["1 call of Locket 'locket' to its database failed.", kind, 'certain']);
    }
  });

  test('of a client that only waits is told, each kind of its own', async () => {
    const failed = (atS, error) => client(atS, 'b', 'failed-to-acquire-lock', { error });
    const found = await failedOf({ 'bbs-1': [client(0, 'b', 'started'), failed(1, 'rpc error: code = ResourceExhausted desc = a quota'), failed(6, 'rpc error: code = Aborted desc = strange'), failed(11, 'rpc error: code = Aborted desc = strange')] });
    assert.deepEqual(found.map(([summary, kind, certainty]) => [summary, kind, certainty]), [['2 calls of bbs-1 to Locket failed in 5.00 s.', 'unknown', null], ['1 call of bbs-1 to Locket failed.', 'limit-reached', 'likely']]);
  });

  test('is none of a refusal, of a missing row, or of a caller that has gone', async () => {
    for (const text of ['lock-collision', 'resource-not-found', 'context canceled']) assert.deepEqual(await failedOf(queries(text)), [], text);
  });
});

describe('the error of a query', () => {
  for (const [text, kind, source] of QUERIES) {
    test(`${text} (${source}) is read as ${kind}`, async () => {
      const { findings } = await diagnose(logs({ locket: [locket(0, 'burglar.started'), locket(10, 'lock.failed-locking-lock', { owner: 'a', error: text })] }));
      assert.deepEqual(findings.filter((finding) => finding.kind.startsWith('database-')).map((finding) => finding.kind), kind === undefined ? [] : [kind]);
    });
  }
});
