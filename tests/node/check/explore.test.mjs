// Questions about settings: verdicts, what shows them, and how a search is watched and ended.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { LocketServer, runScenario, ScenarioError, Simulation } from 'locket-wasm';
import { advise, explore, init, mapSettings, questionOfCell, questionOfRun } from 'locket-wasm/check';

import { assertWrongArgument, failureOf } from '../support/helpers.mjs';

/** A question about the runner and the server that ship. */
const shipped = (question) => ({ runner: 'upstream', profile: 'upstream', ...question });

/** The grain of what follows is 1 s; lease 15 s, retry interval 5 s. */
const ANSWERS = [
  { asks: 'replies within 2 s', question: { latency: '2s' }, verdict: 'safe' },
  { asks: 'replies within 5 s, and a deadline on every attempt', question: { latency: '5s', firstAttemptDeadline: true }, verdict: 'safe' },
  { asks: 'replies within 6 s', question: { latency: '6s' }, verdict: 'unsafe', twoOwnersMs: 1_000 },
  { asks: 'a lease of 14 s, attempts every 5 s and replies within 5 s', question: { ttl: '14s', retryInterval: '5s', latency: '5s' }, verdict: 'unsafe' },
  { asks: 'replies within 5 s and a pause of 1 s', question: { latency: '5s', faults: { pause: { length: '1s', count: 1 } } }, verdict: 'unsafe' },
  { asks: 'a pause of 10 s on an instant network', question: { faults: { pause: { length: '10s', count: 1 } }, latency: '0s' }, verdict: 'safe' },
  { asks: 'a pause of 11 s on an instant network', question: { faults: { pause: { length: '11s', count: 1 } }, latency: '0s' }, verdict: 'unsafe' },
  { asks: 'a lost renewal before October 2025', question: { runner: 'upstream-before-2025-10', faults: { lostMessage: 1 }, latency: '0s' }, verdict: 'unsafe', twoOwnersMs: 5_000 },
  { asks: 'a safe runner that is paused for 11 s', question: { runner: 'safe', faults: { pause: { length: '11s', count: 1 } }, latency: '1s' }, verdict: 'safe' },
];

