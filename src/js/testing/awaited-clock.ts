// The virtual clock of one test, whose promises the test must await.

import { type Duration, VirtualClock } from '../node.js';
import type { AwaitedCalls } from './awaited.js';

/** A virtual clock that notes its calls. */
export class AwaitedClock extends VirtualClock {
  readonly #calls: AwaitedCalls;

  constructor(calls: AwaitedCalls) {
    super();
    this.#calls = calls;
  }

  override advanceAsync(duration: Duration): Promise<void> {
    return this.#calls.note({ words: `clock.advanceAsync(${shown(duration)})`, promise: super.advanceAsync(duration), method: this.advanceAsync });
  }

  override advanceToAsync(time: number): Promise<void> {
    return this.#calls.note({ words: `clock.advanceToAsync(${shown(time)})`, promise: super.advanceToAsync(time), method: this.advanceToAsync });
  }

  override nextAsync(): Promise<number | undefined> {
    return this.#calls.note({ words: 'clock.nextAsync()', promise: super.nextAsync(), method: this.nextAsync });
  }

  override runUntilAsync(done: () => boolean, options?: Parameters<VirtualClock['runUntilAsync']>[1]): Promise<void> {
    return this.#calls.note({ words: 'clock.runUntilAsync', promise: super.runUntilAsync(done, options), method: this.runUntilAsync });
  }

  override sleep(duration: Duration, options?: Parameters<VirtualClock['sleep']>[1]): Promise<void> {
    return this.#calls.note({ words: `clock.sleep(${shown(duration)})`, promise: super.sleep(duration, options), method: AwaitedClock.prototype.sleep });
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
