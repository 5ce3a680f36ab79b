// Arguments of every wrong kind: each gets an error that names the field, and the instance goes on working.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { duration, durationMs, LocketClient, LocketServer, runScenario, Simulation, VirtualClock } from 'locket-wasm';
import { advise, safetyMargin, explore, mapRows, merge, checkMonitors, mapSettings, minimize, survive, sweepSeeds } from 'locket-wasm/check';
import { assertHoldsLock, assertHoldsPresence, assertRefused, matchers, withLocket } from 'locket-wasm/testing';
import { GrpcChannel } from 'locket-wasm/grpc';
import { serve } from 'locket-wasm/serve';

import { assertWrongArgument, failureOf, lockOf, start } from '../support/helpers.mjs';

const SCENARIO = { name: 'x', until: '10s', random: true, clients: [{ name: 'a', key: 'k', retryInterval: '5s' }, { name: 'b', key: 'k', retryInterval: '5s' }] };
const QUESTION = { ttl: '3s', retryInterval: '1s' };
const MAP = { axis: 'pause', cells: [], bounds: '', text: 'head\n' };
const CIRCULAR = { name: 'circular' };
CIRCULAR.self = CIRCULAR;
/** Work that can be waited for, with options. */
const LONG = [
  (options) => advise(QUESTION, options),
  (options) => safetyMargin(SCENARIO, options),
  (options) => survive({ ...QUESTION, faults: { pause: '1s' } }, options),
  (options) => explore(QUESTION, options),
  (options) => mapSettings({ ttl: ['3s'], retryInterval: ['1s'] }, options),
  (options) => minimize(SCENARIO, options),
  (options) => sweepSeeds(SCENARIO, { seeds: 1, ...options }),
];
const request = (change) => ({ method: 'POST', path: '/models.Locket/Fetch', headers: [], body: new Uint8Array(), ...change });

