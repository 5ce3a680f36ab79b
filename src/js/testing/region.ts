// A part of a program where only one host may be at a time.

import { length } from '../base/times.js';
import type { Program } from './host.js';
import { current } from './machine-context.js';
import type { Trial } from './trial.js';

/** Where only one may be at a time: `await leading(work)` goes in for as long as `work` takes. */
export interface OneAtATime {
  <T>(work: () => T): Promise<Awaited<T>>;
  /** Goes in. Returns a function that leaves. */
  enter(): () => void;
  /** An act of one who should be alone, such as a write. It fails the test if another one is in, or if this one has left. */
  act(what?: string): void;
  /** For how long nobody has been in. */
  readonly emptyMs: number;
  /** The longest time in which nobody was in. */
  readonly longestEmptyMs: number;
}

interface Entry {
  /** `undefined` for the test itself. */
  program: Program | undefined;
  sinceMs: number;
  /** Who was in when it came. */
  met: readonly Entry[];
}

/** A region of a run. A host that stands still or has ended is not in it: it does not act. */
/** @internal */
export class Region {
  readonly #inside = new Set<Entry>();
  /** Who has left in this instant. */
  #left: Entry[] = [];
  /** Who has ever been in. */
  readonly known = new Set<Program | undefined>();
  #emptySinceMs: number;
  #longestMs = 0;

  constructor(readonly run: Trial<Program>, readonly name: string) {
    this.#emptySinceMs = run.now;
  }

  enter(): () => void {
    const entry = { program: current() as Program | undefined, sinceMs: this.run.now, met: this.#running() };
    if (entry.program?.machine.isHalted === true) return () => {};
    this.#inside.add(entry);
    this.known.add(entry.program);
    this.run.note(whoOf(entry), `▶ ${this.name}`);
    return () => {
      if (!this.#inside.delete(entry) || entry.program?.machine.isHalted === true) return;
      this.#left.push(entry);
      this.run.note(whoOf(entry), `◀ ${this.name}`);
    };
  }

  act(what: string): void {
    const program = current() as Program | undefined;
    if (program?.machine.isHalted === true) return;
    const who = program?.host.name ?? 'test';
    this.run.note(who, `● ${what}`);
    // One that resumes now may still notice.
    const others = this.#running().filter((entry) => entry.program !== program && entry.program?.machine.time.thawedMs !== this.run.now);
    const hasLeft = this.known.has(program) && ![...this.#inside].some((entry) => entry.program === program);
    const problem = others.length > 0 ? `while ${others.map(shown).join(' and ')} in` : hasLeft ? 'after it has left' : undefined;
    if (problem !== undefined) this.run.fail(new Error(`${who} ${what} at ${length(this.run.now)}, ${problem} '${this.name}'`));
  }

  /** Judges the end of an instant: within one, a program may still notice and stop. One that came and went met who is still there. */
  judge(atMs: number): void {
    const running = this.#running();
    const together = [...running, ...this.#left.filter(({ sinceMs, met }) => sinceMs === atMs && met.some((it) => running.includes(it)))];
    if (together.length > 1) this.run.fail(new Error(`two at a time in '${this.name}' at ${length(atMs)}: ${together.map(shown).join(', ')}`));
    this.#left = [];
    // So it was until now.
    if (running.length > 0) this.#emptySinceMs = this.run.now;
    else this.#longestMs = Math.max(this.#longestMs, this.emptyMs);
  }

  get emptyMs(): number {
    return this.#running().length > 0 ? 0 : this.run.now - this.#emptySinceMs;
  }

  get longestEmptyMs(): number {
    return Math.max(this.#longestMs, this.emptyMs);
  }

  #running(): Entry[] {
    return [...this.#inside].filter(({ program }) => program === undefined || program.isRunning);
  }
}

function whoOf({ program }: Entry): string {
  return program?.host.name ?? 'test';
}

function shown(entry: Entry): string {
  return `${whoOf(entry)} since ${length(entry.sinceMs)}`;
}
