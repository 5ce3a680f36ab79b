// The virtual clock of one test, whose promises the test must await.

import { type Duration, VirtualClock } from '../node.js';
import type { RunUntilOptions } from '../types.js';
import type { AwaitedCalls } from './awaited.js';

/** A virtual clock that notes its calls. */
export class AwaitedClock extends VirtualClock {
  readonly #calls: AwaitedCalls;

  constructor(calls: AwaitedCalls) {
    super();
    this.#calls = calls;
  }

  override advanceAsync(duration: Duration): Promise<void> {
    return this.#calls.note(`clock.advanceAsync(${shown(duration)})`, super.advanceAsync(duration), this.advanceAsync);
  }

  override advanceToAsync(time: number): Promise<void> {
    return this.#calls.note(`clock.advanceToAsync(${shown(time)})`, super.advanceToAsync(time), this.advanceToAsync);
  }

  override nextAsync(): Promise<number | undefined> {
    return this.#calls.note('clock.nextAsync()', super.nextAsync(), this.nextAsync);
  }

  override runUntilAsync(done: () => boolean, options?: RunUntilOptions): Promise<void> {
    return this.#calls.note('clock.runUntilAsync', super.runUntilAsync(done, options), this.runUntilAsync);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
