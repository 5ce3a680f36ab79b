// Monitors that users write: what they are told, and what becomes of what they say.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { runScenario, ScenarioError, Simulation } from 'locket-wasm';
import { checkMonitors } from 'locket-wasm/check';

const SCENARIO = {
  name: 'a holder that crashes',
  until: '40s',
  clients: [
    { name: 'a', key: 'k', retryInterval: '5s' },
    { name: 'b', key: 'k', retryInterval: '5s', startAt: '1s' },
  ],
  actions: [{ at: '12s', do: 'crash', node: 'a' }],
};
const outcomes = (results) => results.map(({ name, outcome }) => [name, outcome]);
const believers = ({ nodes }) => nodes.filter(({ believes }) => believes).map(({ name }) => name);

test('a monitor has held, is violated, or was never put to the test', () => {
  const results = checkMonitors(SCENARIO, {
    'one owner': ({ state }) => believers(state).length <= 1,
    'a never stops': ({ timeMs, state }) => (timeMs < 1_000 ? undefined : believers(state).includes('a')),
    'c is right': ({ state }) => state.nodes.find(({ name }) => name === 'c')?.believes,
  });
  assert.deepEqual(outcomes(results), [['one owner', 'held'], ['a never stops', 'violated'], ['c is right', 'never-exercised']]);
  assert.equal(results[1].timeMs, 12_000);
  assert.match(results[1].words.join(), /a crashes/);
  assert.deepEqual([results[0].timeMs, results[0].words, results[0].link], [null, null, null]);
});

test('a monitor that looks at nothing, or at a member that is not there, has not held', () => {
  assert.deepEqual(outcomes(checkMonitors(SCENARIO, { blind: () => true, end: ({ isEnd }) => isEnd || undefined, time: ({ timeMs }) => timeMs < 99_000 })), [['blind', 'never-exercised'], ['end', 'never-exercised'], ['time', 'held']]);
  for (const [monitor, says] of [
    [(moment) => moment.time < 1, /^monitors\.it: reads an unknown member time; did you mean timeMs\?$/],
    [({ state }) => state.node.length > 0, /unknown member node; did you mean nodes\?/],
    [({ state }) => state.nodes.every(({ believe }) => !believe), /unknown member believe; did you mean believes\?/],
    [({ events }) => events.every(({ word }) => word !== ''), /unknown member word; did you mean words\?/],
  ]) {
    assert.throws(() => checkMonitors(SCENARIO, { it: monitor }), { name: 'LocketArgumentError', field: 'monitors.it', message: says });
  }
});

test('it sees every event once, the start, and the end', () => {
  const seen = [];
  const moments = [];
  const watch = ({ events, timeMs, isEnd }) => {
    seen.push(...events);
    moments.push([timeMs, events.length > 0, isEnd]);
    return undefined;
  };
  checkMonitors(SCENARIO, { watch });
  assert.deepEqual(seen, runScenario(SCENARIO).events);
  assert.deepEqual([moments[0], moments.at(-1)], [[0, false, false], [40_000, false, true]]);
  assert.ok(moments.slice(1, -1).every(([, hasEvents, isEnd]) => hasEvents && !isEnd));
});

test('after a violation a monitor is left alone, and its link leads there', () => {
  let calls = 0;
  const [{ link, timeMs }] = checkMonitors(SCENARIO, {
    first: ({ state }) => {
      calls += 1;
      return state.rows.length === 0;
    },
  });
  const there = Simulation.fromLink(link);
  assert.equal(there.nowMs, timeMs);
  assert.equal(there.state().rows.length, 1);
  assert.equal(there.eventCount, there.trace().length);
  assert.ok(calls < runScenario(SCENARIO).events.length);
});

test('a simulation goes on from where it is, and stays open', () => {
  const simulation = new Simulation(SCENARIO);
  simulation.runUntil('20s');
  const times = [];
  checkMonitors(simulation, { times: ({ timeMs }) => void times.push(timeMs) });
  assert.equal(times[0], 20_000);
  assert.equal(simulation.nowMs, 40_000);
});

test('the error of a scenario, and that of a monitor, is thrown on', () => {
  assert.throws(() => checkMonitors('{}', {}), ScenarioError);
  assert.throws(() => checkMonitors(SCENARIO, { a: () => assert.fail('mine') }), { message: 'mine' });
});
