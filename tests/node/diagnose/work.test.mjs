// Who worked when: what a diagnosis says of a time is never more than what is known to have happened.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose, diagnosisText } from 'locket-wasm/diagnose';

import { incidents, logsOf, truthOf } from '../support/diagnose-logs.mjs';

/** Moments of a diagnosis are known this well, and clocks are compared by lines that two machines share. */
const SLACK_MS = 400;

const covers = (list, { fromMs, toMs }) => list.some((it) => it.from_ms - SLACK_MS <= fromMs && it.to_ms + SLACK_MS >= toMs);

for (const name of incidents) {
  test(`${name}: a client that acts believed it and had its row, and no client acts only where none believed it`, async () => {
    const { keys } = await diagnose(logsOf(name));
    const truth = truthOf(name);
    for (const { key, work } of keys) {
      const own = (list) => list.filter((it) => it.key === key);
      const beliefs = own(truth.belief_intervals);
      const frozen = own(truth.believes_without_own_row).filter(({ ms_running: ms }) => ms < 100);
      const firstMs = Math.min(...beliefs.map(({ from_ms: ms }) => ms));
      for (const part of work) {
        const isBefore = part.toMs <= firstMs + SLACK_MS;
        // A file with several owners has a name for each.
        const of = (list) => list.filter(({ process }) => process === part.client?.split('/')[0]);
        if (part.acts === 'yes') assert.ok(covers(of(beliefs), part) && !covers(of(frozen), part), `${key}: ${JSON.stringify(part)}`);
        if (part.acts === 'no' && !isBefore) assert.ok(covers([...own(truth.nobody_believes), ...frozen], part), `${key}: ${JSON.stringify(part)}`);
        if (part.row === 'no' && !isBefore) assert.ok(covers(own(truth.no_row), part), `${key}: ${JSON.stringify(part)}`);
      }
    }
  });
}

/** The parts of the first key, in seconds from the first line. */
const partsOf = async (logs) => {
  const { keys, fromMs } = await diagnose(logs);
  return keys[0].work.map(({ acts, client, row, ...part }) => [acts, client, row, Math.round((part.toMs - fromMs) / 1000)]);
};

describe('who worked when', () => {
  test('of a frozen holder: it acts until its last renewal, and the lines do not show more until another client acts', async () => {
    assert.deepEqual(await partsOf(logsOf('c-sigstop')), [['yes', 'bbs-0', 'yes', 20], ['unknown', null, 'yes', 35], ['unknown', null, 'no', 37], ['yes', 'bbs-1', 'yes', 56], ['yes', 'bbs-1', 'yes', 62]]);
  });

  test('of a lost lock: no client acts until it has the lock again, though the row is there', async () => {
    const parts = await partsOf(logsOf('d-locket-kill-lose'));
    assert.deepEqual(parts.slice(0, 2), [['yes', 'bbs-0', 'yes', 30], ['no', null, 'yes', 36]]);
  });

  test('is told as text, with the sums', async () => {
    const text = diagnosisText(await diagnose(logsOf('d-locket-kill-lose')));
    assert.match(text, /\nbbs, who worked when:\n +[\d:.]+ +30\.15 s +bbs-0 acts +row of bbs-0\n +[\d:.]+ +6\.08 s +no client acts +row of bbs-0\n/);
    assert.match(text, /\n {2}No client acts for 6\.08 s\. There is a row all the time\.\n/);
  });

  test('is told of the keys that a person reads, and of how many more there are', async () => {
    const keys = ['k0', 'k1', 'k2', 'k3', 'k4'];
    const logs = logsOf('c-sigstop').map(({ name, data }) => ({ name, data: keys.map((key) => data.replaceAll('"key":"bbs"', `"key":"${key}"`)).join('') }));
    const text = diagnosisText(await diagnose(logs));
    assert.deepEqual(text.match(/^.*who worked when.*$/gm), [...keys.slice(0, 3).map((key) => `${key}, who worked when:`), '2 more keys: who worked when is in the JSON of the report.']);
  });

  test('without a log of Locket, no time is told to be one without a client that acts', async () => {
    const logs = logsOf('d-locket-kill-lose').filter(({ name }) => !name.startsWith('locket'));
    assert.ok(logs.length > 0);
    assert.deepEqual((await partsOf(logs)).filter(([acts, , row]) => acts === 'no' || row === 'no'), []);
  });
});
