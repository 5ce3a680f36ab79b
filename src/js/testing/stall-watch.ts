// Ends runs that hang, and gives what a program throws or rejects unhandled to its run.

import { length } from '../base/times.js';
import { clearRealInterval, realInterval } from './machine-context.js';
import type { Run } from './run.js';

interface Emitter {
  listeners(name: string): ((reason: unknown) => void)[];
  on(name: string, listener: (reason: unknown) => void): void;
  removeAllListeners(name: string): void;
  readonly stderr?: { isTTY?: boolean; write(text: string): void };
}

/** How often it looks at the run. */
const LOOK_MS = 20;
/** A run hangs if its clock stands still and it notes no event for this many looks; a failed one needs fewer. */
const LOOKS_MAX = 50;
const LOOKS_AFTER_FAILURE = 2;
/** Node ends a process for each of them. */
const ERRORS = ['unhandledRejection', 'uncaughtException'];

/** @internal */
export class StallWatch {
  #run: Run | undefined;
  #reject: (error: Error) => void = () => {};
  #seen = -1;
  #looks = 0;

  /** Rejects if the run hangs. */
  of(run: Run): Promise<never> {
    this.#run = run;
    this.#looks = 0;
    return new Promise((_, reject) => (this.#reject = reject));
  }

  async during<T>(work: () => Promise<T>, progress: () => string): Promise<T> {
    const process = globalThis.process as unknown as Emitter | undefined;
    const others = ERRORS.map((name) => [name, process?.listeners(name) ?? []] as const);
    for (const name of ERRORS) {
      process?.removeAllListeners(name);
      process?.on(name, (reason) => this.#run?.fail(reason));
    }
    const timer = realInterval(() => this.#look(), LOOK_MS);
    const shows = process?.stderr?.isTTY === true;
    const show = shows ? realInterval(() => process?.stderr?.write(`\r\x1b[K${progress()}`), 500) : undefined;
    try {
      return await work();
    } finally {
      clearRealInterval(timer);
      clearRealInterval(show);
      if (shows) process?.stderr?.write('\r\x1b[K');
      for (const [name, listeners] of others) {
        process?.removeAllListeners(name);
        for (const listener of listeners) process?.on(name, listener);
      }
    }
  }

  #look(): void {
    const run = this.#run;
    if (run === undefined) return;
    const progress = run.now + run.entries.length;
    this.#looks = progress === this.#seen ? this.#looks + 1 : 0;
    this.#seen = progress;
    if (this.#looks < (run.failure === undefined ? LOOKS_MAX : LOOKS_AFTER_FAILURE)) return;
    const error = new Error(`the test hangs at ${length(run.now)}: it awaits something that does not come, such as an act of a host that has crashed or is paused. Let it move the clock instead`);
    run.fail(error);
    this.#reject(error);
  }
}
