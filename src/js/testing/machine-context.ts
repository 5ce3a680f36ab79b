// The machine whose code runs, and the platform's functions for programs on it: timers, clocks and chance. They are replaced
// when this loads, so that a program that keeps a function when it is imported keeps ours. Outside of a machine they are the
// platform's own.

import type { TimerClock } from '../types.js';

/** The machine of a program, as its platform. */
export interface Platform {
  readonly clock: TimerClock;
  /** `Date.now()` and `performance.now()`. */
  wallMs(): number;
  monotonicMs(): number;
  /** From 0 to 1, the same in each run. */
  random(): number;
  /** Ends the program. */
  exit(): void;
}

interface Context {
  getStore(): Platform | undefined;
  run<T>(machine: Platform | undefined, work: () => T): T;
}

interface NodeModules {
  'node:async_hooks': {
    AsyncLocalStorage: new () => Context;
    AsyncResource: new (type: string) => { runInAsyncScope(work: Callback, self: undefined, ...args: unknown[]): void };
    createHook(hooks: { init(id: number, type: string): void }): { enable(): void; disable(): void };
  };
  'node:crypto': { randomUUID: () => string; randomBytes(size: number): Uint8Array };
  'node:module': { syncBuiltinESMExports(): void };
  'node:timers': Record<string, unknown>;
  'node:timers/promises': Record<string, unknown> & { scheduler: { wait: unknown } };
}

type Builtin = <N extends keyof NodeModules>(name: N) => NodeModules[N];
type AnyFunction = (...args: never[]) => unknown;

const node = globalThis.process as { getBuiltinModule?: Builtin; hrtime?: { bigint(): bigint } & (() => [number, number]) } | undefined;
/** The modules of the platform, where it hands them out. */
export const builtin = node?.getBuiltinModule;
/** Shared by all copies of this package, and by all environments of a test runner in one process. */
const CONTEXT = Symbol.for('locket-wasm.machines.1');
const MARK = Symbol.for('locket-wasm.of-machines.1');
const CUSTOM = Symbol.for('nodejs.util.promisify.custom');

const hooks = builtin?.('node:async_hooks');
const shared = (hooks ?? {}) as { [CONTEXT]?: Context };
/** `undefined` on a platform that does not tell which program runs, such as a browser. */
export const context = hooks && (shared[CONTEXT] ??= new hooks.AsyncLocalStorage());

/** The machine whose code runs now. */
export function current(): Platform | undefined {
  return context?.getStore();
}

/** Runs code on a machine; with `undefined`, outside of all. */
export function on<T>(machine: Platform | undefined, work: () => T): T {
  return context === undefined ? work() : context.run(machine, work);
}

/** The platform's own. */
export const { setInterval: realInterval, clearInterval: clearRealInterval } = globalThis;
/** Not the global one, which may be fake. */
export const realImmediate = (builtin?.('node:timers')['setImmediate'] ?? globalThis.setTimeout) as (work: () => void) => unknown;

/** Replaces a function by one that does something else on a machine. It is called with the machine and the platform's own. */
function replace<F extends AnyFunction>(of: object, name: string, make: (machine: Platform, ...args: Parameters<F>) => unknown): void {
  const own = (of as Record<string, F | undefined>)[name];
  if (own === undefined || MARK in own) return;
  const replaced = function (this: unknown, ...args: Parameters<F>): unknown {
    const machine = current();
    return machine === undefined ? own.apply(this, args) : make(machine, ...args);
  };
  (of as Record<string, unknown>)[name] = Object.assign(replaced, own, { [MARK]: true });
}

/** As in Node: at least 1 ms, also for what is no delay. */
function delayOf(ms: unknown): number {
  const whole = Math.floor(Number(ms));
  return whole >= 1 && whole < 2 ** 31 ? whole : 1;
}

/** A callback with all contexts of the code that sets it, which may have some of its own. */
function bound(callback: Callback): Callback {
  if (hooks === undefined || typeof callback !== 'function') return callback;
  const resource = new hooks.AsyncResource('MachineTimer');
  return (...args) => resource.runInAsyncScope(callback, undefined, ...args);
}

type Callback = (...args: unknown[]) => void;

function replaceTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    replace(globalThis, name, ({ clock }, callback: Callback, ms?: unknown, ...args: unknown[]) => clock[name](bound(callback), delayOf(ms), ...args));
  }
  replace(globalThis, 'setImmediate', ({ clock }, callback: Callback, ...args: unknown[]) => clock.setImmediate(bound(callback), ...args));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const) {
    replace(globalThis, name, ({ clock }, id: number | undefined) => clock[name](id));
  }
  replace(AbortSignal, 'timeout', ({ clock }, ms: number) => {
    const controller = new AbortController();
    clock.setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delayOf(ms));
    return controller.signal;
  });
}