/** By field: calls that get it wrong. */
const WRONG = {
  'the client': {
    request: [(c) => c.lock(), (c) => c.lock(null), (c) => c.lock('bbs'), (c) => c.lock([]), (c) => c.release(7), (c) => c.fetchAll(undefined)],
    'request.ttl': [(c) => c.release({ key: 'k', owner: 'o', ttl: '15s' })],
    'request.ttlSeconds': [(c) => c.lock({ key: 'k', owner: 'o', ttlSeconds: 15 })],
    key: [(c) => c.lock(lockOf(undefined, 'o')), (c) => c.lock(lockOf(7, 'o')), (c) => c.fetch(), (c) => c.fetch({ key: 'k' }), (c) => c.release({ owner: 'o' }), (c) => c.watch({ key: 5 })],
    owner: [(c) => c.lock(lockOf('k', null)), (c) => c.lock(lockOf('k', {})), (c) => c.release({ key: 'k' })],
    value: [(c) => c.lock(lockOf('k', 'o', { value: 1 })), (c) => c.lock(lockOf('k', 'o', { value: null }))],
    type: [(c) => c.lock(lockOf('k', 'o', { type: 1 })), (c) => c.fetchAll({ type: true })],
    kind: [
      (c) => c.lock(lockOf('k', 'o', { kind: 'unknown' })),
      (c) => c.lock(lockOf('k', 'o', { kind: 1 })),
      (c) => c.lock(lockOf('k', 'o', { kind: 'lock', typeCode: 1 })),
      (c) => c.lock(lockOf('k', 'o', { kind: 'lock', type: 'lock' })),
      (c) => c.fetchAll({ kind: 'locks' }),
      (c) => c.fetchAll({ kind: 'lock', typeCode: 1 }),
      (c) => c.watch({ kind: 'both' }),
    ],
    typeCode: [(c) => c.lock(lockOf('k', 'o', { typeCode: 'lock' })), (c) => c.lock(lockOf('k', 'o', { typeCode: 2 ** 31 })), (c) => c.fetchAll({ typeCode: 1.5 })],
    ttl: [15, '15', '1.5s', '1500ms', '', 'soon', `${NaN}s`, `${Infinity}s`, `${2 ** 53}s`, '9223372037s', 15n, {}, null, undefined].map(
      (ttl) => (c) => c.lock(lockOf('k', 'o', { ttl })),
    ),
    options: [(c) => c.fetch('k', null), (c) => c.fetch('k', 'soon')],
    timeout: [100, '100', '-1ms', '-0s', '0.5ms', 'soon', {}, null].map((timeout) => (c) => c.fetch('k', { timeout })),
    signal: [(c) => c.fetch('k', { signal: {} }), (c) => c.fetch('k', { signal: new AbortController() }), (c) => c.watch({ signal: {} })],
    requestId: [(c) => c.fetch('k', { requestId: 7 })],
    'headers.grpc-timeout': [(c) => c.fetch('k', { headers: [['Grpc-Timeout', '1S']] })],
    onHeader: [(c) => c.fetch('k', { onHeader: 'x' })],
    onTrailer: [(c) => c.fetch('k', { onTrailer: null })],
    interval: [(c) => c.watch({ interval: 5 }), (c) => c.watch({ interval: '0s' })],
    whatever: [(c) => c.fetch('k', { whatever: 1 }), (c) => c.watch({ whatever: 1 })],
  },
  'a new server': {
    options: [() => new LocketServer(null), () => new LocketServer('upstream'), () => new LocketServer([])],
    profil: [() => new LocketServer({ profil: 'upstream' })],
    profile: [() => new LocketServer({ profile: 'newest' }), () => new LocketServer({ profile: 7 }), () => new LocketServer({ profile: [] })],
    'profile.releaseMissin': [() => new LocketServer({ profile: { releaseMissin: 'ok' } })],
    'profile.releaseMissing': [() => new LocketServer({ profile: { releaseMissing: 'maybe' } }), () => new LocketServer({ profile: { releaseMissing: 7 } })],
    'profile.keyRequired': [() => new LocketServer({ profile: { keyRequired: 'yes' } })],
    'profile.extends': [() => new LocketServer({ profile: { extends: 'newest' } })],
    'profile.database': [() => new LocketServer({ profile: { database: 'oracle' } })],
    seed: [() => new LocketServer({ seed: -1 }), () => new LocketServer({ seed: 0.5 }), () => new LocketServer({ seed: '1' })],
    processes: [() => new LocketServer({ processes: 0 }), () => new LocketServer({ processes: 17 }), () => new LocketServer({ processes: null })],
    latency: [-1, 250, '250', '-1s', 'soon', null].map((latency) => () => new LocketServer({ latency })),
    clock: [() => new LocketServer({ clock: 'real' }), () => new LocketServer({ clock: { now: 0, setTimeout() {}, clearTimeout() {}, advance() {} } }), () => new LocketServer({ clock: { now: 0 } }), () => new LocketServer({ clock: Date })],
  },
  'a server': {
    options: [(_, s) => s.client('a', 7)],
    name: [(_, s) => s.client(7)],
    proces: [(_, s) => s.client(undefined, { proces: 0 })],
    process: [(_, s) => s.client(undefined, { process: 1 }), (_, s) => s.stop(-1), (_, s) => s.start('0'), (_, s) => s.restart(0.5)],
    latency: [(_, s) => s.setLatency(), (_, s) => s.setLatency('soon'), (_, s) => s.setLatency(5)],
    path: [(_, s) => s.deleteRow(), (_, s) => s.deleteRow(7)],
    row: [(_, s) => s.putRow(), (_, s) => s.putRow('bbs'), (_, s) => s.putRow({}), (_, s) => s.putRow({ path: 'k'.repeat(256) }), (_, s) => s.putRow({ path: '\0' })],
    'row.path': [(_, s) => s.putRow({ path: 7 }), (_, s) => s.putRow({ path: null })],
    'row.ttl': [(_, s) => s.putRow({ path: 'k', ttl: '15s' }), (_, s) => s.putRow({ path: 'k', ttl: 1.5 }), (_, s) => s.putRow({ path: 'k', ttl: 2n ** 63n })],
    'row.colour': [(_, s) => s.putRow({ path: 'k', colour: 'red' })],
    columns: [(_, s) => s.updateRows(), (_, s) => s.updateRows([])],
    owner: [(_, s) => s.loseInsertRace(), (_, s) => s.loseInsertRace({ owner: 'o' }), (_, s) => s.loseInsertRace('')],
    duration: [(_, s) => s.stallDatabase('soon')],
    count: [(_, s) => s.loseReplies(-1), (_, s) => s.loseReplies(2 ** 32)],
    'columns.path': [(_, s) => s.updateRows({ path: 'k' })],
    'columns.owner': [(_, s) => s.updateRows({ owner: 7 })],
  },
  'a new client': {
    options: [() => new LocketClient(), () => new LocketClient('http://locket.test')],
    baseUrl: [{}, ...[7, 'locket', 'ftp://locket.test', 'http://a:b@locket.test', 'http://locket.test/?a'].map((baseUrl) => ({ baseUrl }))].map((options) => () => new LocketClient(options)),
    baseURL: [() => new LocketClient({ baseUrl: 'http://locket.test', baseURL: 'http://locket.test' })],
    credentials: [() => new LocketClient({ baseUrl: 'http://locket.test', credentials: 'yes' })],
    clock: [() => new LocketClient({ baseUrl: 'http://locket.test', clock: 'virtual' })],
    timeout: [5, '5', '-1ms', '0.5ms', 'soon', null].flatMap((timeout) => [(_, s) => s.client(undefined, { timeout }), () => new LocketClient({ baseUrl: 'http://locket.test', timeout })]),
    timeoutMs: [(_, s) => s.client(undefined, { timeoutMs: 5 }), () => new LocketClient({ baseUrl: 'http://locket.test', timeoutMs: 5 })],
    maxMessageBytes: [(_, s) => s.client(undefined, { maxMessageBytes: 0 }), () => new LocketClient({ baseUrl: 'http://locket.test', maxMessageBytes: '4MiB' })],
    interceptors: [(_, s) => s.client(undefined, { interceptors: {} })],
    'interceptors[0]': [(_, s) => s.client(undefined, { interceptors: [7] }), (_, s) => s.client(undefined, { interceptors: [undefined] })],
    headers: [(_, s) => s.client(undefined, { headers: 7 }), (c) => c.fetch('k', { headers: { 'not a name': 'x' } })],
    'headers.uuid': [(_, s) => s.client(undefined, { headers: { uuid: 'mine' } })],
    fetch: [() => new LocketClient({ baseUrl: 'http://locket.test', fetch: 'mine' })],
  },
  'a clock': {
    options: [() => new VirtualClock(7)],
    noww: [() => new VirtualClock({ noww: 0 })],
    now: [() => new VirtualClock({ now: -1 }), () => new VirtualClock({ now: 0.5 }), () => new VirtualClock({ now: new Date() })],
    duration: [(_, s) => s.clock.advance(), (_, s) => s.clock.advance(-1), (_, s) => s.clock.advance('soon'), (_, s) => s.clock.sleep(NaN), (_, s) => s.clock.advance(15), (_, s) => s.clock.advanceAsync({})],
    time: [(_, s) => s.clock.advanceTo(), (_, s) => s.clock.advanceTo(-1), (_, s) => s.clock.advanceTo('15s'), (_, s) => s.clock.advanceToAsync(Infinity)],
    delay: [(_, s) => s.clock.setTimeout(() => {}, NaN), () => new LocketServer({ clock: 'ambient' }).clock.setTimeout(() => {}, 'soon')],
    interval: [(_, s) => s.clock.setInterval(() => {}, Infinity), (_, s) => s.clock.setInterval(() => {}, 'soon')],
    callback: [(_, s) => s.clock.setTimeout(), (_, s) => s.clock.setInterval('tick', 5), () => new LocketServer({ clock: 'ambient' }).clock.setTimeout('tick', 5)],
    done: [(_, s) => s.clock.runUntil(), (_, s) => s.clock.runUntilAsync(true)],
    within: [(_, s) => s.clock.runUntil(() => true, { within: -1 })],
    limit: [(_, s) => s.clock.runUntil(() => true, { limit: 1 })],
  },
  'a server on a network': {
    request: [(_, s) => s.handle(), (_, s) => s.handle(7)],
    'request.method': [(_, s) => s.handle(request({ method: 1 })), (_, s) => s.handle(request({ method: undefined }))],
    'request.path': [(_, s) => s.handle(request({ path: 1 })), (_, s) => s.handle(request({ path: null }))],
    'request.headers': [(_, s) => s.handle(request({ headers: { accept: '*' } })), (_, s) => s.handle(request({ headers: undefined }))],
    'request.headers[0]': [(_, s) => s.handle(request({ headers: [7, 'x'] })), (_, s) => s.handle(request({ headers: [null] }))],
    'request.body': ['text', null, [], new DataView(new ArrayBuffer(1)), new Float64Array(1)].map((body) => (_, s) => s.handle(request({ body }))),
    'request.url': [(_, s) => s.handle(request({ url: '/' }))],
  },
  'long work': {
    signal: LONG.flatMap((start) => [{}, new AbortController(), true, null].map((signal) => () => start({ signal }))),
    onProgress: LONG.flatMap((start) => [{}, 'tell', true, null].map((onProgress) => () => start({ onProgress }))),
    options: LONG.slice(0, -1).flatMap((start) => [() => start(null), () => start(7)]),
  },
  'a search': {
    options: [() => explore(QUESTION, 7)],
    maxStates: [() => explore(QUESTION, { maxStates: 0 }), () => explore(QUESTION, { maxStates: '9' })],
    question: [() => explore(), () => explore('safe?')],
    runner: ['bbs@2.102.0', 'diego-bbs@', 7].map((runner) => () => explore({ runner })),
  },
  'maps of settings': {
    results: [() => merge(), () => merge(null), () => merge(MAP), () => merge([])],
    'results[0]': [() => merge([{ ...MAP, text: 7 }]), () => merge([{ ...MAP, cells: [null] }])],
    'results[0].axis': [() => merge([{ ...MAP, axis: 7 }])],
    'results[1]': [() => merge([MAP, undefined]), () => merge([MAP, { axis: 'pause' }])],
    'results[1].axis': [() => merge([MAP, { ...MAP, axis: 'latency' }])],
    question: [() => mapRows(), () => mapRows(7)],
    ttl: [() => mapRows({ ttl: '7' }), () => mapRows({ ttl: 7 }), () => mapRows({ ttl: null })],
    'ttl.from': [() => mapRows({ ttl: { from: '1.5s', to: '3s' } }), () => mapRows({ ttl: { from: 3, to: '5s' } })],
  },
  'sweeps and minimizing': {
    'results[0]': [() => merge([null]), () => merge([7]), () => merge([{}])],
    shard: ['0/2', '3/2', '1/0', 'all', '1/99999'].map((shard) => () => sweepSeeds(SCENARIO, { seeds: 1, shard })),
    seeds: [() => sweepSeeds(SCENARIO, {}), () => sweepSeeds(SCENARIO, { seeds: 0 })],
    monitors: [() => sweepSeeds(SCENARIO, { seeds: 1, monitors: {} }), () => checkMonitors(SCENARIO), () => checkMonitors(SCENARIO, 7)],
    'monitors.a': [() => checkMonitors(SCENARIO, { a: 7 }), () => checkMonitors(SCENARIO, { a: () => 7 })],
    maxRuns: [() => minimize(SCENARIO, { maxRuns: 0 })],
  },
  'a simulation': {
    scenario: [() => new Simulation(), () => new Simulation(7)],
    link: [() => Simulation.fromLink(), () => Simulation.fromLink('nothing')],
    stories: [() => Simulation.fromLink('l1.x', { stories: 7 }), () => new Simulation(SCENARIO).link({ stories: { a: 7 } })],
    to: [() => new Simulation(SCENARIO).seek(), () => new Simulation(SCENARIO).seek({})],
    place: [() => new Simulation(SCENARIO).restore()],
    branch: [() => new Simulation(SCENARIO).switchTo(), () => new Simulation(SCENARIO).switchTo(7)],
    until: [() => new Simulation(SCENARIO).runUntil()],
  },
  'helpers for tests': {
    server: [() => assertHoldsLock(), () => assertHoldsPresence({}, 'k'), () => matchers.toHoldLock(null, 'k')],
    key: [(_, s) => assertHoldsLock(s), (_, s) => assertHoldsLock(s, Symbol('k')), (_, s) => matchers.toHoldPresence(s, {})],
    owner: [(_, s) => assertHoldsLock(s, 'k', 7), (_, s) => matchers.toHoldLock(s, 'k', null)],
    call: [() => assertRefused(), () => assertRefused(null), () => assertRefused(() => {}), () => assertRefused(7, 'lock-collision')],
    reason: [() => assertRefused(Promise.reject(new Error('x')), 7), () => matchers.toBeRefused(new Error('x'), {})],
    body: [() => withLocket(), () => withLocket({}), () => withLocket({}, 'test')],
    options: [() => withLocket(null, () => {}), () => withLocket(7, () => {}), () => withLocket(({ client }) => void client('a', null))()],
    clock: [() => withLocket({ clock: 'real' }, () => {}), () => withLocket({ clock: 7 }, () => {})],
    interceptors: [() => withLocket(({ client }) => void client('a', { interceptors: 7 }))()],
  },
  'runScenario': {
    trace: [() => runScenario(SCENARIO, { trace: 'yes' })],
    scenario: [() => runScenario(), () => runScenario(7), () => runScenario(null), () => runScenario(CIRCULAR), () => runScenario({ name: 1n }), () => runScenario({ toJSON: () => {} })],
  },
};

