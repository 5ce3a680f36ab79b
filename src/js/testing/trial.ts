// What the parts of a run need of it.

import type { LocketServer } from '../node.js';
import type { Clock } from '../types.js';
import type { FaultName, Phase, Place } from './fault.js';
import type { Turns } from './turns.js';

/** An event of a run; a call gets its answer later. */
export interface Entry {
  readonly timeMs: number;
  readonly who: string;
  words: string;
}

/** A run, as its hosts and regions see it. */
export interface Trial<P> {
  readonly server: LocketServer<Clock>;
  readonly now: number;
  /** Of the requests that programs' own clients send. */
  readonly turns: Turns;
  /** Notes an event. */
  note(who: string, words: string): Entry;
  /** Adds to an event what came of it. */
  add(entry: Entry, words: string): void;
  fail(error: unknown): void;
  /** Calls `work` after a time, outside of all machines. */
  after(ms: number, work: () => void): void;
  /** The number of this call of a kind, from 1. */
  number(host: string, kind: string): number;
  /** Lets the faults of the plan for a place happen; returns their lengths. */
  reach(program: P, call: Pick<Place, 'kind' | 'timeoutMs'>, n: number, phase: Phase): ReadonlyMap<FaultName, number>;
  /** What surrounds a program's machine. */
  hooksOf(program: P): object;
  fetchOf(program: P): LocketServer['fetch'];
}
