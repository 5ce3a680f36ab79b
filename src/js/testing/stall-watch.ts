// Ends runs that hang, and gives what a program throws or rejects unhandled to its run.

import { length } from '../base/times.js';
import { clearRealInterval, realInterval } from './machine-context.js';
import type { Run } from './run.js';

interface Emitter {
  listeners(name: string): ((reason: unknown) => void)[];
  on(name: string, listener: (reason: unknown) => void): void;
  removeAllListeners(name: string): void;
  removeListener(name: string, listener: (reason: unknown) => void): void;
  readonly stderr?: { isTTY?: boolean; write(text: string): void };
}

/** How often it looks at the run. */
const LOOK_MS = 20;
/** A run hangs if its clock stands still and it notes no event for this many looks; a failed one needs fewer. */
const LOOKS_MAX = 50;
const LOOKS_AFTER_FAILURE = 2;
/** Node ends a process for each of them. */
const ERRORS = ['unhandledRejection', 'uncaughtException'];

/** The searches that are under way, and who listened to each of the errors before. */
let searches = 0;
let others: ((reason: unknown) => void)[][] = [];

/** @internal */
export class StallWatch {
  /** The run that is under way. */
  run: Run | undefined;
  #reject: (error: Error) => void = () => {};
  #seen = -1;
  #looks = 0;

  /** Rejects if the run hangs. */
  of(run: Run): Promise<never> {
    this.run = run;
    this.#looks = 0;
    return new Promise((_, reject) => (this.#reject = reject));
  }

  /** Does `work` while hanging runs are ended, and what a program throws or rejects unhandled fails its run. */
  async during<T>(work: () => Promise<T>, progress: () => string): Promise<T> {
    const process = globalThis.process as unknown as Emitter | undefined;
    const listener = (reason: unknown): void => this.run?.fail(reason);
    if (searches++ === 0) others = ERRORS.map((name) => process?.listeners(name) ?? []);
    for (const name of ERRORS) {
      if (searches === 1) process?.removeAllListeners(name);
      process?.on(name, listener);
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
      for (const name of ERRORS) process?.removeListener(name, listener);
      if (--searches === 0) others.forEach((all, at) => all.forEach((other) => process?.on(ERRORS[at] as string, other)));
    }
  }

  #look(): void {
    const run = this.run;
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
