// Questions about settings: what a program asks reaches the search, and what the search finds comes back. sim/tests/check asserts
// the answers themselves.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketServer, runScenario, ScenarioError, Simulation } from 'locket-wasm';
import { advise, explore, init, mapSettings, questionOfCell, questionOfRun } from 'locket-wasm/check';

import { assertMembers, assertWrongArgument, failureOf } from '../support/helpers.mjs';

/** A question about the runner and the server that ship. */
const shipped = (question) => ({ runner: 'upstream', profile: 'upstream', ...question });
const pause = (length, count = 1) => ({ pause: { length, count } });
const drained = (client) => shipped({ latency: '100ms', clients: [client], faults: { locketDrain: { length: '4s', count: 1 } }, property: { is: 'false-loss' } });

/** What is asked, and members of the answer. */
const ANSWERS = {
  'replies within 2 s': [shipped({ latency: '2s' }), { verdict: 'safe', because: null, story: null, scenario: null, link: null }],
  'the same in other units': [shipped({ ttl: '0.25m', retryInterval: '5000ms', latency: '6.0s' }), { verdict: 'unsafe', twoOwnersMs: 1_000 }],
  'a deadline on every attempt': [shipped({ latency: '5s', firstAttemptDeadline: true }), { verdict: 'safe' }],
  'a pause of the safe runner, which is the default': [{ latency: '1s', faults: pause('11s') }, { verdict: 'safe', clients: 'any' }],
  'a lost message': [{ runner: 'upstream-before-2025-10', profile: 'upstream', latency: '0s', faults: { lostMessage: 1 } }, { verdict: 'unsafe', twoOwnersMs: 5_000 }],
  'one owner string': [{ latency: '0s', sameOwner: true }, { verdict: 'unsafe' }],
  'clients that differ': [shipped({ latency: '6s', clients: [{}, { runner: 'safe' }] }), { verdict: 'unsafe' }],
  'another property': [shipped({ latency: '0s', faults: { crash: 1 }, property: { is: 'no-client-acts', allow: '20s' } }), { verdict: 'safe' }],
  'what it allows': [shipped({ latency: '0s', faults: { crash: 1 }, property: { is: 'no-client-acts', allow: '5s' } }), { verdict: 'unsafe' }],
  'a drain, and the back-off of grpc-go': [drained({}), { verdict: 'unsafe' }],
  'a drain, and a connection for each attempt': [drained({ connection: 'fetch' }), { verdict: 'safe' }],
  'a grid that is too coarse': [shipped({ retryInterval: '2500ms', latency: '1s', grid: '1s' }), { verdict: 'unknown', because: 'coarse-grid', gridMs: 1_000, exactGridMs: 500 }],
  'a slow clock': [shipped({ ttl: '3s', retryInterval: '1s', latency: '3s', faults: { lostMessage: 1 }, firstAttemptDeadline: true, clients: [{ clock: { ratePpm: -1_000 } }, {}] }), { because: 'clock-rates' }],
  'clocks that drift': [{ profile: 'upstream', drift: '1%' }, { verdict: 'safe', clients: 'any', proof: { by: 'each-client', states: 2_242, anyProcesses: true, drift: '1%' } }],
  'nothing that could break': [{ clients: [{}], latency: '1s' }, { verdict: 'unknown', because: 'never-exercised' }],
  'any number of clients and faults': [{ profile: 'upstream', clients: 'any', faults: { ...pause('20s', 'any'), lostMessage: 'any' } }, { verdict: 'safe', clients: 'any', edge: null }],
  'any number of pauses that break it': [shipped({ faults: pause('4s', 'any') }), { verdict: 'unsafe', clients: 2, edge: { faults: ['pause'], safeUpTo: 1, unsafeWith: 2 } }],
  'any number of clients without a proof': [shipped({ clients: 'any', faults: pause('9s') }), { verdict: 'unknown', because: 'each-client', scenario: null }],
};

