// A client of a server in this process, on a machine of its own that can fail.

import { type Duration, lengthMs } from '../base/duration.js';
import { LocketClient } from '../client/client.js';
import type { LocketClientOptions } from '../client/network.js';
import type { TimerClock } from './timers.js';

/** What a test does to a client's machine. */
export interface FailingMachine {
  readonly clock: TimerClock;
  readonly hasCrashed: boolean;
  freeze(isSuspended: boolean, forMs: number | undefined): void;
  resume(): void;
  crash(): void;
}

/**
 * A client of a {@link LocketServer}: it runs on a machine of its own, which a test can pause, suspend or crash.
 *
 * While it is paused, its runners, its calls and its {@link TestClient.clock} stand still; requests that were sent arrive, and replies wait.
 * `held` of its locks keeps the last belief. When it resumes, its due timers run in order, and then the replies arrive.
 *
 * @example
 * ```ts
 * const client = server.client({ name: 'a' });
 * const lock = await client.acquire({ key: 'bbs', owner: 'a' });
 * client.pause('20s');
 * await server.clock.advanceAsync('20s');
 * console.log(lock.held); // false
 * ```
 */
export class TestClient extends LocketClient {
  /** The clock of its machine: for timers of code that runs beside the client, and stops with it. */
  readonly clock: TimerClock;
  readonly #machine: FailingMachine;

  /** Not for users: {@link LocketServer.client} makes clients. */
  constructor(options: LocketClientOptions, machine: FailingMachine) {
    super(options);
    this.clock = machine.clock;
    this.#machine = machine;
  }

  /** Whether {@link TestClient.crash} was called. */
  get hasCrashed(): boolean {
    return this.#machine.hasCrashed;
  }

  /** Stops its machine, as SIGSTOP stops a process: for so long, or until {@link TestClient.resume}. Its clock catches up afterwards. */
  pause(duration?: Duration): void {
    this.#machine.freeze(false, duration === undefined ? undefined : lengthMs('duration', duration));
  }

  /** Stops its machine with its monotonic clock, as closing a laptop does: for so long, or until {@link TestClient.resume}. */
  suspend(duration?: Duration): void {
    this.#machine.freeze(true, duration === undefined ? undefined : lengthMs('duration', duration));
  }

  /** Ends a pause or a suspension; does nothing if there is none. */
  resume(): void {
    this.#machine.resume();
  }

  /**
   * Crashes its machine, which forgets everything and releases nothing: timers are gone, calls fail, runners exit with `closed`. A new client
   * takes its place: {@link LocketServer.client}.
   */
  crash(): void {
    this.#machine.crash();
  }
}
