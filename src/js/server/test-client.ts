// A client of an in-process server, on a machine of its own that can fail.

import { type Duration, lengthMs } from '../base/duration.js';
import { INSPECT } from '../base/look.js';
import { LocketClient } from '../client/client.js';
import type { LocketClientOptions } from '../client/network.js';
import type { ClientMachine } from './client-machine.js';
import type { TimerClock } from './timers.js';

/**
 * A client of a {@link LocketServer}: it runs on a machine of its own, which a test can pause,
 * suspend or crash.
 *
 * While it is paused, its runners, its calls and its {@link TestClient.clock} are frozen; requests
 * that were sent arrive, and replies wait. `held` of its locks keeps the last belief. When it
 * resumes, its due timers run in order; then the replies arrive.
 *
 * @example
 * ```ts
 * const client = server.client('a');
 * const lock = await client.acquire({ key: 'bbs' });
 * client.pause('20s');
 * await server.clock.advanceAsync('20s');
 * console.log(lock.held); // false
 * ```
 */
export class TestClient extends LocketClient {
  /**
   * The clock of its machine: for the timers of code that runs beside the client and is frozen with
   * it.
   */
  readonly clock: TimerClock;
  /** @internal */
  readonly machine: ClientMachine;

  /** Internal: use {@link LocketServer.client}. */
  constructor(options: LocketClientOptions, machine: object) {
    super(options);
    this.machine = machine as ClientMachine;
    this.clock = this.machine.clock;
  }

  [INSPECT](): string {
    const { hasCrashed, isFrozen, name } = this.machine;
    return `TestClient '${name}', ${hasCrashed ? 'crashed' : isFrozen ? 'paused' : 'running'}`;
  }

  /** True if {@link TestClient.crash} was called. */
  get hasCrashed(): boolean {
    return this.machine.hasCrashed;
  }

  /**
   * Pauses its machine, as SIGSTOP pauses a process: for a time, or until
   * {@link TestClient.resume}. Its clock catches up afterwards.
   */
  pause(duration?: Duration): void {
    this.machine.freeze(false, duration === undefined ? undefined : lengthMs('duration', duration));
  }

  /**
   * Suspends its machine with its monotonic clock, as closing a laptop does: for a time, or until
   * {@link TestClient.resume}.
   */
  suspend(duration?: Duration): void {
    this.machine.freeze(true, duration === undefined ? undefined : lengthMs('duration', duration));
  }

  /** Ends a pause or a suspension; without one, it has no effect. */
  resume(): void {
    this.machine.resume();
  }

  /**
   * Crashes its machine. It forgets everything and releases nothing: its timers are lost, calls
   * fail, runners exit with `closed`. Create a new client for the next process:
   * {@link LocketServer.client}.
   */
  crash(): void {
    this.machine.crash();
  }
}