for (const [whose, fields] of Object.entries(WRONG)) {
  describe(`wrong arguments of ${whose}`, () => {
    for (const [field, calls] of Object.entries(fields)) {
      test(`${field} is named, and everything goes on`, async () => {
        const { server, client } = start();
        for (const call of calls) await assertWrongArgument(field, () => call(client, server));
        await assertWorks(server, client);
      });
    }
  });
}

describe('a length of time', () => {
  const LOCK = { key: 'k', owner: 'o', ttl: '15s' };
  const scenario = { name: 'x', clients: [{ name: 'a', key: 'k', retryInterval: '1s' }, { name: 'b', key: 'k', retryInterval: '1s' }], until: '3s' };
  const BARE = {
    'runScenario, of a client': () => runScenario({ ...scenario, clients: [{ name: 'a', key: 'k', retryInterval: 5 }] }),
    'runScenario, of an action': () => runScenario({ ...scenario, actions: [{ at: 5, do: 'crash', node: 'a' }] }),
    'runScenario, of a latency': () => runScenario({ ...scenario, network: { latency: 5 } }),
    'runScenario, of a range': () => runScenario({ ...scenario, network: { latency: { max: 5 } } }),
    'runScenario, as a text': () => runScenario({ ...scenario, until: '5' }),
    explore: () => explore({ latency: 5 }),
    'explore, of a client': () => explore({ clients: [{ margin: 5 }, {}] }),
    'explore, of a property': () => explore({ property: { is: 'no-client-acts', allow: 5 } }),
    'explore, as a text': () => explore({ faults: { pause: '5' } }),
    advise: () => advise({ faults: { pause: { length: 5 } } }),
    survive: () => survive({ latency: 5, faults: { pause: '1s' } }),
    mapSettings: () => mapSettings({ ttl: ['3s'], retryInterval: ['1s'], latency: 5 }),
    mapRows: () => mapRows({ ttl: ['3s'], retryInterval: ['1s'], grid: 5 }),
    safetyMargin: () => safetyMargin(scenario, { maxPause: 5 }),
    'simulation.act': () => new Simulation(scenario).act({ do: 'pause', node: 'a', for: 5 }),
    'simulation.seek': () => new Simulation(scenario).seek({ time: 5 }),
    'simulation.runUntil': () => new Simulation(scenario).runUntil(5),
    'Simulation.fromLink': () => Simulation.fromLink(linkOf('{"at":5,"count":0,"digest":"0"}', scenario)),
    'client.lock': () => start().client.lock({ ...LOCK, ttl: 5 }),
    'client.fetch': () => start().client.fetch('k', { timeout: 5 }),
    'client.watch': () => start().client.watch({ interval: 5 }),
    'client.acquire, of a wait': () => start().client.acquire(LOCK, { maxWait: 5 }),
    'client.elect': () => start().client.elect({ ...LOCK, retryInterval: 5 }, { onLead: () => {} }),
    'client.pause': () => start().client.pause(5),
    'client.suspend': () => start().client.suspend(5),
    'new LocketClient': () => new LocketClient({ baseUrl: 'http://locket.test', timeout: 5 }),
    'new LocketServer': () => new LocketServer({ latency: 5 }),
    'new GrpcChannel': () => new GrpcChannel({ url: 'https://locket.test:8891', connectTimeout: 5 }),
    'new GrpcChannel, of keepalive': () => new GrpcChannel({ url: 'https://locket.test:8891', keepalive: { time: 5 } }),
    'server.setLatency': () => start().server.setLatency(5),
    'server.stallDatabase': () => start().server.stallDatabase(5),
    serve: () => serve({ closeTimeout: 5 }),
    withLocket: () => withLocket({ watchdog: 5 }, () => {}),
    duration: () => duration(5),
    'clock.advance': () => start().clock.advance(5),
    'clock.advanceAsync': () => start().clock.advanceAsync(5),
    'clock.sleep': () => start().clock.sleep(5),
    'clock.runUntil': () => start().clock.runUntil(() => true, { within: 5 }),
    'clock.runUntilAsync': () => start().clock.runUntilAsync(() => true, { within: 5 }),
    durationMs: () => durationMs(5),
  };
  for (const [name, call] of Object.entries(BARE)) {
    test(`that is a bare number is refused with the ways to write it: ${name}`, async () => {
      const { message } = await failureOf((async () => call())());
      assert.match(message, /\b5 has no unit; write 5s or 5000ms$/);
    });
  }

  const IN_MS = {
    timeoutMs: () => start().server.client(undefined, { interceptors: [(next) => (call) => next({ ...call, timeoutMs: '5s' })] }).fetch('k'),
    'to.timeMs': () => new Simulation(scenario).seek({ timeMs: '5s' }),
  };
  for (const [field, call] of Object.entries(IN_MS)) {
    test(`that is no setting is a number of milliseconds alone: ${field}`, async () => {
      const { message } = await failureOf((async () => call())());
      assert.equal(message, `${field}: expected a number of milliseconds, such as 5000, not a string`);
    });
  }

  test('that is mistyped is asked for', async () => {
    const { client } = start();
    const TYPOS = [
      ['tll', 'ttl', () => client.lock({ key: 'k', owner: 'o', tll: '5s' })],
      ['ket', 'key', () => client.release({ ket: 'k', owner: 'o' })],
      ['retry_interval', 'retryInterval', () => client.acquire({ ...LOCK, retry_interval: '5s' })],
      ['maxwait', 'maxWait', () => client.acquire(LOCK, { maxwait: '5s' })],
      ['onLost', 'onLose', () => client.elect(LOCK, { onLead: () => {}, onLost: () => {} })],
      ['latancy', 'latency', () => new LocketServer({ latancy: '5s' })],
    ];
    for (const [typo, field, call] of TYPOS) {
      const { message } = await failureOf((async () => call())());
      assert.match(message, new RegExp(`${typo}: unknown; did you mean ${field}\\?$`));
    }
    const { message } = await failureOf(client.lock({ key: 'k', owner: 'o', ttl: '5s', zone: 'z1' }));
    assert.match(message, /^request\.zone: unknown; the fields are key, owner, value, kind, typeCode, type, ttl$/);
  });

  test('of a long list has the first of it, unless one is meant', async () => {
    const unknown = (name) => failureOf((async () => runScenario({ ...SCENARIO, [name]: 1 }))());
    assert.match((await unknown('acions')).message, /acions: unknown field `acions`; did you mean actions\?$/);
    assert.match((await unknown('zzz')).message, /zzz: unknown field `zzz`; there are (\$?\w+, ){11}\w+ and 3 more$/);
  });

  test('of another kind is named with its article', async () => {
    assert.equal((await failureOf(start().client.fetch({}))).message, 'key: expected a string, not an object');
    assert.equal((await failureOf(start().client.fetch([]))).message, 'key: expected a string, not an array');
    assert.match((await failureOf(start().client.lock(lockOf('k', 'o', { kind: 'presense' })))).message, /^kind: expected 'lock' or 'presence'/);
    assert.match((await failureOf(start().client.lock(lockOf('k', 'o', { kind: 'lock', typeCode: 1 })))).message, /^kind: .*either kind or type and typeCode/);
  });

  test('that is a TTL is whole seconds', async () => {
    const { client } = start();
    for (const [ttl, problem] of [['1.5s', 'expected whole seconds, not 1.5s'], ['9223372037s', 'expected at most 9223372036s, not 9223372037s; Locket counts TTLs in nanoseconds, so a longer one expires at once']]) {
      assert.equal((await failureOf(client.lock({ ...LOCK, ttl }))).message, `ttl: ${problem}`);
    }
    for (const ttl of ['1500ms', '0s']) {
      assert.equal((await failureOf(client.acquire({ ...LOCK, ttl }))).message, `ttl: expected whole seconds, at least 1s, not ${ttl}`);
    }
    for (const ttl of ['15000ms', '9223372036s']) await client.lock({ ...LOCK, ttl });
  });
});