describe('an answer', () => {
  for (const { asks, question, verdict, twoOwnersMs } of ANSWERS) {
    test(`to ${asks}: ${verdict}`, async () => {
      const answer = await explore(shipped(question));
      assert.equal(answer.verdict, verdict);
      assert.ok(answer.states > 50, 'it tried something');
      if (twoOwnersMs !== undefined) assert.equal(answer.twoOwnersMs, twoOwnersMs);
      if (verdict !== 'unsafe') assert.deepEqual([answer.story, answer.scenario, answer.link], [null, null, null]);
    });

    if (verdict !== 'unsafe') continue;
    test(`to ${asks} is a scenario whose expectations hold, and a link to the moment with two owners`, async () => {
      const { scenario, link, timeMs } = await explore(shipped(question));
      assert.deepEqual(runScenario(scenario).failures, []);
      const simulation = Simulation.fromLink(link);
      assert.equal(simulation.nowMs, timeMs);
      assert.equal(believers(simulation), 2);
      simulation.seek({ timeMs: 0 });
      assert.ok(simulation.runUntil((now) => believers(now) === 2));
      assert.equal(simulation.nowMs, timeMs);
    });
  }

  test('tells its story, and between what its numbers may lie', async () => {
    const { story, text } = await explore(shipped({ latency: '6s' }));
    assert.ok(story.lines.some(({ timeMs, words }) => timeMs === 11_000 && words.includes('a locks lock')), text);
    assert.ok(story.lines.some(({ rowOf, slackMs }) => rowOf === 'b' && slackMs === 15_000));
    assert.ok(story.ranges.some(({ leastMs, valueMs, mostMs }) => leastMs < valueMs && valueMs === mostMs));
    assert.match(text, /^Unsafe within these bounds: a schedule .*\n[^]*Two owners at the same time for 1 s in this schedule\.\nIn this schedule, with all else unchanged:\n/);
  });

  test('states its bounds, of which the latency is 1 s if the question does not say', async () => {
    const { summary, bounds } = await explore(shipped({ ttl: '5s', retryInterval: '2s', faults: { pause: { length: '1s', count: 1 } } }));
    assert.equal(bounds, 'Bounds: messages ≤ 1 s, one pause ≤ 1 s, no message lost, no other fault. A paused client that believes it holds the lock counts as an owner.');
    assert.ok(summary.includes(bounds), summary);
  });

  test('is the same in whatever unit a length of time is given', async () => {
    const expected = await explore(shipped({ ttl: '15s', retryInterval: '4s', latency: '4s' }));
    assert.deepEqual(await explore(shipped({ ttl: '0.25m', retryInterval: '4000ms', latency: '4.0s' })), expected);
  });

  test('is about the safe runner on the documented Locket, if the question does not say', async () => {
    const expected = await explore({ runner: 'safe', profile: 'documented', latency: '2s', faults: { pause: { length: '16s', count: 1 } } });
    assert.deepEqual(await explore({ latency: '2s', faults: { pause: { length: '16s', count: 1 } } }), expected);
    assert.equal(expected.verdict, 'safe');
  });

  test('does not depend on key, owner and value, which are labels', async () => {
    const labels = { key: 'bbs', owner: 'bbs-0', value: 'text' };
    assert.deepEqual(await explore(shipped({ latency: '2s', ...labels })), await explore(shipped({ latency: '2s' })));
  });

  test('finds two owners without a fault where all clients present the same owner string', async () => {
    const { verdict, summary } = await explore({ runner: 'safe', latency: '0s', sameOwner: true });
    assert.equal(verdict, 'unsafe');
    assert.match(summary, /a schedule without a fault .* clients with the same owner string/);
  });

  test('is about each client as it is listed', async () => {
    const clients = [{}, { runner: 'safe' }];
    const { verdict, scenario } = await explore(shipped({ clients, latency: '6s' }));
    assert.equal(verdict, 'unsafe');
    assert.deepEqual(JSON.parse(scenario).clients.map(({ runner }) => runner), ['upstream', 'safe']);
  });

  test('to another property is about that', async () => {
    const allowing = (seconds) => shipped({ faults: { crash: 1 }, latency: '0s', property: { is: 'no-client-acts', allow: `${seconds}s` } });
    assert.equal((await explore(allowing(20))).verdict, 'safe');
    assert.equal((await explore(allowing(5))).verdict, 'unsafe');
  });

  test('is unknown where there are more states than may be kept, and says how far it is known', async () => {
    const { verdict, because, states, summary } = await explore(shipped({ latency: '5s', faults: { pause: { length: '1s', count: 1 } } }), { maxStates: 1_000 });
    assert.deepEqual([verdict, because, states], ['unknown', 'too-many-states', 1_000]);
    assert.match(summary, /^Unknown within these bounds: the search stopped at 1,000 states\. .* Bounds: messages ≤ 5 s, /);
  });

  test('has the first schedule and the longest, each with its link', async () => {
    const { timeMs, twoOwnersMs, longest } = await explore(shipped({ latency: '1s', faults: { pause: { length: '16s', count: 1 } } }));
    assert.deepEqual([twoOwnersMs, longest.lastedMs, longest.isExact], [1_000, 9_000, true]);
    assert.ok(timeMs < longest.timeMs);
    const simulation = Simulation.fromLink(longest.link);
    assert.equal(simulation.nowMs, longest.timeMs);
    simulation.close();
    assert.equal((await explore(shipped({ latency: '1s', faults: { pause: { length: '16s', count: 1 } } }), { longest: false })).longest.isExact, false);
  });

  test('is unknown where the grid is coarser than an exact answer takes, and says so of what it finds', async () => {
    const question = shipped({ retryInterval: '2500ms', latency: '1s', grid: '1s' });
    const { verdict, because, gridMs, exactGridMs } = await explore(question);
    assert.deepEqual([verdict, because, gridMs, exactGridMs], ['unknown', 'coarse-grid', 1_000, 500]);
    const { verdict: exact, because: none } = await explore({ ...question, grid: '500ms' });
    assert.deepEqual([exact, none], ['safe', null]);
    const { summary, longest } = await explore({ ...question, faults: { pause: { length: '20s', count: 1 } } });
    assert.match(summary, /^Unsafe .* Tried in steps of 1 s only; an exact answer takes steps of 0\.5 s\./);
    assert.equal(longest.isExact, false);
  });

  test('names the time that makes a search long, and the nearest that do not', async () => {
    const hints = new Set();
    const options = { maxStates: 50_000, onProgress: ({ hint }) => hints.add(hint) };
    const hint = 'With latency 0.999 s the search takes steps of 0.001 s; with 0 s or 1 s they would be 1 s.';
    const { verdict, summary } = await explore(shipped({ latency: '999ms', faults: { pause: { length: '5s', count: 1 } } }), options);
    assert.equal(verdict, 'unknown');
    assert.ok(summary.endsWith(hint), summary);
    assert.deepEqual([...hints], [hint]);
  });

  test('is unknown, as nothing was put to the test, if the property cannot break', async () => {
    const { verdict, because } = await explore({ clients: [{}], latency: '1s' });
    assert.deepEqual([verdict, because], ['unknown', 'never-exercised']);
  });
});

