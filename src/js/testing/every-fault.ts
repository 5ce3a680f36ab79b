// Runs a test again and again, each time with other faults.

import { checkObject, safeInteger } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { readShard } from '../base/shard.js';
import { counted } from '../base/text.js';
import { LocketArgumentError, LocketServer, type LocketServerOptions, type VirtualClock } from '../node.js';
import { withoutEscapes } from './escapes.js';
import { checkFaults, type Fault, type FaultLengths, parseFaults } from './fault.js';
import { traceLines } from './report.js';
import { foundText, triedText } from './search-report.js';
import { Run } from './run.js';
import { type Level, Search } from './search.js';
import { StallWatch } from './stall-watch.js';
import { addReport, clientsOf, environment, type LocketTestBody, seedFromEnvironment, testOf, withLocket, type WithLocketOptions } from './with-locket.js';

/** Options of {@link everyFault}. */
export interface EveryFaultOptions extends Omit<WithLocketOptions, 'clock'> {
  /**
   * The faults to try, each with its longest length: `{ pause: '20s', lostReply: true }`. By default `pause`, `crash`, `lostMessage`,
   * `lostReply`, `lateReply`, `locketCrash` and `partition`.
   */
  faults?: FaultLengths;
  /** The most faults of one run, 1 by default. */
  most?: number;
  /** How long to search, in real time, or how many runs; `'4s'` by default, which a test runner's limit of 5 s allows. */
  budget?: Duration | number;
  /** The part of the search to do, such as `'1/4'`, or the environment variable LOCKET_SHARD: for several workers. */
  shard?: string;
}

/** What a search has tried without a failure. */
export interface Searched {
  readonly runs: number;
  readonly levels: readonly Level[];
}

/** A server whose acts on machines are events of a run. */
class SearchedServer extends LocketServer {
  run: Run | undefined;

  protected override clientChanged(name: string, words: string): void {
    this.run?.note(name, words);
  }
}

/**
 * Makes a search of a test: runs it with each fault at each moment of its hosts, then with each two, as far as `most` and `budget`
 * allow, and fails with the fewest and shortest faults that break it. The body is that of {@link withLocket}.
 *
 * The environment variable `LOCKET_FAULTS` repeats one run.
 *
 * @example
 * ```ts
 * test('one leader at a time', everyFault(async ({ host, clock, oneAtATime }) => {
 *   const leading = oneAtATime('leading');
 *   for (const name of ['a', 'b']) host(name, ({ client }) => main(client, { onLead: () => leading.enter() }));
 *   await clock.advanceAsync('1m');
 * }));
 * ```
 */
