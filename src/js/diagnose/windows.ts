// Reads logs of any length in constant memory: all sources side by side, in the order of their times. A complete window is judged
// and then forgotten, except for the lines that a later window needs.

import { type Case, caseOf, SLACK_MS } from './case.js';
import type { LogEvent, Machine } from './evidence.js';
import { runsOf } from './findings/exits.js';
import { Machines } from './machines.js';
import type { EventKind } from './messages.js';
import { machineNames } from './names.js';
import { SourceReader } from './reader.js';
import type { LogSource } from './source.js';

/** A time that is judged as a whole. */
export interface Window {
  whole: Case;
  /** The time that this window judges: earlier findings belong to an earlier window, later ones to a later window. */
  sinceMs: number;
  untilMs: number;
  isLast: boolean;
}

/** How many events are judged together at least. What is kept for longer is old to the engine, which gives its memory back late. */
const EVENTS_MIN = 300;
/** How many there are at most, if the sources' times are too far apart to judge them. */
const EVENTS_MAX = 40_000;
/** The cause of an event may be this much earlier. */
const KEPT_MS = 120_000;
/** The last of each of these is needed however long ago it was. */
const LASTING: readonly EventKind[] = ['client-started', 'client-acquired', 'client-failed', 'client-lost', 'client-signalled', 'client-released', 'client-completed', 'client-exited', 'inserted', 'timer-deleted', 'released', 'locket-started', 'locket-stopping'];

/** The input of a reading. */
export interface ReadOptions {
  /** For keys whose TTL no line shows. */
  ttlMs: number | undefined;
  onBytes: (count: number) => void;
  /** For where the work can wait. */
  pause: () => Promise<void>;
}

/** Reads sources and judges them, window by window. */
export class Windows {
  readonly #machines = new Machines();
  readonly readers: SourceReader[];
  #sinceMs = -Infinity;
  /** How many events there are, and how many of them were there after the last judgement. */
  #count = 0;
  #kept = 0;
  /** By whose clock the next window is told, if lines compare it with the others. */
  reference: Machine | undefined;

  constructor(
    sources: readonly LogSource[],
    readonly options: ReadOptions,
  ) {
    const names = machineNames(sources.map(({ name }) => name));
    this.readers = sources.map((source, index) => new SourceReader(source, names[index] as string, this.#machines, options.onBytes));
  }

  /** How many lines were read. */
  get lines(): number {
    return this.readers.reduce((sum, { summary }) => sum + summary.lines, 0);
  }

  async *read(): AsyncGenerator<Window> {
    try {
      for (let reader = this.#slowest(); reader !== undefined; reader = this.#slowest()) {
        this.#count += await reader.next(this.#sinceMs);
        await this.options.pause();
        const untilMs = this.#complete();
        if (untilMs === undefined) continue;
        const whole = this.#case(untilMs + SLACK_MS);
        yield { whole, sinceMs: this.#sinceMs, untilMs, isLast: false };
        this.#forget(whole, untilMs);
      }
      yield { whole: this.#case(Infinity), sinceMs: this.#sinceMs, untilMs: Infinity, isLast: true };
    } finally {
      for (const reader of this.readers) await reader.close();
    }
  }

  /** Whose lines are the oldest. */
  #slowest(): SourceReader | undefined {
    return this.readers.filter(({ isDone }) => !isDone).sort((a, b) => a.frontierMs - b.frontierMs)[0];
  }

  /** Up to when all lines are there, if that is worth a judgement. */
  #complete(): number | undefined {
    // Where most events are kept, each judgement waits for as many new ones, or the time of all would be the square of their number.
    if (this.#count < Math.max(EVENTS_MIN, 2 * this.#kept)) return undefined;
    const frontierMs = this.#slowest()?.frontierMs ?? Math.min(...this.readers.map((reader) => reader.frontierMs));
    if (this.#count >= EVENTS_MAX) return Math.max(frontierMs, this.#sinceMs);
    const untilMs = frontierMs - SLACK_MS;
    return untilMs - this.#sinceMs > SLACK_MS ? untilMs : undefined;
  }

  #case(untilMs: number): Case {
    return caseOf(this.#machines.list(untilMs), this.#sinceMs, untilMs, this.options.ttlMs, this.reference);
  }

  /** Events that are done and that no later line needs. */
  #forget(whole: Case, untilMs: number): void {
    const lasting = lastOf(whole, untilMs);
    this.#kept = this.#machines.retain((event) => event.atMs > untilMs - KEPT_MS || lasting.has(event), untilMs - KEPT_MS);
    this.#count = this.#kept;
    this.#sinceMs = untilMs;
  }
}

function lastOf({ machines, keys }: Case, untilMs: number): Set<LogEvent> {
  // A hold belongs to the row under it, whichever its owner has had since.
  const held = keys.flatMap(({ clients, rows }) => clients.flatMap(({ owner, beliefs }) => {
    const last = beliefs.findLast(({ from }) => from.ms <= untilMs);
    return rows.find((row) => row.owner === owner && row.inserted !== undefined && row.to.ms >= (last?.from.ms ?? Infinity))?.inserted ?? [];
  }));
  return new Set(held.concat(machines.flatMap((machine) => {
    const last = new Map(LASTING.map((kind) => [kind, new Map<string, LogEvent>()]));
    for (const event of machine.events) if (event.atMs <= untilMs) last.get(event.kind)?.set(event.row, event);
    // How long a process does not come up, and how often it has ended, is known when it has come up.
    const runs = runsOf(machine).filter(({ after }) => after === undefined || after.atMs > untilMs - KEPT_MS);
    return [...last.values()].flatMap((own) => [...own.values()]).concat(runs.flatMap(({ before = [], ends }) => ends.concat(before)));
  })));
}