describe('any number', () => {
  const SHIPPED = { runner: 'upstream', profile: 'upstream' };

  test('of clients and of faults has an answer where each client alone proves it', async () => {
    const { verdict, clients, proof, edge } = await explore({ clients: 'any', faults: { pause: { length: '20s', count: 'any' }, lostMessage: 'any' }, profile: 'upstream' });
    assert.deepEqual([verdict, clients, proof.by, edge], ['safe', 'any', 'each-client', null]);
  });

  test('of pauses that break it comes with the number that does', async () => {
    const { verdict, clients, edge } = await explore({ ...SHIPPED, faults: { pause: { length: '4s', count: 'any' } } });
    assert.deepEqual([verdict, clients, edge], ['unsafe', 2, { faults: ['pause'], safeUpTo: 1, unsafeWith: 2 }]);
  });

  test('of clients without a proof is unknown, with a bound for any number', async () => {
    const { verdict, because, lowerBound, scenario } = await explore({ ...SHIPPED, clients: 'any', faults: { pause: { length: '9s', count: 1 } } });
    assert.deepEqual([verdict, because, lowerBound.faults, scenario], ['unknown', 'each-client', 1, null]);
  });

  test('of pauses is the number of a map, too', async () => {
    const { cells } = await mapSettings({ ...SHIPPED, faults: { pause: { length: '1s', count: 'any' } }, ttl: ['15s'], retryInterval: ['5s'] });
    const [{ safeUpTo, breaksAt, clients }] = cells;
    assert.deepEqual([safeUpTo, breaksAt, clients], [3_000, 4_000, 'any']);
  });

  test('of clients has advice, whose other questions have two', async () => {
    const { verdict, clients, handoverMaxMs, isHandoverProved } = await advise({ clients: 'any', faults: { pause: { length: '5s', count: 'any' } } });
    assert.deepEqual([verdict, clients, handoverMaxMs, isHandoverProved], ['safe', 'any', 24_000, true]);
  });

  test('is written as any', async () => {
    await assertWrongArgument('clients', () => explore({ clients: 'all' }));
    await assertWrongArgument('faults.pause', () => explore({ faults: { pause: 'many' } }));
    await assertWrongArgument('faults.restart', () => explore({ faults: { restart: 'any', failover: 1 } }));
  });

  test('stays any in the question of a run', async () => {
    await init();
    const scenario = JSON.stringify({ name: 'one', until: '30s', clients: ['a', 'b'].map((name) => ({ name, key: 'k', retryInterval: '5s' })) });
    const { bounds } = questionOfRun(scenario, { bounds: { faults: { pause: { length: '2s', count: 'any' } } } });
    assert.deepEqual(bounds, { latency: '0s', faults: { pause: { length: '2s', count: 'any' } } });
  });
});

