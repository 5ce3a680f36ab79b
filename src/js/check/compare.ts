// Compares the runners under the same faults: each number comes from complete searches.

import { LocketArgumentError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { kindOf, knownFields } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { checkWaiting, inSlices } from '../base/slices.js';
import type { ExplorationReport, Verdict, WhyUnknown } from './answer-value.js';
import { type ExploreOptions, Search } from './explore.js';
import type { RunnerName } from '../base/lock-settings.js';
import { BOUNDS } from './bounds-value.js';
import type { Bounds, Question } from './question.js';
import { checkStates } from './states.js';

/** The question for every runner. */
export type CompareQuestion = Omit<Question, 'clients' | 'firstAttemptDeadline' | 'property' | 'runner' | 'scenario'>;

/** The results of a runner. */
export interface RunnerComparison {
  runner: RunnerName;
  /** The reason, if a verdict is unknown: then a number that is `null` is unknown as well. */
  because: WhyUnknown | null;
  /** Its lease; the Cloud Controller's loop has its own. */
  ttlMs: number;
  /** Its retry interval; the Cloud Controller's loop has its own. */
  retryIntervalMs: number;
  /** Whether there can be two owners at the same time: `unsafe` if so. */
  twoOwners: Verdict;
  /** For how many clients that holds: `any`, or the number of the question's clients. */
  clients: ExplorationReport['clients'];
  /** The longest overlap of two owners; `null` if it exceeds four leases. */
  overlapMs: number | null;
  /**
   * The shortest pause that leads to two owners, with all else as asked; `null` if none up to two
   * leases does.
   */
  breakingPauseMs: number | null;
  /** Whether an owner gives up a lock that it still holds: `unsafe` if so. */
  falseLoss: Verdict;
  /**
   * The longest time without an owner after the holder crashed, with latency alone; `null` if it
   * exceeds four leases.
   */
  crashMs: number | null;
  /** The same after the holder was stopped. */
  stopMs: number | null;
}

/** The comparison of the runners. */
export interface Comparison {
  rows: RunnerComparison[];
  /** The heads of a table, and its cells row by row. */
  heads: string[];
  cells: string[][];
  /** The bounds of the columns about two owners and false loss, as a sentence. */
  bounds: string;
  /** The table as text, and the bounds. */
  text: string;
}

/** Options of {@link compareRunners}. */
export interface CompareOptions extends Pick<ExploreOptions, 'maxStates' | 'signal'> {
  /**
   * Called some hundred times a second with the number of finished runners, and of states in the
   * current search.
   */
  onProgress?: (progress: { runners: number; states: number }) => void;
}

const RUNNERS: RunnerName[] = ['upstream-before-2025-10', 'upstream', 'cloud-controller', 'safe'];
const CLOUD_CONTROLLER = { ttl: '15s', retryInterval: '1s' } as const;
/** The defaults of every runner but the Cloud Controller's. */
const PRODUCTION = { ttl: '15s', retryInterval: '5s' } as const;
const COMPARE_OPTIONS = new Set(['maxStates', 'signal', 'onProgress']);
const NOT_COMPARED = ['clients', 'firstAttemptDeadline', 'property', 'runner', 'scenario'] as const;

/**
 * Compares all runners under the same faults: Locket's own today and before October 2025, the Cloud
 * Controller's loop, and the safe one. The event loop stays responsive.
 *
 * @example
 * ```ts
 * const { text } = await compareRunners({ ttl: '15s', retryInterval: '5s', latency: '1s', pause: '8s' });
 * console.log(text);
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member
 */
export async function compareRunners(question: CompareQuestion, options: CompareOptions = {}): Promise<Comparison> {
  await moduleReady();
  knownFields('options', options, COMPARE_OPTIONS);
  checkWaiting(options);
  checkStates('each', options);
  if (typeof question !== 'object' || question === null) {
    throw new LocketArgumentError('question', `expected an object, not ${kindOf(question)}`);
  }
  const given = NOT_COMPARED.find((field) => (question as Question)[field] !== undefined);
  if (given !== undefined) throw new LocketArgumentError(given, 'expected no value: every runner gets the same question');
  const rows: RunnerComparison[] = [];
  let bounds = '';
  for (const runner of RUNNERS) {
    const comparing = new Comparing(runner, question, options, rows.length);
    rows.push(await comparing.row());
    bounds = comparing.bounds;
  }
  const table = cellsOf(rows);
  return { rows, bounds, ...table, text: textOf(table, [bounds, ...forAnyNumber(rows)]) };
}

/** The given durations, without missing ones. */
function timesOf({ ttl, retryInterval }: CompareQuestion): { ttl?: Duration; retryInterval?: Duration } {
  return { ...(ttl !== undefined && { ttl }), ...(retryInterval !== undefined && { retryInterval }) };
}

class Comparing {
  readonly #question: Question;
  readonly #settings: { ttl: Duration; retryInterval: Duration };
  readonly #gridMs: number;
  readonly #ttlMs: number;
  /** The bounds of the question. */
  bounds = '';
  /** For how many clients the verdict on two owners holds. */
  #clients: RunnerComparison['clients'] = 0;
  #because: WhyUnknown | null = null;

  constructor(
    readonly runner: RunnerName,
    question: CompareQuestion,
    readonly options: CompareOptions,
    readonly done: number,
  ) {
    // Searches are exact; the grid is only the step of the numbers.
    const { grid = '1s', ...rest } = question;
    this.#settings = runner === 'cloud-controller' ? CLOUD_CONTROLLER : { ...PRODUCTION, ...timesOf(question) };
    this.#question = { ...rest, runner, ...this.#settings };
    this.#gridMs = lengthMs('grid', grid);
    if (this.#gridMs === 0) throw new LocketArgumentError('grid', 'expected more than 0');
    this.#ttlMs = lengthMs('ttl', this.#settings.ttl);
  }

  async row(): Promise<RunnerComparison> {
    const { pauses } = this.#question;
    const { runner } = this;
    const twoOwners = await this.#verdict({});
    const known = {
      ttlMs: this.#ttlMs,
      retryIntervalMs: lengthMs('retryInterval', this.#settings.retryInterval),
      twoOwners,
      clients: this.#clients,
      overlapMs: await this.#least(4 * this.#ttlMs, (ms) => this.#keeps({ property: { is: 'one-owner', allow: `${ms}ms` } })),
      // A longer pause allows every schedule of a shorter one.
      breakingPauseMs: await this.#least(2 * this.#ttlMs, async (ms) => {
        const keeps = await this.#keeps({ pause: `${ms}ms`, pauses: pauses === 'any' ? pauses : Math.max(pauses ?? 1, 1) });
        return keeps === undefined ? undefined : !keeps;
      }),
      falseLoss: await this.#verdict({ property: { is: 'false-loss' } }),
      crashMs: await this.#handover({ crashes: 1 }),
      stopMs: await this.#handover({ stops: 1 }),
    };
    return { runner, because: this.#because, ...known };
  }

  #handover(fault: Bounds): Promise<number | null> {
    return this.#least(4 * this.#ttlMs, (ms) => this.#keeps({ ...NOTHING_ELSE, ...fault, property: { is: 'handover', allow: `${ms}ms` } }));
  }

  /** Whether a property holds; `undefined` if that is unknown. */
  async #keeps(more: Partial<Question>): Promise<boolean | undefined> {
    const verdict = await this.#verdict(more);
    return verdict === 'unknown' ? undefined : verdict !== 'unsafe';
  }

  async #verdict(more: Partial<Question>): Promise<Verdict> {
    const { signal, onProgress } = this.options;
    const maxStates = checkStates('each', this.options);
    signal?.throwIfAborted();
    const search = new Search({ ...this.#question, ...more }, { maxStates });
    try {
      let verdict: Verdict | 'running' = 'running';
      const isDone = (budget: number) => (verdict = search.run(budget)) !== 'running';
      await inSlices(isDone, { signal, onSlice: () => onProgress?.({ runners: this.done, states: search.progress.states }) });
      if ((verdict as Verdict) === 'unknown') this.#because ??= search.answer()?.because ?? null;
      if (Object.keys(more).length === 0) {
        const { bounds = '', clients = 0 } = search.answer() ?? {};
        this.bounds = bounds;
        this.#clients = clients;
      }
      return verdict as Verdict;
    } finally {
      search.close();
    }
  }

  /**
   * The smallest multiple of the grid up to `maxMs` from which on `holds` is true: large steps
   * first, then bisection. `null` if there is none, or if `holds` does not know.
   */
  async #least(maxMs: number, holds: (ms: number) => Promise<boolean | undefined>): Promise<number | null> {
    const end = Math.floor(maxMs / this.#gridMs) + 1;
    let [low, high, step] = [0, end, 1];
    while (low < high) {
      const asked = high < end ? Math.floor((low + high) / 2) : Math.min(low + step - 1, end - 1);
      const answer = await holds(asked * this.#gridMs);
      if (answer === undefined) return null;
      if (answer) high = asked;
      else [low, step] = [asked + 1, step * 2];
    }
    return high < end ? high * this.#gridMs : null;
  }
}

/** For a handover, which is asked with latency alone. */
const NOTHING_ELSE: Bounds = Object.fromEntries(
  Object.entries(BOUNDS)
    .filter(([name]) => name !== 'latency')
    .map(([name, kind]) => [name, kind === 'count' ? 0 : '0s']),
);

const WORDS: Record<Verdict, string> = {
  safe: 'never',
  unsafe: 'possible',
  unknown: 'unknown',
};

interface Table {
  heads: string[];
  cells: string[][];
}

function cellsOf(rows: readonly RunnerComparison[]): Table {
  const seconds = (ms: number) => `${ms / 1_000} s`;
  return {
    heads: ['runner', 'lease', 'retry interval', 'two owners', 'for', 'breaking pause', 'false loss', 'handover: crash', 'stop'],
    cells: rows.map(({ runner, because, ttlMs, retryIntervalMs, twoOwners, overlapMs, breakingPauseMs, falseLoss, crashMs, stopMs }) => {
      const known = (ms: number | null, none = '> 4 leases') => (ms !== null ? seconds(ms) : because === null ? none : '?');
      const overlap = twoOwners === 'unsafe' ? known(overlapMs) : '-';
      const numbers = [overlap, known(breakingPauseMs, 'none'), WORDS[falseLoss], known(crashMs), known(stopMs)];
      return [runner, seconds(ttlMs), seconds(retryIntervalMs), WORDS[twoOwners], ...numbers];
    }),
  };
}

/** Which runners never have two owners, however many clients there are. */
function forAnyNumber(rows: readonly RunnerComparison[]): string[] {
  const never = rows.filter(({ twoOwners, clients }) => twoOwners === 'safe' && clients === 'any').map(({ runner }) => runner);
  return never.length === 0 ? [] : [`Never two owners with any number of clients: ${never.join(', ')}.`];
}

function textOf({ heads, cells }: Table, below: readonly string[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ').trimEnd();
  return [...[heads, ...cells].map(line), ...below].join('\n');
}
