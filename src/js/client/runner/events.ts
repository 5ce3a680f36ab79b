// What becomes of a runner, as events and as a stream of them.

import type { LocketError, LockLostError } from '../../base/errors.js';

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

/** How a runner ended. `released` says whether Locket has confirmed that everything is given up; if not, others get it when its TTL has ended. */
export type RunnerExit = { readonly released: boolean } & (
  | {
      /** Somebody asked for it. The error is that of a Release that failed. */
      readonly reason: 'stopped' | 'abandoned';
      readonly error: LocketError | undefined;
    }
  | {
      /** What was held is held no longer. */
      readonly reason: 'lost';
      readonly error: LockLostError;
    }
  | {
      /** It ended by itself before everything was held, as a joint lock does whose second lock is not to be had. */
      readonly reason: 'failed';
      readonly error: Error;
    }
  | {
      /** Its server in this process was closed, or its client crashed. */
      readonly reason: 'closed';
      readonly error: LocketError;
    }
);

/** What else an event tells; `undefined` where it makes no sense. */
export interface RunnerEventDetails {
  /** The key that it is about; `undefined` if it is about the runner as a whole. */
  key: string | undefined;
  /** Why: of `lost`, `retrying`, of a `released` that failed, and of an `exited` that nobody asked for. */
  error: Error | undefined;
  /** Of `retrying`: who holds the lock instead, where the runner asked. */
  owner: string | undefined;
  /** Of `acquired`, once everything is held: aborted when that ends. */
  signal: AbortSignal | undefined;
  /** Of `suspended`: for how long. */
  suspendedMs: number | undefined;
  /** Of `gauge`: 1 if everything is held, else 0. */
  value: 0 | 1 | undefined;
  /** Of `exited`: how. */
  exit: RunnerExit | undefined;
}

/** The details of each type of event. */
interface DetailsOf {
  acquired: { key: string; signal: AbortSignal | undefined };
  exited: { exit: RunnerExit; error: Error | undefined };
  gauge: { value: 0 | 1 };
  lost: { key: string; error: LockLostError };
  ready: { key: string };
  released: { key: string; error: LocketError | undefined };
  renewed: { key: string };
  retrying: { key: string; error: LocketError; owner: string | undefined };
  signalled: { key: string };
  suspended: { suspendedMs: number };
}

/** An event of one type. */
export type RunnerEventOf<T extends RunnerEventType> = Event & {
  readonly type: T;
  /** When, in milliseconds on the runner's clock: a server's time, or since the page or process began. */
  readonly timeMs: number;
} & Readonly<DetailsOf[T]> & { readonly [M in Exclude<keyof RunnerEventDetails, keyof DetailsOf[T]>]: undefined };

/** Something has become of a {@link Runner}. */
export type RunnerEvent = { [T in RunnerEventType]: RunnerEventOf<T> }[RunnerEventType];

/** A {@link RunnerEvent} as an event target sends it. */
class SentEvent extends Event implements RunnerEventDetails {
  readonly timeMs: number;
  readonly key: string | undefined;
  readonly error: Error | undefined;
  readonly owner: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly suspendedMs: number | undefined;
  readonly value: 0 | 1 | undefined;
  readonly exit: RunnerExit | undefined;

  constructor(type: RunnerEventType, timeMs: number, details: Partial<RunnerEventDetails>) {
    super(type);
    this.timeMs = timeMs;
    this.key = details.key;
    this.error = details.error;
    this.owner = details.owner;
    this.signal = details.signal;
    this.suspendedMs = details.suspendedMs;
    this.value = details.value;
    this.exit = details.exit;
  }
}

/** Makes an event of a runner; its details are those of its type. */
export function runnerEvent(type: RunnerEventType, timeMs: number, details: Partial<RunnerEventDetails>): RunnerEvent {
  return new SentEvent(type, timeMs, details) as Event as RunnerEvent;
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