describe('a search', () => {
  const LONG = { runner: 'safe', latency: '3s', faults: { pause: { length: '16s', count: 1 } }, margin: '0s', property: { is: 'no-client-acts', allow: '120s' } };

  test('lets everything else have its turn', async () => {
    let turns = 0;
    const interval = setInterval(() => (turns += 1), 0);
    const slices = [];
    await explore(shipped({ latency: '7s', firstAttemptDeadline: true, faults: { crash: 1 }, property: { is: 'no-client-acts', allow: '120s' } }), { onProgress: () => slices.push(turns) });
    clearInterval(interval);
    assert.ok(new Set(slices).size > 1, 'timers fired between slices');
  });

  test('goes on in small slices, and tells how far it is', async () => {
    const seen = [];
    const { states } = await explore(shipped({ latency: '7s', firstAttemptDeadline: true, faults: { crash: 1 }, property: { is: 'no-client-acts', allow: '120s' } }), { onProgress: (now) => seen.push(now) });
    assert.ok(seen.length > 5);
    assert.ok(seen.every((now, index) => index === 0 || now.timeMs >= seen[index - 1].timeMs), 'with as many faults, time only grows');
    assert.equal(seen.at(-1).states, states);
  });

  test('ends with the slice in which its signal is aborted, with the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let afterwards = 0;
    const onProgress = () => {
      if (controller.signal.aborted) afterwards += 1;
      else setImmediate(() => controller.abort(reason));
    };
    assert.equal(await failureOf(explore(LONG, { signal: controller.signal, onProgress })), reason);
    assert.ok(afterwards <= 1, `${afterwards} slices after it was ended`);
    const { verdict } = await explore(shipped({ latency: '2s' }));
    assert.equal(verdict, 'safe', 'the module is as good as before');
  });

  test('does not begin if its signal is aborted', async () => {
    const onProgress = () => assert.fail('it went on');
    const error = await failureOf(explore(LONG, { signal: AbortSignal.abort(), onProgress }));
    assert.equal(error.name, 'AbortError');
  });

  test('ends when its progress callback throws', async () => {
    const error = new Error('not mine');
    const onProgress = () => {
      throw error;
    };
    assert.equal(await failureOf(explore(LONG, { onProgress })), error);
  });

  test('goes on though timers are faked', async (t) => {
    t.mock.timers.enable();
    assert.equal((await explore(shipped({ latency: '5s', firstAttemptDeadline: true }))).verdict, 'safe');
  });

  test('has no verdict where a slow clock makes an exact run differ from its steps', async () => {
    const clients = [{ clock: { ratePpm: -1_000 } }, {}];
    const question = shipped({ ttl: '5s', retryInterval: '1s', latency: '3s', faults: { lostMessage: 1 }, firstAttemptDeadline: true, clients });
    const { verdict, because } = await explore(question);
    assert.deepEqual([verdict, because], ['unknown', 'clock-rates']);
  });
});

describe('a map', () => {
  const SETTINGS = shipped({ ttl: { from: '3s', to: '6s' }, retryInterval: { from: '1s', to: '5s' }, latency: '1s' });
  const inSeconds = ({ cells }) => cells.map(({ breaksAt }) => breaksAt / 1000);

  test('says of each cell the least pause that lets two act at once', async () => {
    const map = await mapSettings(SETTINGS);
    assert.deepEqual(inSeconds(map), [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 1, 0, 0, 0, 4, 2, 1, 0, 0]);
    for (const { because } of map.cells) assert.equal(because, null);
    assert.match(map.text, /T 6s +4s +2s +1s +0s +0s\n/);
  });

  test('agrees with a single question about a cell', async () => {
    const { cells } = await mapSettings({ ...SETTINGS, ttl: ['6s'], retryInterval: ['2s'] });
    const [{ breaksAt, safeUpTo }] = cells;
    const ask = async (ms) => (await explore(shipped({ ttl: '6s', retryInterval: '2s', latency: '1s', faults: { pause: { length: `${ms}ms`, count: 1 } } }))).verdict;
    assert.deepEqual([await ask(breaksAt), await ask(safeUpTo)], ['unsafe', 'safe']);
  });

  test('is one cell of the settings of the question, where no others are given', async () => {
    const settings = { runner: 'upstream', ttl: '6s', retryInterval: '2s' };
    const asked = { ...settings, ttl: ['6s'], retryInterval: ['2s'], latency: '1s' };
    assert.deepEqual(await mapSettings({ ...settings, latency: '1s' }), await mapSettings(asked));
    const clients = ['a', 'b'].map((name) => ({ name, ...settings, key: 'k' }));
    const { cells } = await mapSettings({ scenario: { name: 'two', until: '1m', network: { latency: '1s' }, clients } });
    assert.deepEqual(cells, (await mapSettings(asked)).cells);
  });

  test('raises the amount of the given axis', async () => {
    const cell = async (axis) => (await mapSettings({ axis, ttl: ['6s'], retryInterval: ['2s'], runner: 'upstream-before-2025-10' })).cells[0];
    assert.equal((await cell('lostMessage')).breaksAt, 1);
    assert.equal((await cell('latency')).breaksAt % 1000, 0);
    assert.equal((await cell('clockRate')).breaksAt % 50_000, 0);
  });

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    const onProgress = ({ cells, total }) => {
      assert.equal(total, 20);
      assert.ok(cells <= total);
      controller.abort();
    };
    const error = await failureOf(mapSettings(SETTINGS, { signal: controller.signal, onProgress }));
    assert.equal(error.name, 'AbortError');
  });

  for (const [axis, more] of Object.entries({ latency: {}, lostMessage: {}, pause: { faults: { pause: { length: '1s', count: 2 } } }, clockRate: { runner: 'safe', margin: '0s', latency: '0s', faults: { pause: '7s' } } })) {
    test(`has in each cell the answers to its questions: ${axis}`, async () => {
      const question = { runner: 'upstream-before-2025-10', ...more, axis, ttl: ['6s'], retryInterval: ['1s', '2s'] };
      const { cells } = await mapSettings(question);
      for (const cell of cells) {
        const ask = async (amount) => (await explore(questionOfCell(question, cell, amount))).verdict;
        assert.equal(await ask(cell.breaksAt), 'unsafe');
        if (cell.safeUpTo !== null) assert.equal(await ask(cell.safeUpTo), axis === 'clockRate' && cell.safeUpTo > 0 ? 'unknown' : 'safe');
      }
    });
  }

  test('says for how many clients the values of a cell are safe', async () => {
    const safe = { runner: 'safe', ttl: ['6s'], retryInterval: ['2s'], latency: '1s' };
    assert.equal((await mapSettings(safe)).cells[0].clients, 'any');
    assert.equal((await mapSettings({ ...safe, property: { is: 'acquired', allow: '60s' } })).cells[0].clients, 2);
  });

  test('marks cells whose search was cut', async () => {
    const { cells } = await mapSettings({ ...SETTINGS, ttl: ['6s'], retryInterval: ['1s'] }, { maxStates: 10 });
    assert.deepEqual([cells[0].because, cells[0].breaksAt], ['too-many-states', null]);
  });
});

