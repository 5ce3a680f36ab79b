// Values of every kind, and values that are nearly right.

import fc from 'fast-check';
import { LocketServer, VirtualClock } from 'locket-wasm';

const ATOMS = [
  undefined, null, true, false, 0, -0, 1, 2, 15, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53,
  Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MAX_VALUE, 5n, 2n ** 70n, Symbol('s'), '', 'k', 'o', 'lock', '0s', '15s', '1.5m',
  '99999999999999999999h', '0.1ms', '5', 'é', '🔒', '\ud800', '\0', '__proto__', 'constructor', 'upstream', 'documented', 'safe', 'junit',
  'v'.repeat(300), 'v'.repeat(5_000), '{', '{"name": "x"}', 'http://locket.test/', 'l1.e30', new Date(0), new Map([['key', 'k']]), new Set(), /x/,
  new Error('x'), () => {}, async () => {}, () => () => {}, Promise.resolve(), { then: 7 }, new Uint8Array([0, 0, 0, 0, 3, 10, 1, 107]),
  new Uint8Array([255, 0]), new ArrayBuffer(8), new Float64Array(1), Object.create(null), Object.freeze({}), circular(), AbortSignal.abort(),
  new AbortController().signal, new VirtualClock(), new LocketServer({ clock: 'ambient' }).clock, new Proxy({}, {}), new Headers({ a: 'b' }), new URL('http://locket.test'),
];

const NAMES = [
  'key', 'owner', 'value', 'kind', 'type', 'typeCode', 'ttl', 'retryInterval', 'margin', 'runner', 'signal', 'timeout', 'afterLoss',
  'requestId', 'profile', 'seed', 'clock', 'ratePpm', 'processes', 'latency', 'databaseLatency', 'transactionTime', 'faults', 'lostMessage', 'count', 'allow', 'process', 'path', 'modified_id', 'modified_index', 'now', 'within', 'name',
  'clients', 'actions', 'at', 'do', 'client', 'extends', 'expiry', 'method', 'body', 'headers', 'trailers', 'is', 'property', 'scenario', 'maxSteps',
  'maxStates', 'onProgress', 'length', 'toString', 'toJSON', 'then', '__proto__', 'constructor',
];

/** Anything that a caller in JavaScript may pass. */
export const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: fc.constantFrom(...ATOMS), weight: 6 },
    { arbitrary: fc.integer(), weight: 1 },
    { arbitrary: fc.double(), weight: 1 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 12 }), weight: 1 },
    { arbitrary: fc.array(tie('value'), { maxLength: 4 }), weight: 1 },
    { arbitrary: fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 4 }).map((members) => settling(Object.fromEntries(members))), weight: 2 },
  ),
})).value;

/** A good value with up to three changes: a member is another, is gone, or is one more. */
export function near(good) {
  const change = fc.oneof(
    { arbitrary: anything.map((value) => ({ value })), weight: 4 },
    { arbitrary: fc.constant({ isGone: true }), weight: 1 },
    { arbitrary: fc.tuple(fc.constantFrom(...NAMES), anything).map(([name, value]) => ({ name, value })), weight: 1 },
  );
  const changes = fc.array(fc.tuple(fc.nat(), change), { maxLength: 3 });
  return fc.oneof(
    { arbitrary: changes.map((list) => list.reduce((value, [at, how]) => changed(value, at, how), good)), weight: 9 },
    { arbitrary: anything, weight: 1 },
  );
}

/** The text of a value that is nearly right; a few are cut or have something more in them. */
export function nearText(good) {
  const value = fc.jsonValue({ maxDepth: 2 });
  const text = near(good).map((changed) => safely(() => JSON.stringify(changed), '{}') ?? 'null');
  const slip = fc.tuple(fc.nat(), fc.oneof(fc.constant(''), fc.string({ maxLength: 4 }), value.map((it) => JSON.stringify(it))));
  return fc.tuple(text, fc.option(slip, { freq: 5 })).map(([whole, slip]) => {
    if (slip === null) return whole;
    const at = slip[0] % (whole.length + 1);
    return slip[1] === '' ? whole.slice(0, at) : whole.slice(0, at) + slip[1] + whole.slice(at);
  });
}

/** A copy with one change, at the member that the number leads to. */
function changed(value, at, change) {
  if (!isPlain(value)) return 'value' in change ? change.value : value;
  const names = Object.keys(value);
  const name = names[at % (names.length + 1)];
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (name === undefined && change.name !== undefined) return withMember(copy, change);
  if (name === undefined) return 'value' in change ? change.value : copy;
  const isDeeper = isPlain(value[name]) && Math.floor(at / (names.length + 1)) % 4 !== 0;
  if (isDeeper) copy[name] = changed(value[name], Math.floor(at / (names.length + 1)), change);
  else if (change.isGone) delete copy[name];
  else copy[name] = change.value;
  return copy;
}

/** Also `__proto__` is a member like others, as JSON.parse makes it. An array has one more element. */
function withMember(object, { name, value }) {
  if (Array.isArray(object)) return [...object, value];
  return settling(Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true }));
}

/** A `then` that never calls back keeps nobody waiting but the caller whose it is: it calls back, and still gives what it gave. */
function settling(value) {
  const { then } = value;
  if (typeof then !== 'function') return value;
  value.then = (resolve) => {
    if (typeof resolve === 'function') resolve();
    return then();
  };
  return value;
}

function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function safely(call, otherwise) {
  try {
    return call();
  } catch {
    return otherwise;
  }
}

function circular() {
  const value = { name: 'circular' };
  value.self = value;
  return value;
}