describe('an answer', () => {
  for (const [what, [question, members]] of Object.entries(ANSWERS)) {
    test(`about ${what}`, async () => assertMembers(await explore(question), members));
  }

  test('that is unsafe has a story, a scenario whose expectations hold, and links to the first schedule and the longest', async () => {
    const { story, text, scenario, link, timeMs, longest, ...answer } = await explore(shipped({ latency: '1s', faults: pause('16s') }));
    assertMembers({ ...answer, lastedMs: longest.lastedMs, isExact: longest.isExact }, { verdict: 'unsafe', twoOwnersMs: 1_000, lastedMs: 9_000, isExact: true });
    assert.ok(story.lines.some(({ words }) => words.includes("a locks 'lock'")), text);
    assert.deepEqual(runScenario(scenario).failures, []);
    const simulation = Simulation.fromLink(link);
    assert.deepEqual([simulation.nowMs, believers(simulation)], [timeMs, 2]);
    simulation.seek({ timeMs: 0 });
    assert.ok(simulation.runUntil((now) => believers(now) === 2));
    assert.equal(simulation.nowMs, timeMs);
    assert.equal(Simulation.fromLink(longest.link).nowMs, longest.timeMs);
  });

  test('to a search that was cut says how far it came and what makes it long, as does its progress', async () => {
    const hints = new Set();
    const { because, states, summary } = await explore(shipped({ latency: '999ms', faults: pause('5s') }), { maxStates: 50_000, onProgress: ({ hint }) => hints.add(hint) });
    const hint = 'With latency 0.999 s the search takes steps of 0.001 s; with 0 s or 1 s they would be 1 s.';
    assert.deepEqual([because, states, [...hints]], ['too-many-states', 50_000, [hint]]);
    assert.ok(summary.endsWith(hint), summary);
  });

  test('need not look for the longest schedule', async () => {
    const { longest } = await explore(shipped({ latency: '1s', faults: pause('16s') }), { longest: false });
    assert.equal(longest.isExact, false);
  });
});

describe('a map', () => {
  test('says of each cell the least pause that lets two act at once', async () => {
    const { cells, text } = await mapSettings(shipped({ ttl: { from: '5s', to: '6s' }, retryInterval: { from: '1s', to: '3s' }, latency: '1s' }));
    assert.deepEqual(cells.map(({ breaksAt, because }) => [breaksAt, because]), [3, 1, 0, 4, 2, 1].map((seconds) => [seconds * 1_000, null]));
    assert.match(text, /T 6s +4s +2s +1s\n/);
  });

  test('is one cell of the settings of the question, or of its scenario, where no others are given', async () => {
    const settings = { runner: 'upstream', ttl: '6s', retryInterval: '2s' };
    const expected = await mapSettings({ ...settings, ttl: ['6s'], retryInterval: ['2s'], latency: '1s' });
    assert.deepEqual(await mapSettings({ ...settings, latency: '1s' }), expected);
    const clients = ['a', 'b'].map((name) => ({ name, ...settings, key: 'k' }));
    const { cells } = await mapSettings({ scenario: { name: 'two', until: '1m', network: { latency: '1s' }, clients } });
    assert.deepEqual(cells, expected.cells);
  });

  for (const [axis, more] of Object.entries({ latency: {}, lostMessage: {}, pause: { faults: pause('1s', 2) } })) {
    test(`has in each cell the answers to its questions: ${axis}`, async () => {
      const question = { runner: 'upstream-before-2025-10', ...more, axis, ttl: ['6s'], retryInterval: ['1s', '2s'] };
      const { cells } = await mapSettings(question);
      for (const cell of cells) {
        const ask = async (amount) => (await explore(questionOfCell(question, cell, amount))).verdict;
        assert.equal(await ask(cell.breaksAt), 'unsafe');
        if (cell.safeUpTo !== null) assert.equal(await ask(cell.safeUpTo), 'safe');
      }
    });
  }
});