describe('a promise for an answer that counts', () => {
  const sim = () => new Simulation(SCENARIO);
  const PROMISES = {
    'clock.runUntil': ['done', () => start().clock.runUntil(async () => false)],
    'clock.runUntilAsync': ['done', () => start().clock.runUntilAsync(async () => false)],
    'simulation.runUntil': ['until', () => sim().runUntil(async () => false)],
    'never of a property': ['property.never', () => explore({ ...QUESTION, property: { is: 'own', never: async () => false } })],
    'a monitor': ['monitors.a', () => checkMonitors(SCENARIO, { a: async () => false })],
    'the monitors of a sweep': ['monitors', () => sweepSeeds(SCENARIO, { seeds: 1, monitors: async () => ({ a: () => false }) })],
    'the table of a server': ['server', () => assertHoldsLock({ table: async () => [] }, 'k')],
  };
  for (const [what, [field, call]] of Object.entries(PROMISES)) {
    test(`is refused: ${what}`, async () => {
      await assertWrongArgument(field, call);
      assert.match((await failureOf((async () => call())())).message, /, not a promise$/);
    });
  }
});

async function assertWorks(server, client) {
  server.putRow({ path: 'canary', owner: 'before', type: 'lock', ttl: 1, modified_id: 'x' });
  server.deleteRow('canary');
  await client.lock(lockOf('canary', 'me', { value: 'still here' }));
  assert.equal((await client.fetch('canary')).value, 'still here');
  assert.ok((await client.fetchAll({ kind: 'lock' })).some(({ key }) => key === 'canary'));
  server.clock.advance('15s');
  assert.ok(!server.table().some(({ path }) => path === 'canary'));
}

/** A link as the rules have it. */
function linkOf(header, scenario) {
  return `l1.${Buffer.from(`${header}\n${JSON.stringify(scenario)}`).toString('base64url')}`;
}
