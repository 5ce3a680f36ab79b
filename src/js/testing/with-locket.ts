// A server for one test.

import { LocketArgumentError } from '../node.js';
import type { AmbientClock, Duration, LocketServer, LocketServerOptions, VirtualClock } from '../node.js';
import type { Clock, ServerClientOptions, TestClient } from '../types.js';
import { clockOf, NAME_DEFAULT, RecordedServer } from './record.js';
import { report } from './report.js';
import { checkWatch, watched } from './watchdog.js';

/** Options of {@link withLocket}. */
export interface WithLocketOptions extends Omit<LocketServerOptions, 'clock'> {
  /**
   * `virtual` (by default): a clock that the test moves, whatever the runner's fake timers do. `ambient`: the surrounding
   * program's, and so the runner's fake timers.
   */
  clock?: 'virtual' | 'ambient';
  /**
   * For how long a virtual clock may stand while something waits for it, in real time, before the test is told what waits and how to
   * move the clock: `1s` by default. `false` turns that off.
   */
  watchdog?: Duration | false;
  /** How the test is told: `warn` (by default) prints it once, `fail` rejects the test with it. */
  onStall?: 'warn' | 'fail';
  /**
   * What happens when the shipped Locket would have answered a call otherwise than the profile `documented`: `warn` (by default) prints it,
   * each switch of the profile once in a process; `ignore` compares nothing, which is faster.
   */
  onDifference?: 'ignore' | 'warn';
}

/** What a test gets. */
export interface LocketTest<C extends Clock = VirtualClock> {
  /** A server of its own. */
  readonly server: LocketServer<C>;
  /** The clock that the server follows. */
  readonly clock: C;
  /**
   * The client of this name, whose name stands in the trace of a failed test. It is made at the first call; one that is given options, or
   * comes after a crash, is made anew.
   */
  readonly client: (name?: string, options?: ServerClientOptions) => TestClient;
}

/** A test with a Locket, and whatever the test runner gives it besides. */
export type LocketTestBody<C extends Clock, A extends unknown[]> = (locket: LocketTest<C>, ...args: A) => unknown;

/**
 * Makes a test that has a Locket of its own: started before it, closed after it. If the test fails, what happened and the
 * locks table are added to its error. For vitest, jest, node:test and whatever else runs functions.
 *
 * The environment variable `LOCKET_SEED` replaces the seed.
 *
 * @example
 * ```ts
 * test('a second bbs waits', withLocket(async ({ server, client }) => {
 *   await client('bbs-0').lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
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
  if (typeof body !== 'function') throw new LocketArgumentError('body', 'expected the test, a function, behind the options');
  if (typeof options !== 'object' || options === null) throw new LocketArgumentError('options', 'expected an object in front of the test');
  const { clock = 'virtual', seed: given = 0, watchdog = '1s', onStall = 'warn', onDifference = 'warn', ...rest } = options;
  if (clock !== 'virtual' && clock !== 'ambient') throw new LocketArgumentError('clock', "expected 'virtual' or 'ambient'");
  if (onDifference !== 'ignore' && onDifference !== 'warn') throw new LocketArgumentError('onDifference', "expected 'ignore' or 'warn'");
  const watch = checkWatch(watchdog, onStall);
  // A function without parameters of its own: of others jest thinks that they want a callback, vitest that they want fixtures.
  return async function (): Promise<void> {
    const args = [...arguments] as A;
    const seed = seedFromEnvironment() ?? given;
    const server = new RecordedServer({ ...rest, seed, clock: clockOf(clock) as never }, onDifference === 'warn');
    try {
      const test = { server, clock: server.clock, client: clientsOf(server) };
      await watched(server.clock, watch, async () => body(test, ...args));
    } catch (error) {
      tell(error, report(server, seed));
      throw error;
    } finally {
      // What was left behind waits for ever: nobody looks at it any more.
      server.close({ quietly: true });
    }
  };
}

/** One client for each name. */
function clientsOf(server: LocketServer<Clock>): LocketTest['client'] {
  const clients = new Map<string, TestClient>();
  return (name = NAME_DEFAULT, options) => {
    const known = clients.get(name);
    if (known !== undefined && options === undefined && !known.hasCrashed) return known;
    // What is no object is refused there.
    const made = server.client(typeof (options ?? {}) === 'object' && options !== null ? { ...options, name } : options);
    clients.set(name, made);
    return made;
  };
}

/** Adds a report to an error, where runners show it: some print the message, others the stack. */
function tell(error: unknown, text: string): void {
  if (!(error instanceof Error) || Object.isFrozen(error)) {
    console.error(text);
    return;
  }
  const { message, stack = '' } = error;
  const told = `${message}\n\n${text}\n`;
  // A matcher's error may have it from a getter, and a stack may not begin with the message.
  Object.defineProperty(error, 'message', { value: told, configurable: true, writable: true });
  const at = stack.indexOf(message);
  error.stack = at < 0 ? `${text}\n${stack}` : stack.slice(0, at) + told + stack.slice(at + message.length);
}

function seedFromEnvironment(): number | undefined {
  const text = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.['LOCKET_SEED'];
  return text === undefined || text === '' ? undefined : Number(text);
}