describe('advice', () => {
  test('about safe settings says what is to spare', async () => {
    const { overall, sparePauseMs, isSparePauseExact, alternatives, summary, text } = await advise(shipped({ latency: '1s', faults: { pause: { length: '5s', count: 1 } } }));
    assert.deepEqual([overall, sparePauseMs, isSparePauseExact, alternatives], ['safe', 2_000, true, []]);
    assert.match(summary, /^Safe within these bounds: .* one pause ≤ 5 s, .* Without a fault, no owner gives up a lock that is still its own\. Spare pause: 2 s, with any number of clients\.$/);
    assert.match(text, /^Safe within these bounds: .*\n[^]*^Spare pause: 2 s, with any number of clients\.$/m);
    const pause = async (seconds) => (await explore(shipped({ latency: '1s', faults: { pause: { length: `${seconds}s`, count: 1 } } }))).verdict;
    assert.deepEqual([await pause(7), await pause(8)], ['safe', 'unsafe']);
  });

  test('about others names safe ones, each of which a question finds safe', async () => {
    const bounds = shipped({ latency: '1s', faults: { pause: { length: '9s', count: 1 } } });
    const { verdict, overall, reasons, sparePauseMs, alternatives } = await advise(bounds);
    assert.deepEqual([verdict, overall, sparePauseMs], ['unsafe', 'unsafe', null]);
    assert.match(reasons[0], /b believes it holds the lock$/);
    assert.ok(alternatives.some(({ ttlMs }) => ttlMs > 15_000));
    assert.ok(alternatives.some(({ retryIntervalMs }) => retryIntervalMs < 5_000));
    for (const { runner, ttlMs, retryIntervalMs } of alternatives) {
      const answer = await explore({ ...bounds, runner, ttl: `${ttlMs / 1000}s`, retryInterval: `${retryIntervalMs}ms` });
      assert.equal(answer.verdict, 'safe', `${runner}, ${ttlMs}, ${retryIntervalMs}`);
    }
  });

  test('offers no settings with which an owner loses its lock without a fault', async () => {
    const { alternatives } = await advise(shipped({ ttl: '3s', retryInterval: '5s' }));
    assert.ok(alternatives.length > 0);
    for (const { runner, ttlMs, retryIntervalMs } of alternatives) {
      const property = { is: 'false-loss' };
      const { verdict } = await explore(shipped({ runner, ttl: `${ttlMs / 1000}s`, retryInterval: `${retryIntervalMs}ms`, property }));
      assert.equal(verdict, 'safe', `${runner}, ${ttlMs}, ${retryIntervalMs}`);
    }
  });

  test('is bad if an owner can lose its lock without a fault, and says why', async () => {
    const { verdict, falseLoss, overall, reasons } = await advise({ runner: 'safe', ttl: '3s', retryInterval: '5s' });
    assert.deepEqual([verdict, falseLoss, overall], ['safe', 'unsafe', 'unsafe']);
    assert.match(reasons[0], /no longer believes/);
  });

  test('says what settings cost', async () => {
    const { handoverMaxMs, isHandoverProved, renewalsPerHour } = await advise(shipped({ ttl: '10s', retryInterval: '3s' }));
    assert.deepEqual([handoverMaxMs, isHandoverProved, renewalsPerHour], [17_000, true, 1_200]);
  });

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const error = await failureOf(advise(shipped({ latency: '1s', faults: { pause: { length: '10s', count: 1 } } }), { signal: controller.signal, onProgress }));
    assert.equal(error.name, 'AbortError');
  });
});

