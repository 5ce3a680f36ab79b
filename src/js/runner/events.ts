// What becomes of a runner, as events and as a stream of them.

import type { LocketError, LockLostError } from '../errors.js';

/**
 * What has become of a runner:
 *
 * * `acquired`: a lock is held from here on. `ready`: for the first time.
 * * `renewed`: it is held on. `retrying`: an attempt failed and another one follows; held or not as before.
 * * `lost`: it is held no longer, without anybody having asked for it.
 * * `signalled`: {@link Runner.stop} was called; it is held no longer. `released`: Locket has answered that, or not in time.
 * * `suspended`: the machine slept, and time has passed that its timers did not see.
 * * `gauge`: Locket's metric `LockHeld` at this moment, if the runner was told to measure.
 * * `exited`: the runner has ended; nothing follows.
 */
export type RunnerEventType = (typeof RUNNER_EVENT_TYPES)[number];

/** All of them. */
export const RUNNER_EVENT_TYPES = [
  'acquired',
  'exited',
  'gauge',
  'lost',
  'ready',
  'released',
  'renewed',
  'retrying',
  'signalled',
  'suspended',
] as const;

/** How a runner ended. */
export interface RunnerExit {
  /**
   * `stopped`: somebody asked for it. `lost`: what was held is held no longer. `failed`: it ended by itself before
   * everything was held, as a joint lock does whose second lock is not to be had. `abandoned`: by {@link Runner.abandon}.
   * `closed`: its server in this process was closed, or its client crashed.
   */
  reason: 'abandoned' | 'closed' | 'failed' | 'lost' | 'stopped';
  /** Whether Locket has confirmed that everything is given up. If not, others get it when its TTL has ended. */
  released: boolean;
  /** Why, unless it was asked for and went well. */
  error: LocketError | LockLostError | Error | undefined;
}

/** What else an event tells; set where it makes sense. */
export interface RunnerEventDetails {
  timeMs: number;
  key: string | undefined;
  error?: RunnerExit['error'];
  owner?: string | undefined;
  signal?: AbortSignal | undefined;
  suspendedMs?: number | undefined;
  value?: 0 | 1 | undefined;
  exit?: RunnerExit | undefined;
}

/** Something has become of a {@link Runner}. */
export class RunnerEvent extends Event {
  declare readonly type: RunnerEventType;
  /** When, in milliseconds on the runner's clock: a server's time, or since the page or process began. */
  readonly timeMs: number;
  /** The key that it is about; `undefined` if it is about the runner as a whole. */
  readonly key: string | undefined;
  /** Why: of `lost`, `retrying`, of a `released` that failed, and of an `exited` that nobody asked for. */
  readonly error: RunnerExit['error'];
  /** Of `retrying`: who holds the lock instead, where the runner asked. */
  readonly owner: string | undefined;
  /** Of `acquired`, once everything is held: aborted when that ends. */
  readonly signal: AbortSignal | undefined;
  /** Of `suspended`: for how long. */
  readonly suspendedMs: number | undefined;
  /** Of `gauge`: 1 if everything is held, else 0. */
  readonly value: 0 | 1 | undefined;
  /** Of `exited`: how. */
  readonly exit: RunnerExit | undefined;

  constructor(type: RunnerEventType, details: RunnerEventDetails) {
    super(type);
    this.timeMs = details.timeMs;
    this.key = details.key;
    this.error = details.error;
    this.owner = details.owner;
    this.signal = details.signal;
    this.suspendedMs = details.suspendedMs;
    this.value = details.value;
    this.exit = details.exit;
  }
}

/** Of these the last one tells as much as all before it. */
const REPLACED: ReadonlySet<RunnerEventType> = new Set(['gauge', 'renewed', 'retrying']);

/** Events for one who reads them in his own time. */
export class EventStream implements AsyncIterableIterator<RunnerEvent> {
  #unread: RunnerEvent[] = [];
  readonly #readers: ((result: IteratorResult<RunnerEvent, undefined>) => void)[] = [];
  readonly #onEnd: (stream: EventStream) => void;
  #ended = false;

  constructor(onEnd: (stream: EventStream) => void) {
    this.#onEnd = onEnd;
  }

  /** A reader who does not come back must not fill the memory with renewals. */
  push(event: RunnerEvent): void {
    if (this.#ended) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader({ done: false, value: event });
    if (REPLACED.has(event.type)) {
      this.#unread = this.#unread.filter(({ type, key }) => type !== event.type || key !== event.key);
    }
    this.#unread.push(event);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(this);
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<RunnerEvent, undefined>> {
    const event = this.#unread.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  return(): Promise<IteratorResult<RunnerEvent, undefined>> {
    this.#unread = [];
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
