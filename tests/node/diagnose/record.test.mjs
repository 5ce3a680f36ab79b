// Files of `locket-wasm watch --output`: looks at the table, alone and beside the logs of an incident.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { logsOf, truthOf } from '../support/diagnose-logs.mjs';

const BEGIN_MS = 1_795_316_000_000;
const at = (ms) => new Date(ms).toISOString();
const resource = (owner, key = 'bbs') => ({ key, owner, type: 'lock', type_code: 1 });

function line(ms, type, data) {
  return `${JSON.stringify({ timestamp: at(ms), level: 'info', source: 'locket-wasm', message: `locket-wasm.watch.${type}`, data: { session: '1', ...data } })}\n`;
}

const since = (ms) => ({ since: at(BEGIN_MS + ms) });
const RECORD = [
  line(BEGIN_MS, 'snapshot', { resources: [resource('a'), resource('x', 'cell')] }),
  line(BEGIN_MS + 10_000, 'changed', { ...since(5_000), resource: resource('b'), previous: resource('a') }),
  line(BEGIN_MS + 20_000, 'removed', { ...since(15_000), resource: resource('b') }),
  line(BEGIN_MS + 22_000, 'error', { error: 'unavailable' }),
  line(BEGIN_MS + 40_000, 'added', { ...since(35_000), resource: resource('a') }),
].join('');

/** The row's owners, with the bounds of their beginning and end as seconds of the record. */
async function ownersOf(logs, key = 'bbs') {
  const { keys } = await diagnose(logs);
  const seconds = (ms) => (ms === null ? null : (ms - BEGIN_MS) / 1000);
  const [row] = keys.find((timeline) => timeline.key === key).lanes;
  return row.parts.map(({ owner, from, to, end }) => [owner, [seconds(from.earliestMs), seconds(from.latestMs)], [seconds(to.earliestMs), seconds(to.latestMs)], end]);
}

describe('a record', () => {
  test('says whose a row was, and between which two looks that changed', async () => {
    assert.deepEqual(await ownersOf([{ name: 'locks.log', data: RECORD }]), [
      ['a', [null, 0], [5, 10], 'unseen'],
      ['b', [5, 10], [15, 20], 'gone'],
      ['a', [35, 40], [40, null], 'open'],
    ]);
    assert.deepEqual(await ownersOf([{ name: 'locks.log', data: RECORD }], 'cell'), [['x', [null, 0], [0, null], 'open']]);
  });

  test('without other lines shows times without a row, and blames no client', async () => {
    const { findings, limits } = await diagnose([{ name: 'locks.log', data: RECORD }]);
    assert.deepEqual(findings.filter(({ severity }) => severity === 'incident'), []);
    const [none, ...others] = findings.filter(({ kind }) => kind === 'no-row');
    assert.deepEqual([(none.from.earliestMs - BEGIN_MS) / 1000, (none.to.latestMs - BEGIN_MS) / 1000, none.certainty, others], [15, 40, 'likely', []]);
    assert.ok(limits.some((limit) => limit.includes('only from polls of the table')));
  });

  test('with changes between looks that follow each other at once keeps their order', async () => {
    const fast = [1, 2, 3].map((turn) => line(BEGIN_MS + turn * 20, 'changed', { ...since(turn * 20 - 20), resource: resource(`o-${turn}`), previous: resource(`o-${turn - 1}`) }));
    const owners = await ownersOf([{ name: 'locks.log', data: line(BEGIN_MS, 'snapshot', { resources: [resource('o-0')] }) + fast.join('') }]);
    assert.deepEqual(owners.map(([owner]) => owner), ['o-0', 'o-1', 'o-2', 'o-3']);
  });

  test('beside the logs of an incident changes none of what they show, whatever its clock', async () => {
    const logs = logsOf('c-sigstop');
    const [{ from_ms: lostMs, to_ms: takenMs }] = truthOf('c-sigstop').no_row;
    const [first, second] = (await diagnose(logs)).keys[0].lanes[0].parts.map(({ owner }) => owner);
    for (const aheadMs of [0, 90_000, -5_000]) {
      const look = (ms, type, data) => line(ms + aheadMs, type, data);
      const record = [
        look(lostMs - 4_000, 'snapshot', { resources: [resource(first)] }),
        look(lostMs + 1_000, 'removed', { since: at(lostMs - 4_000 + aheadMs), resource: resource(first) }),
        look(takenMs + 2_000, 'added', { since: at(takenMs - 3_000 + aheadMs), resource: resource(second) }),
      ].join('');
      const told = ({ findings }) => findings.map(({ kind, certainty, summary }) => [kind, certainty, summary]);
      assert.deepEqual(told(await diagnose([...logs, { name: 'locks.log', data: record }])), told(await diagnose(logs)), `${aheadMs} ms`);
    }
  });

  test('is foreign text, too', async () => {
    const strange = [{ resources: 7 }, { resources: [null, 3, { key: {} }] }, { since: 'yesterday', resource: null }, { since: {}, previous: [], resource: 'x' }, {}];
    const data = ['snapshot', 'added', 'removed', 'changed'].flatMap((type) => strange.map((one) => line(BEGIN_MS, type, one))).join('');
    assert.ok((await diagnose([{ name: 'locks.log', data: data + RECORD }])).keys.some(({ key }) => key === 'bbs'));
  });
});
