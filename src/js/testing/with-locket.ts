// A server for one test.

import { knownFields } from '../base/checks.js';
import { durationMs, LocketArgumentError } from '../node.js';
import type { AmbientClock, Duration, LocketServer, LocketServerOptions, VirtualClock } from '../node.js';
import type { Clock, ServerClientOptions, TestClient } from '../types.js';
import { AwaitedCalls } from './awaited.js';
import { warnOfFakeTimers } from './fake-timers.js';
import type { Host, HostProgram } from './host.js';
import { clockOf, RecordedServer } from './record.js';
import type { OneAtATime } from './region.js';
import { report } from './report.js';
import { Run } from './run.js';
import { watched } from './watchdog.js';

/** Options of {@link withLocket}. */
export interface WithLocketOptions extends Omit<LocketServerOptions, 'clock'> {
  /**
   * `virtual` (by default): a clock that the test moves, independent of the test runner's fake
   * timers. `ambient`: the program's clock, and so the test runner's fake timers.
   */
  clock?: 'virtual' | 'ambient';
  /**
   * How long a virtual clock may stay unchanged in real time while something waits for it. After that,
   * a message says what waits and how to move the clock. It fails only a test that itself awaits a lock which its holder renews:
   * no move of the clock ends that. `1s` by default; `false` turns it off.
   */
  watchdog?: Duration | false;
  /**
   * The end of a test that passes without awaiting one of its calls: `advanceAsync` and its
   * like, `sleep`, or `lock`, `release`, `fetch` and `fetchAll` of a client. So does an `acquire` or
   * `withLock` that has not ended, unless it waits for a lock of another owner. `fail` (the default)
   * names the line of the call; `ignore` is for code that calls Locket and forgets the answer.
   */
  onUnawaited?: 'fail' | 'ignore';
}

/** The argument of a test. */
export interface LocketTest<C extends Clock = VirtualClock> {
  /** A server of its own. */
  readonly server: LocketServer<C>;
  /** The clock that the server follows. */
  readonly clock: C;
  /**
   * The client with this name, which is its owner, too, and which the trace of a failed test shows. The
   * first call creates it. A
   * call with options, or after a crash, creates a new one.
   */
  readonly client: (name?: string, options?: ServerClientOptions) => TestClient;
  /**
   * Runs a program on a machine of its own: its timers and clocks are the machine's. `client(name).pause()` then freezes the
   * program, and `client(name).crash()` ends it. In a browser, which does not tell which program runs, it has to take the timers of
   * its argument's `clock`, and a test has neither {@link LocketTest.oneAtATime} nor {@link LocketTest.outside}.
   */
  readonly host: (name: string, program: (program: HostProgram) => unknown) => Host;
  /** A part of the programs in which only one host may be at a time; the test fails at the first instant with two. */
  readonly oneAtATime: (name: string) => OneAtATime;
  /** Another service. Programs call it over the network, so faults reach the calls. */
  readonly outside: <A extends unknown[], T>(name: string, work: (...args: A) => T | Promise<T>) => (...args: A) => Promise<T>;
  /**
   * Ends the faults of {@link everyFault}, and lets none come later: after that, a test may claim that its programs recover.
   */
  readonly healed: () => void;
  /** Fails the test, also from within a program. */
  readonly fail: (problem: string) => void;
}

/** A test with a Locket, and with the test runner's own arguments. */
export type LocketTestBody<C extends Clock, A extends unknown[]> = (locket: LocketTest<C>, ...args: A) => unknown;

/**
 * Gives a test its own Locket, started before it and closed after it. If the test fails, its
 * error also shows the events and the locks table. It works with vitest, jest, node:test and any
 * runner that calls functions.
 *
 * The environment variable `LOCKET_SEED` replaces the seed.
 *
 * @example
 * ```ts
 * test('a second bbs waits', withLocket(async ({ server, client }) => {
 *   await client('bbs-0').lock({ key: 'bbs', ttl: '15s' });
 *   expect(server).toHoldLock('bbs', 'bbs-0');
 * }));
 * ```
 */
