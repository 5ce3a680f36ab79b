// One body against both: a scenario told by the simulation, and the same steps done to driven runners and a server on a
// virtual clock. What becomes of each runner, and when, is the same.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { durationMs as ms, LocketServer, runScenario } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

const STORIES = [
  'all-locket-processes-restart',
  'collision-while-the-holder-renews',
  'holder-crashes',
  'holder-hands-over-cleanly',
  'operator-claims-the-lock-for-an-hour',
  'operator-evicts-the-holder',
  'quick-restart-with-a-new-owner',
  'quick-restart-with-the-same-owner',
  'two-processes-with-one-owner',
  'waiters-keep-their-phase',
];
const RULES = [
  { name: 'lease by timer', lease: { from: 'request', length: '8s' }, renew: { every: '3s' }, retry: { from: 'request' }, timeout: '2s' },
  { name: 'lease at an attempt', lease: { from: 'reply', length: '6s', ends: 'at-an-attempt' }, timeout: 'ttl', toleratedFailures: 1, onCollision: 'count' },
];
const RUNNERS = ['safe', 'upstream', 'upstream-before-2025-10', ...RULES];

const EVENTS = ['acquired', 'exited', 'lost', 'ready', 'released', 'renewed', 'retrying', 'signalled'];

/** What became of runners in the simulation. */
function simulated(scenario) {
  const { events } = runScenario(scenario);
  return byRunner(events.filter(({ runner }) => runner !== null).map(({ timeMs, who, runner }) => [timeMs, who, runner]));
}

/** The same steps, done to the package. */
async function driven(scenario) {
  const server = new LocketServer({ profile: scenario.profile });
  // Each on a machine of its own: one client keeps a key for an owner once.
  const machines = new Map(scenario.clients.map(({ name }) => [name, server.client(name)]));
  const seen = [];
  const runners = new Map();
  const settingsOf = ({ name, key, owner = name, value = '', ttl = '15s' }) => ({ key, owner, value, ttl });
  const start = (who, owner) => {
    const { kind = 'lock', retryInterval, runner } = who;
    const options = { ...settingsOf(who), ...(retryInterval && { retryInterval }), runner, ...(owner && { owner }) };
    const client = machines.get(who.name);
    const made = kind === 'presence' ? client.presence(options) : client.lockRunner(options);
    for (const type of EVENTS) {
      made.addEventListener(type, ({ timeMs, exit }) => exit?.reason !== 'abandoned' && seen.push([timeMs, who.name, type]));
    }
    return runners.set(who.name, made);
  };
  const clients = new Map(scenario.clients.map((who) => [who.name, who]));
  const deeds = {
    crash: ({ node }) => runners.get(node).abandon(),
    'delete-row': ({ key }) => server.deleteRow(key),
    lock: ({ node }) => machines.get(node).lock({ ...settingsOf(clients.get(node)), kind: 'lock' }),
    note: () => {},
    'put-row': ({ key, owner, ttl }) => {
      const row = { path: key, owner, type: 'lock', modified_index: 1 };
      server.putRow({ ...row, modified_id: `put-${key}`, ttl: ms(ttl) / 1_000 });
    },
    release: ({ node }) => {
      const { key, owner } = settingsOf(clients.get(node));
      return machines.get(node).release({ key, owner });
    },
    restart: ({ node, owner }) => {
      if (node.startsWith('locket')) return server.restart();
      runners.get(node).abandon();
      return start(clients.get(node), owner);
    },
    start: ({ node, owner }) => start(clients.get(node), owner),
    stop: ({ node }) => void runners.get(node).stop(),
  };
  const starts = scenario.clients
    .filter(({ retryInterval, runner }) => retryInterval ?? runner)
    .map((who) => ({ at: who.startAt ?? '0s', act: () => start(who) }));
  const actions = scenario.actions.map((action) => ({ ...action, act: () => deeds[action.do](action) }));
  const order = ({ at, after }) => ms(at) - (after === 0 ? 0.5 : 0);
  for (const { at, act } of [...starts, ...actions].sort((a, b) => order(a) - order(b))) {
    await server.clock.advanceToAsync(ms(at));
    await act();
  }
  await server.clock.advanceToAsync(ms(scenario.until));
  const times = byRunner(seen);
  for (const runner of runners.values()) runner.abandon();
  return times;
}

function byRunner(events) {
  const times = {};
  for (const [timeMs, who, kind] of events) (times[who] ??= []).push(`${timeMs} ${kind}`);
  return times;
}

/** What no shipped story has: presences, whose rows others delete and take. */
const PRESENCES = JSON.stringify({
  name: 'presences',
  profile: 'upstream',
  until: '60s',
  clients: [
    { name: 'cell-1', kind: 'presence', key: 'cell-1', ttl: '15s', retryInterval: '5s' },
    { name: 'cell-2', kind: 'presence', key: 'cell-2', ttl: '6s', retryInterval: '2s', startAt: '1s' },
  ],
  actions: [
    { at: '7s', do: 'delete-row', key: 'cell-1' },
    { at: '22s', do: 'put-row', key: 'cell-1', owner: 'somebody', ttl: '15s' },
    { at: '23.5s', do: 'put-row', key: 'cell-2', owner: 'somebody', ttl: '3s' },
    { at: '30.5s', do: 'restart', node: 'locket' },
    { at: '52s', do: 'stop', node: 'cell-1' },
  ],
});

for (const [name, text] of [...STORIES.map((story) => [story, stories[story]]), ['presences', PRESENCES]]) {
  describe(name, () => {
    for (const runner of RUNNERS) {
      test(`${runner.name ?? runner} runners behave as they do in the simulation`, async () => {
        const scenario = JSON.parse(text);
        for (const who of scenario.clients) if (who.retryInterval !== undefined) who.runner = runner;
        scenario.expect = [];
        const expected = simulated(scenario);
        assert.ok(Object.values(expected).flat().length > 5);
        assert.deepEqual(await driven(scenario), expected);
      });
    }
  });
}
