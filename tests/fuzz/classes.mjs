// How each exported class is made and used. Every method is called; those that are not named here with anything at all.

import fc from 'fast-check';
import * as main from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';
import { matchers } from 'locket-wasm/testing';

import { LOCK, PRESENCE, REQUEST, ROW, RUNNER, SCENARIO } from './good.mjs';
import { anything, near, nearText } from './values.mjs';

const { LocketServer, Simulation, VirtualClock } = main;

const FEW_STEPS = 2_000;
const callOptions = near({ timeout: '1s', headers: { a: 'b' }, requestId: 'r' });
/** No age: an interval would tick all through it. */
const soon = anything.filter((value) => typeof value !== 'number' || !(value > 1_000_000));
const number = fc.oneof(soon, fc.nat(100_000));
const length = fc.oneof(soon, fc.constantFrom('1s', '1.5s', '2m', '0s'), fc.nat(100_000));
const act = near({ do: 'pause', node: 'a', for: '5s' });
const fetchInit = near({ method: 'POST', headers: { 'content-type': 'application/grpc-web' }, body: REQUEST.body });

/** The members of clocks that stand in for the platform's. */
const TIMERS = {
  setImmediate: [fc.constant(() => {})],
  setInterval: [fc.constant(() => {}), length],
  setTimeout: [fc.constant(() => {}), length],
  sleep: [length, near({ signal: AbortSignal.timeout(1_000) })],
};

/** A server of two processes, some of whose keys are held. */
function server() {
  const made = new LocketServer({ profile: 'upstream', processes: 2 });
  made.client().lock(LOCK);
  return made;
}

/**
 * By name: how one is made, the arguments of its constructor and methods, which methods may wait for somebody else, and
 * which errors are the platform's for what it was given.
 */