describe('a question that makes no sense is refused by name:', () => {
  const HOSTILE = [
    ['question', null],
    ['question', 'a question'],
    ['question.ttlSeconds', { ttlSeconds: 15 }],
    ['question.delay', { delay: '1s' }],
    ['ttl', { ttl: 15 }],
    ['ttl', { ttl: '15' }],
    ['ttl', { ttl: '0s' }],
    ['ttl', { ttl: '1500ms' }],
    ['ttl', { ttl: '1000000s' }],
    ['ttl', { ttl: 'NaNs' }],
    ['ttl', { ttl: null }],
    ['retryInterval', { retryInterval: 5 }],
    ['retryInterval', { retryInterval: 'soon' }],
    ['retryInterval', { retryInterval: '0s' }],
    ['latency', { latency: 1 }],
    ['latency', { latency: '-1s' }],
    ['latency', { latency: '1.5ms' }],
    ['latency', { latency: 10n }],
    ['latency', { latency: '2h' }],
    ['faults.pause', { faults: { pause: 5 } }],
    ['faults.pause.length', { faults: { pause: { length: 5 } } }],
    ['faults.crash', { faults: { crash: '5s' } }],
    ['faults.crash.lostCommits', { faults: { crash: { lostCommits: -1 } } }],
    ['faults.crashes', { faults: { crashes: 1 } }],
    ['faults.locketCrash.length', { faults: { locketCrash: { length: 10, count: 1 } } }],
    ['margin', { margin: 1 }],
    ['faults.lostMessage', { faults: { lostMessage: 256 } }],
    ['faults.lostMessage', { faults: { lostMessage: '1' } }],
    ['runner', { runner: 'joint' }],
    ['runner', { runner: 'cloud-controller', ttl: '20s' }],
    ['kind', { kind: 'queue' }],
    ['key', { key: 5 }],
    ['firstAttemptDeadline', { firstAttemptDeadline: 'yes' }],
    ['clock', { clock: 5 }],
    ['clock.rate', { clock: { rate: 5 } }],
    ['clock.ratePpm', { clock: { ratePpm: -1e6 } }],
    ['clients', { clients: 'two' }],
    ['clients', { clients: [] }],
    ['clients', { clients: [{}, {}, {}, {}, {}] }],
    ['clients[1].ttl', { clients: [{}, { ttl: '0s' }] }],
    ['clients[1].retryInterval', { clients: [{}, { retryInterval: 5 }] }],
    ['clients[0].latency', { clients: [{ latency: '1s' }] }],
    ['clients[0]', { clients: [, {}] }],
    ['processes', { processes: 200 }],
    ['profile', { profile: { extends: 'upstream' } }],
    ['property', { property: 'one-owner' }],
    ['property.is', { property: { is: '__proto__' } }],
    ['property.allow', { property: { is: 'acquired' } }],
    ['property.allow', { property: { is: 'acquired', allow: 1 } }],
    ['property.allow', { property: { is: 'false-loss', allow: '1s' } }],
    ['property.within', { property: { is: 'acquired', allow: '1ms', within: '1ms' } }],
    ['grid', { grid: '0s' }],
  ];
  for (const [field, question] of HOSTILE) {
    const shown = JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    test(`${field} of ${shown}`, () => assertWrongArgument(field, () => explore(question)));
  }

  test('a length of time without a unit, with what it could be', async () => {
    for (const field of ['ttl', 'retryInterval', 'latency']) {
      const { message } = await failureOf(explore({ [field]: 5 }));
      assert.equal(message, `${field}: 5 has no unit; write 5s or 5000ms`);
    }
    const { message } = await failureOf(explore({ latency: 'soon' }));
    assert.equal(message, 'latency: "soon" is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h');
  });

  test('a lease that is no whole seconds, with the rule', async () => {
    const { message } = await failureOf(explore({ ttl: '1500ms' }));
    assert.equal(message, 'ttl: expected whole seconds, at least 1');
  });

  test('options, too', async () => {
    await assertWrongArgument('maxStates', () => explore({}, { maxStates: 0 }));
    await assertWrongArgument('timeout', () => explore({}, { timeout: 1 }));
  });

  test('and advice', async () => {
    await assertWrongArgument('latency', () => advise({ latency: '2h' }));
    await assertWrongArgument('maxStates', () => advise({}, { maxStates: 0.5 }));
  });

  test('and maps', async () => {
    const map = { ttl: ['3s'], retryInterval: ['1s'] };
    await assertWrongArgument('question', () => mapSettings(undefined));
    await assertWrongArgument('axis', () => mapSettings({ ...map, axis: 'weather' }));
    await assertWrongArgument('ttl.to', () => mapSettings({ ...map, ttl: { from: '5s', to: '3s' } }));
    await assertWrongArgument('retryInterval[0]', () => mapSettings({ ...map, retryInterval: [1] }));
    await assertWrongArgument('question', () => mapSettings({ ...map, ttl: [] }));
    await assertWrongArgument('maxSteps', () => mapSettings({ ...map, maxSteps: -1 }));
    await assertWrongArgument('latency', () => mapSettings({ ...map, latency: '2h' }));
  });
});