export function everyFault<A extends unknown[]>(body: LocketTestBody<VirtualClock, A>): (...args: A) => Promise<Searched>;
export function everyFault<A extends unknown[]>(options: EveryFaultOptions, body: LocketTestBody<VirtualClock, A>): (...args: A) => Promise<Searched>;
export function everyFault<A extends unknown[]>(
  ...[first, second]: [LocketTestBody<VirtualClock, A>] | [EveryFaultOptions, LocketTestBody<VirtualClock, A>]
): (...args: A) => Promise<Searched> {
  const [options, body] = typeof first === 'function' ? [{}, first] : [first, second as LocketTestBody<VirtualClock, A>];
  checkObject('options', options);
  const { faults, most, budget, shard, ...rest } = options;
  const { watchdog, onUnawaited, seed = 0, ...server } = rest;
  // Checks them, and is the first run, with all claims about a test.
  const once = withLocket(rest, body);
  const search = checkedSearch(options);
  return testOf('everyFault', function (): Promise<Searched> {
    const args = [...arguments] as A;
    const runs = new Runs({ ...server, seed: seedFromEnvironment() ?? seed }, (test) => body(test, ...args));
    const replayed = environment('LOCKET_FAULTS');
    return runs.stalls.during(async () => {
      if (replayed !== undefined) return replay(runs, parseFaults(replayed));
      const base = await alone(() => withoutEscapes(() => runs.run([])));
      checkSame(base, await alone(() => runs.run([])));
      await alone(() => once(...args));
      return searched(runs, base, search);
    }, () => runs.onProgress());
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Runs of all searches come one after another: they share a limit of stacks, a console and what rejects unhandled. */
function alone<T>(run: () => Promise<T>): Promise<T> {
  const result = last.then(run);
  last = result.catch(() => {});
  return result;
}

/** The runs without a fault. */
const BASE_RUNS = 2;

function checkedSearch({ faults, most = 1, budget = '4s', shard = environment('LOCKET_SHARD') ?? '1/1' }: EveryFaultOptions) {
  return {
    longest: checkFaults(faults),
    most: safeInteger('most', most, 1, 9),
    budget: typeof budget === 'number' ? { runs: safeInteger('budget', budget, 1), ms: 0 } : { runs: undefined, ms: lengthMs('budget', budget) },
    shard: readShard('shard', shard),
  };
}

async function searched(runs: Runs, base: Run, { longest, most, budget, shard }: ReturnType<typeof checkedSearch>): Promise<Searched> {
  const startMs = performance.now();
  if (base.failure !== undefined) throw addReport(base.failure.error, ['Without a fault:', '', ...traceLines(base.entries)].join('\n'));
  if (base.now === 0) throw new LocketArgumentError('body', 'it ends at 0 s, before any program can do more than begin: await clock.advanceAsync(…) in it');
  if (base.places.length === 0) throw new LocketArgumentError('body', 'no host made a call or set a timer, so there is no place for a fault: put the program on a machine with host(name, program)');
  const left = (): number => {
    if (budget.runs !== undefined) return budget.runs - runs.count;
    const spentMs = performance.now() - startMs;
    return ((budget.ms - spentMs) / spentMs) * runs.count;
  };
  const search = new Search({ longest, most, seed: runs.options.seed, shard, left, run: (plan) => alone(() => runs.run(plan)) });
  const tried = (): string => triedText(search.levels, base, runs.options.seed);
  runs.onProgress = () => `everyFault: ${tried()}`;
  const found = await search.begin(base);
  if (found === undefined) {
    if (search.levels.length > 0 && search.levels.every(({ done }) => done === 0)) throw new LocketArgumentError('budget', 'it was over before the first run with a fault: give it more, or let the test take less time');
    console.log(`everyFault: it held in ${counted(runs.count, 'run')}: ${tried()}. This is no proof.${unclaimed(base)}`);
    return { runs: runs.count, levels: search.levels };
  }
  // With stacks of errors and logs; and it must fail again.
  const again = await alone(() => runs.run(found.plan, { isShown: true }));
  checkSame(found.run, again);
  throw addReport(again.failure?.error, foundText(again, found.plan, `Found in run ${BASE_RUNS + found.tried}. Tried: ${tried()}.`));
}

/** What a test that held has not claimed of its programs. */
function unclaimed({ regions }: Run): string {
  if (regions.size === 0) return ' Without oneAtATime, only an error or a claim of the test itself could fail it.';
  return [...regions.values()].filter(({ known }) => known.size === 0).map(({ name }) => ` Without a fault, nobody was in '${name}'.`).join('');
}

async function replay(runs: Runs, plan: readonly Fault[]): Promise<Searched> {
  const run = await alone(() => runs.run(plan, { isShown: true }));
  const missed = plan.find(({ place }) => run.struck.every((it) => it.place !== place));
  if (missed !== undefined) throw new LocketArgumentError('LOCKET_FAULTS', `this test does not come to ${missed.place}; is it that of another test, or of another version of the program?`);
  if (run.failure === undefined) return { runs: 1, levels: [] };
  throw addReport(run.failure.error, foundText(run, plan));
}

/** Nobody reads what programs log in one of thousands of runs. */
const LOGS = ['log', 'info', 'debug', 'warn', 'error'] as const;

/** The runs of one test. */
class Runs {
  count = 0;
  onProgress = (): string => '';
  readonly stalls = new StallWatch();

  constructor(readonly options: LocketServerOptions & { seed: number }, readonly body: LocketTestBody<VirtualClock, []>) {}

  async run(plan: readonly Fault[], { isShown = false } = {}): Promise<Run> {
    this.count += 1;
    const server = new SearchedServer(this.options);
    const run = new Run(server, { plan });
    server.run = run;
    const { stackTraceLimit } = Error;
    const logs = Object.fromEntries(LOGS.map((name) => [name, console[name]]));
    // Half of the time of a run goes into stacks that nobody reads. In one that is read, the line of the test comes after those
    // of the clock that it moves.
    Error.stackTraceLimit = isShown ? 50 : 0;
    if (!isShown) for (const name of LOGS) console[name] = () => {};
    try {
      const test = { server, clock: server.clock, client: clientsOf(server, run), ...run.members };
      await Promise.race([this.body(test), this.stalls.of(run)]);
      run.end();
    } catch (error) {
      run.fail(error);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      Object.assign(console, logs);
      this.stalls.run = undefined;
      server.close({ quietly: true });
    }
    return run;
  }
}

/** A test that differs from run to run cannot be searched. */
function checkSame(one: Run, other: Run): void {
  const [first, second] = [one.lines(), other.lines()];
  const at = first.findIndex((line, index) => line !== second[index]);
  if (at < 0 && first.length === second.length) return;
  const index = at < 0 ? first.length : at;
  throw new Error(`this test is not deterministic: where one run has "${first[index] ?? 'its end'}", the next has "${second[index] ?? 'its end'}". Does it use chance, real time or I/O, or a variable that outlives a run?`);
}