export function withLocket<A extends unknown[]>(body: LocketTestBody<VirtualClock, A>): (...args: A) => Promise<void>;
export function withLocket<A extends unknown[]>(
  options: WithLocketOptions & { clock: 'ambient' },
  body: LocketTestBody<AmbientClock, A>,
): (...args: A) => Promise<void>;
export function withLocket<A extends unknown[]>(
  options: WithLocketOptions & { clock?: 'virtual' },
  body: LocketTestBody<VirtualClock, A>,
): (...args: A) => Promise<void>;
export function withLocket<A extends unknown[]>(
  ...[first, second]: [LocketTestBody<never, A>] | [WithLocketOptions, LocketTestBody<never, A>]
): (...args: A) => Promise<void> {
  const [options, body] = typeof first === 'function' ? [{}, first] : [first, second as LocketTestBody<never, A>];
  if (typeof body !== 'function') throw new LocketArgumentError('body', 'expected the test, a function, after the options');
  knownFields('options', options, OPTIONS);
  const { clock = 'virtual', seed: given = 0, watchdog = '1s', onUnawaited = 'fail', ...rest } = options;
  if (clock !== 'virtual' && clock !== 'ambient') throw new LocketArgumentError('clock', "expected 'virtual' or 'ambient'");
  if (onUnawaited !== 'fail' && onUnawaited !== 'ignore') throw new LocketArgumentError('onUnawaited', "expected 'fail' or 'ignore'");
  const stallMs = watchdog === false ? undefined : durationMs(watchdog, 'watchdog');
  // No declared parameters: jest would pass a callback, and vitest would look for fixtures.
  return testOf('withLocket', async function (): Promise<void> {
    const args = [...arguments] as A;
    const seed = seedFromEnvironment() ?? given;
    const calls = new AwaitedCalls();
    const server = new RecordedServer({ ...rest, seed, clock: clockOf(clock, calls) as never }, calls);
    const run = new Run(server, { note: (entry) => server.note(entry) });
    try {
      const test = { server, clock: server.clock, client: clientsOf(server, run), ...run.members };
      await watched(server, stallMs, async () => body(test, ...args));
      run.end();
      if (run.failure !== undefined) throw run.failure.error;
      const unawaited = onUnawaited === 'fail' ? calls.failure() : undefined;
      if (unawaited !== undefined) throw unawaited;
      if (server.onOtherClocks.length > 0) throw new Error(server.onOtherClocks.join('\n'));
      const fake = server.fakeTimers();
      if (fake !== undefined) warnOfFakeTimers(fake);
    } catch (last) {
      // What a program did wrong comes before what the test then misses.
      const error = run.failure === undefined ? last : run.failure.error;
      throw addReport(error, report(server, seed, (error as Error | undefined)?.message));
    } finally {
      // Leftover waits stay unsettled: nothing handles them any more.
      server.close({ quietly: true });
    }
  });
}

/** A test, which has to be called: one that is awaited instead would pass without having run. */
export function testOf<T extends object>(name: string, test: T): T {
  const then = (): never => {
    throw new LocketArgumentError(name, `its result is the test, a function, which was awaited and not called: write test('…', ${name}(…)), or await ${name}(…)()`);
  };
  return Object.defineProperty(test, 'then', { value: then });
}

const OPTIONS = new Set(['profile', 'seed', 'processes', 'latency', 'clock', 'watchdog', 'onUnawaited']);

/** One client for each name. */
/** @internal */
export function clientsOf(server: LocketServer<Clock>, run: Run): LocketTest['client'] {
  const clients = new Map<string | undefined, TestClient>();
  return (name, options) => {
    const host = run.hosts.get(name ?? '');
    if (host !== undefined && options === undefined) return host.client;
    const known = clients.get(name);
    if (known !== undefined && options === undefined && !known.hasCrashed) return known;
    const made = server.client(name, options);
    clients.set(name, made);
    return made;
  };
}

/** Adds a report to an error where runners show it: some print the message, others the stack. */
export function addReport(error: unknown, text: string): unknown {
  if (!(error instanceof Error) || Object.isFrozen(error)) {
    console.error(text);
    return error;
  }
  const { message, stack = '' } = error;
  const full = `${message}\n\n${text}\n`;
  // A matcher's error may have its message from a getter, and a stack may not begin with the
  // message.
  Object.defineProperty(error, 'message', { value: full, configurable: true, writable: true });
  const at = stack.indexOf(message);
  error.stack = at < 0 ? `${text}\n${stack}` : stack.slice(0, at) + full + stack.slice(at + message.length);
  return error;
}

export function seedFromEnvironment(): number | undefined {
  const text = environment('LOCKET_SEED');
  return text === undefined ? undefined : Number(text);
}

/** An environment variable; `undefined` if it is empty, or if the platform has none. */
export function environment(name: string): string | undefined {
  const text = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
  return text === '' ? undefined : text;
}