export const CLASSES = {
  GrpcChannel: {
    make: () => new GrpcChannel({ url: 'http://127.0.0.1:1' }),
    args: [near({ url: ['http://127.0.0.1:1', 'http://[::1]'], keepalive: { time: '10s', timeout: '1ms' }, connectTimeout: '5ms', maxBackoff: '5ms', waitForReady: true })],
    methods: {},
  },
  GrpcWebChannel: {
    make: () => new GrpcWebChannel({ url: 'http://127.0.0.1:1' }),
    args: [near({ url: 'https://127.0.0.1:1/path', tls: { rejectUnauthorized: false, serverName: 'locket.test' } })],
    methods: {},
  },
  LocketClient: {
    make: () => server().client(),
    args: [near({ baseUrl: 'http://locket.test', timeout: '5ms', headers: {}, interceptors: [(next) => next], credentials: 'omit', clock: 'real' })],
    methods: {
      acquire: [near(RUNNER), near({ onEvent: () => {}, maxWait: '5s' })],
      elect: [near(RUNNER), near({ onLead: () => {}, onLose: () => {}, onLeader: () => {}, onEvent: () => {} })],
      fetch: [fc.oneof(anything, fc.constant('k')), callOptions],
      fetchAll: [fc.oneof(near({ kind: 'lock' }), near({ typeCode: 1, type: 'lock' })), callOptions],
      lock: [fc.oneof(near(LOCK), near({ ...LOCK, typeCode: 1, type: 'lock' })), callOptions],
      lockRunner: [near(RUNNER), near({ afterLoss: 'exit' })],
      presence: [near(PRESENCE)],
      release: [near({ key: 'k', owner: 'o' }), callOptions],
      watch: [near({ kind: 'lock', key: 'k', interval: '5s' })],
      withLock: [near({ ...RUNNER, key: 'free' }), near({ maxWait: '5s' }), fc.oneof(anything, fc.constant(() => 42))],
      // On a machine of its own.
      pause: [length],
      suspend: [length],
    },
    // Another owner has the key, and keeps it while the clock stands still; and what is asked of a paused client waits.
    pending: ['acquire', 'fetch', 'fetchAll', 'lock', 'release', 'withLock'],
  },
  LocketServer: {
    make: server,
    args: [near({ profile: { extends: 'upstream', expiry: 'exact', database: 'mysql' }, seed: 7, processes: 2, latency: '5ms' })],
    methods: {
      client: [near({ name: 'a', process: 1, timeout: '5ms', maxMessageBytes: 100 })],
      close: [near({ quietly: true })],
      fetch: [fc.oneof(anything, fc.constant('http://locket.test/models.Locket/Fetch')), fetchInit],
      handle: [near(REQUEST), near({ process: 1 })],
      loseReplies: [number],
      loseInsertRace: [fc.oneof(anything, fc.constant('b'))],
      putRow: [near(ROW)],
      setLatency: [length],
      stallDatabase: [length],
      updateRows: [near({ owner: 'x', ttl: 5 })],
    },
    // An answer that has latency, or waits for the database, waits for the clock.
    pending: ['fetch', 'handle'],
    isAllowed: (method, error) => method === 'fetch' && (error instanceof TypeError || error instanceof DOMException || !(error instanceof Error)),
  },
  Simulation: {
    make: () => new Simulation(SCENARIO, { maxSteps: FEW_STEPS }),
    args: [fc.oneof(near(SCENARIO), nearText(SCENARIO)), near({ maxSteps: FEW_STEPS })],
    statics: { fromLink: [fc.oneof(anything, fc.base64String().map((text) => `l1.${text}`)), near({ stories: { x: '{}' }, maxSteps: FEW_STEPS })] },
    methods: {
      act: [act],
      export: [fc.oneof(anything, fc.constantFrom('json-lines', 'junit', 'mermaid', 'rust-test', 'typescript-test'))],
      link: [near({ stories: { x: JSON.stringify(SCENARIO) } })],
      restore: [near({ branch: 0, timeMs: 1_000, count: 0 })],
      runUntil: [length],
      seek: [near({ timeMs: 5_000 })],
      trace: [number],
    },
  },
  VirtualClock: {
    make: () => new VirtualClock(),
    args: [near({ now: 5 })],
    methods: {
      advance: [length],
      advanceAsync: [length],
      advanceTo: [number],
      advanceToAsync: [number],
      onInstant: [fc.constant(() => {})],
      runUntil: [fc.constant(() => true), near({ within: '1s' })],
      runUntilAsync: [fc.constant(() => true), near({ within: '1s' })],
      ...TIMERS,
    },
    pending: ['sleep'],
  },
  // Objects of functions are used as classes are.
  matchers: { make: () => matchers, methods: Object.fromEntries(Object.keys(matchers).map((name) => [name, [fc.oneof(anything, fc.constant(server())), anything, anything]])) },
  AmbientClock: { make: () => new LocketServer({ clock: 'ambient' }).clock, methods: { setTimeout: [fc.constant(() => {}), length] } },
  ClockTimer: { make: () => new VirtualClock().setTimeout(() => {}, 5) },
  Election: {
    make: () => server().client().elect({ ...RUNNER, key: 'free' }, { onLead: () => {} }),
    methods: { resign: [near({ for: '5s' })] },
    // Nobody moves the clock.
    pending: ['ended', 'resign', 'stop'],
  },
  MachineClock: { make: () => server().client().clock, methods: TIMERS, pending: ['sleep'] },
  Runner: { make: () => server().client().lockRunner(RUNNER), pending: ['exited', 'stop'], isAllowed: (method) => /EventListener$/.test(method) },
  Lock: { make: () => server().client().acquire({ ...RUNNER, key: 'free' }), pending: ['exited', 'release'] },
};

/** Errors and tables, which take what the package itself gives them. */
export const PLAIN = ['Code', 'LocketArgumentError', 'LocketError', 'LockLostError', 'LockTimeoutError', 'ModuleError', 'ScenarioError', 'StepLimitError', 'stories'];