function believers(simulation) {
  return simulation.state().nodes.filter(({ believes }) => believes).length;
}

describe('a question about a scenario', () => {
  const SCENARIO = {
    name: 'two runners',
    profile: 'upstream',
    network: { latency: { min: '0s', max: '1s' } },
    clients: ['a', 'b'].map((name) => ({ name, key: 'k', ttl: '6s', retryInterval: '2s', runner: 'upstream' })),
  };
  const SETTINGS = shipped({ ttl: '6s', retryInterval: '2s', latency: '1s' });

  test('is the one about the same settings', async () => {
    for (const more of [{ faults: { pause: { length: '1s', count: 1 } } }, { faults: { pause: { length: '5s', count: 1 } } }, { latency: '2s' }, { faults: { crash: 1 }, property: { is: 'no-client-acts', allow: '3s' } }]) {
      assert.deepEqual(await explore({ scenario: SCENARIO, ...more }), await explore({ ...SETTINGS, ...more }));
    }
  });

  test('tells with line and column what is wrong with the scenario', async () => {
    const text = JSON.stringify({ ...SCENARIO, until: 5 }, undefined, 1);
    const error = await explore({ scenario: text }).catch((it) => it);
    assert.ok(error instanceof ScenarioError);
    assert.deepEqual([error.path, error.line > 10], ['until', true]);
  });

  test('does not say again what the scenario says', async () => {
    await assert.rejects(explore({ scenario: SCENARIO, ttl: '6s' }), { name: 'LocketArgumentError', field: 'ttl' });
    await assert.rejects(explore({ scenario: SCENARIO, profile: 'upstream' }), { name: 'LocketArgumentError', field: 'profile' });
    await assert.rejects(explore({ scenario: 3 }), { name: 'LocketArgumentError', field: 'scenario' });
  });
});

test('one settings object goes to acquire, into a scenario and into a question', async () => {
  const bbs = { key: 'bbs', owner: 'bbs-0', value: 'text', kind: 'lock', ttl: '15s', retryInterval: '5s', margin: '500ms', runner: 'safe' };
  const lock = await new LocketServer().client().acquire(bbs);
  const clients = [{ name: 'a', ...bbs }];
  const run = runScenario({ name: 'one settings object', until: '1s', clients, expect: [{ at: '1s', key: 'bbs', owner: 'bbs-0' }] });
  const { verdict } = await explore(bbs);
  assert.deepEqual([lock.held, run.failures, verdict], [true, [], 'safe']);
});