function replaceClocks(): void {
  replace(Date, 'now', (machine) => machine.wallMs());
  replace(Math, 'random', (machine) => machine.random());
  replace(performance, 'now', (machine) => machine.monotonicMs());
  if (node?.hrtime !== undefined) {
    replace(node, 'hrtime', (machine, [s, ns]: [number, number] = [0, 0]) => {
      const ms = machine.monotonicMs() - s * 1000 - ns / 1e6;
      return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
    });
    replace(node.hrtime, 'bigint', (machine) => BigInt(Math.round(machine.monotonicMs() * 1e6)));
  }
  const uuid = (machine: Platform): string => `00000000-0000-4000-8000-${Math.floor(machine.random() * 2 ** 48).toString(16).padStart(12, '0')}`;
  const filled = (machine: Platform, array: ArrayBufferView): ArrayBufferView => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(Array.from({ length: array.byteLength }, () => machine.random() * 256));
    return array;
  };
  replace(crypto, 'randomUUID', uuid);
  replace(crypto, 'getRandomValues', filled);
  if (builtin !== undefined) {
    const { randomBytes } = builtin('node:crypto');
    replace(builtin('node:crypto'), 'randomUUID', uuid);
    replace(builtin('node:crypto'), 'randomBytes', (machine, size: number, callback?: Callback) => {
      const bytes = filled(machine, randomBytes(size));
      return callback === undefined ? bytes : machine.clock.setImmediate(bound(callback), undefined, bytes);
    });
  }
  const Own = Date;
  if (MARK in Own) return;
  const wallMs = (): number[] => [current()?.wallMs() ?? []].flat();
  globalThis.Date = new Proxy(Own, {
    apply: () => new Date().toString(),
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? wallMs() : args, made) as Date,
  });
  Object.assign(Own, { [MARK]: true }).prototype.constructor = globalThis.Date;
}

interface WaitOptions {
  signal?: AbortSignal;
}

/** A wait of `node:timers/promises`; `begin` sets a timer. */
function wait<T>(begin: (done: () => void) => { close(): unknown }, value: T, { signal }: WaitOptions = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), { name: 'AbortError', code: 'ABORT_ERR' }));
    if (signal?.aborted === true) return give();
    const timer = begin(() => {
      signal?.removeEventListener('abort', end);
      resolve(value);
    });
    const end = (): void => {
      timer.close();
      give();
    };
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** `setInterval` of `node:timers/promises`: a tick that comes while its reader works is kept. */
async function* ticks<T>(clock: TimerClock, ms: number, value: T, options?: WaitOptions): AsyncGenerator<T> {
  for (let dueMs = clock.now + ms; ; dueMs += ms) {
    if (dueMs > clock.now) await wait((done) => clock.setTimeout(done, dueMs - clock.now), value, options);
    yield value;
  }
}

/** A program ends alone. No signal reaches it, and what it would do after its run is not done. */
function replaceProcess(of: object): void {
  replace(of, 'exit', (machine) => machine.exit());
  for (const name of ['on', 'once', 'addListener'] as const) replace(of, name, () => of);
}

function replaceModules(get: Builtin): void {
  const timers = get('node:timers/promises');
  const sleep = ({ clock }: Platform, ms: unknown, value?: unknown, options?: WaitOptions) => wait((done) => clock.setTimeout(done, delayOf(ms)), value, options);
  replace(timers, 'setTimeout', sleep);
  replace(timers, 'setImmediate', ({ clock }, value?: unknown, options?: WaitOptions) => wait((done) => clock.setImmediate(done), value, options));
  replace(timers, 'setInterval', ({ clock }, ms: unknown, value?: unknown, options?: WaitOptions) => ticks(clock, delayOf(ms), value, options));
  replace(timers.scheduler, 'wait', (machine, ms: unknown, options?: WaitOptions) => sleep(machine, ms, undefined, options));
  for (const name of ['setTimeout', 'setImmediate'] as const) Object.assign(globalThis[name], { [CUSTOM]: timers[name] });
  const callbacks = get('node:timers');
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'] as const) callbacks[name] = globalThis[name];
  get('node:module').syncBuiltinESMExports();
}

if (context !== undefined) {
  replaceTimers();
  replaceClocks();
  replaceProcess(node ?? {});
  if (builtin !== undefined) replaceModules(builtin);
}