describe('advice', () => {
  test('about safe settings says what is to spare and what they cost', async () => {
    const { text, ...advice } = await advise(shipped({ latency: '1s', faults: pause('5s') }));
    assertMembers(advice, { overall: 'safe', sparePauseMs: 2_000, isSparePauseExact: true, alternatives: [], isHandoverProved: true, renewalsPerHour: 720 });
    assert.match(text, /^Safe within these bounds: .*\n[^]*^Spare pause: 2 s, with any number of clients\.$/m);
  });

  test('about others says why, and names settings that a question finds safe', async () => {
    const bounds = shipped({ latency: '1s', faults: pause('9s') });
    const { overall, reasons, alternatives } = await advise(bounds);
    assert.equal(overall, 'unsafe');
    assert.match(reasons[0], /b believes it holds the lock$/);
    const [{ runner, ttlMs, retryIntervalMs }] = alternatives;
    assert.equal((await explore({ ...bounds, runner, ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` })).verdict, 'safe');
  });
});

/** A mistake of each kind that JavaScript can make; sim/src/check/question/text.rs has those in texts. */
const MISTAKES = [
  ['question.ttlSeconds', { ttlSeconds: 15 }],
  ['ttl', { ttl: 15 }],
  ['ttl', { ttl: null }],
  ['latency', { latency: 10n }],
  ['faults.pause.length', { faults: { pause: { length: 5 } } }],
  ['faults.pause', { faults: { pause: 'many' } }],
  ['faults.crash.lostCommits', { faults: { crash: { lostCommits: -1 } } }],
  ['faults.crashes', { faults: { crashes: 1 } }],
  ['runner', { runner: 'joint' }, 'expected cloud-controller, safe, upstream, upstream-before-2025-10, a rule, or a job or library'],
  ['runner', { runner: 'cloud-controller', ttl: '20s' }],
  ['key', { key: 5 }],
  ['firstAttemptDeadline', { firstAttemptDeadline: 'yes' }],
  ['connection', { connection: 'tcp' }],
  ['clock.rate', { clock: { rate: 5 } }],
  ['clock.ratePpm', { clock: { ratePpm: -1e6 } }],
  ['clients', { clients: [{}, {}, {}, {}, {}] }],
  ['clients[1].ttl', { clients: [{}, { ttl: '0s' }] }],
  ['clients[0].latency', { clients: [{ latency: '1s' }] }],
  ['clients[0]', { clients: [, {}] }],
  ['profile', { profile: { extends: 'upstream' } }],
  ['property.is', { property: { is: '__proto__' } }],
  ['property.allow', { property: { is: 'acquired' } }],
  ['property.allow', { property: { is: 'false-loss', allow: '1s' } }],
];
const MAP_MISTAKES = [
  ['axis', { axis: 'weather' }],
  ['ttl.to', { ttl: { from: '5s', to: '3s' } }],
  ['retryInterval[0]', { retryInterval: [1] }],
  ['question', { ttl: [] }],
  ['maxSteps', { maxSteps: -1 }],
];

describe('a question that makes no sense is refused by name:', () => {
  for (const [field, question, says] of MISTAKES) {
    const shown = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    test(`${field} of ${shown}`, () => assertWrongArgument(field, () => explore(question), says));
  }
  for (const [field, map] of MAP_MISTAKES) {
    test(`${field} of the map ${JSON.stringify(map)}`, () => assertWrongArgument(field, () => mapSettings({ ttl: ['3s'], retryInterval: ['1s'], ...map })));
  }
});

describe('a question about a scenario', () => {
  const SCENARIO = {
    name: 'two runners',
    profile: 'upstream',
    network: { latency: { min: '0s', max: '1s' } },
    clients: ['a', 'b'].map((name) => ({ name, key: 'k', ttl: '6s', retryInterval: '2s', runner: 'upstream' })),
  };

  test('is the one about the same settings', async () => {
    const more = { faults: pause('5s'), latency: '2s' };
    assert.deepEqual(await explore({ scenario: SCENARIO, ...more }), await explore({ ...shipped({ ttl: '6s', retryInterval: '2s' }), ...more }));
  });

  test('keeps what was asked for as any number', async () => {
    await init();
    const { bounds } = questionOfRun(JSON.stringify({ ...SCENARIO, until: '30s' }), { bounds: { faults: pause('2s', 'any') } });
    assert.deepEqual(bounds, { latency: '1s', faults: pause('2s', 'any') });
  });

  test('tells with line and column what is wrong with the scenario', async () => {
    const error = await failureOf(explore({ scenario: JSON.stringify({ ...SCENARIO, until: 5 }, undefined, 1) }));
    assert.ok(error instanceof ScenarioError);
    assert.deepEqual([error.path, error.line > 10], ['until', true]);
  });

  for (const [field, more] of [['ttl', { ttl: '6s' }], ['profile', { profile: 'upstream' }], ['scenario', { scenario: 3 }]]) {
    test(`does not say again what the scenario says: ${field}`, () => assertWrongArgument(field, () => explore({ scenario: SCENARIO, ...more })));
  }
});

test('one settings object goes to acquire, into a scenario and into a question', async () => {
  const bbs = { key: 'bbs', owner: 'bbs-0', value: 'text', kind: 'lock', ttl: '15s', retryInterval: '5s', margin: '500ms', runner: 'safe' };
  const lock = await new LocketServer().client().acquire(bbs);
  const clients = [{ name: 'a', ...bbs }];
  const run = runScenario({ name: 'one settings object', until: '1s', clients, expect: [{ at: '1s', key: 'bbs', owner: 'bbs-0' }] });
  const { verdict } = await explore(bbs);
  assert.deepEqual([lock.held, run.failures, verdict], [true, [], 'safe']);
});

function believers(simulation) {
  return simulation.state().nodes.filter(({ believes }) => believes).length;
}
