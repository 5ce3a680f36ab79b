// The events of a runner, and a stream of them.

import type { LocketError, LockLostError } from '../../base/errors.js';

/**
 * The events of a runner:
 *
 * * `acquired`: it holds a lock from now on. `ready`: it holds one for the first time.
 * * `renewed`: a renewal succeeded. `retrying`: an attempt failed, and another one follows.
 * * `lost`: it no longer holds the lock, and was not asked to give it up.
 * * `signalled`: {@link Runner.stop} was called; it no longer holds the lock. `released`: Locket
 *   answered the Release, or did not answer in time.
 * * `suspended`: the machine slept, and its timers did not run meanwhile.
 * * `exited`: the runner has ended; no event follows.
 */
export type RunnerEventType = (typeof RUNNER_EVENT_TYPES)[number];

/** All types of events. */
export const RUNNER_EVENT_TYPES = [
  'acquired',
  'exited',
  'lost',
  'ready',
  'released',
  'renewed',
  'retrying',
  'signalled',
  'suspended',
] as const;

/**
 * How a runner ended. `released` says whether Locket confirmed the release; if not, other owners
 * get the lock when its TTL ends.
 */
export type RunnerExit = { readonly released: boolean } & (
  | {
      /** The program stopped it. The error is that of a failed Release. */
      readonly reason: 'stopped' | 'abandoned';
      readonly error: LocketError | undefined;
    }
  | {
      /** The lock was lost. */
      readonly reason: 'lost';
      readonly error: LockLostError;
    }
  | {
      /**
       * It ended before the lock was held.
       */
      readonly reason: 'failed';
      readonly error: Error;
    }
  | {
      /** Its server in this process was closed, or its client crashed. */
      readonly reason: 'closed';
      readonly error: LocketError;
    }
);

/** The details of an event; `undefined` if they do not apply. */
export interface RunnerEventDetails {
  /** The key of the event; `undefined` if it is about the runner as a whole. */
  key: string | undefined;
  /**
   * The cause of `lost`, `retrying`, a failed `released`, and an `exited` that was not requested.
   */
  error: Error | undefined;
  /** For `retrying`: the owner that holds the lock, if the runner asked. */
  owner: string | undefined;
  /** For `acquired`, aborts when the lock is no longer held. */
  signal: AbortSignal | undefined;
  /** For `suspended`: the length of the suspension. */
  suspendedMs: number | undefined;
  /** For `exited`: how the runner ended. */
  exit: RunnerExit | undefined;
}

/** The details of each type of event. */
interface DetailsOf {
  acquired: { key: string; signal: AbortSignal | undefined };
  exited: { exit: RunnerExit; error: Error | undefined };
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
  /**
   * The time in milliseconds on the runner's clock: a server's time, or since the page or process
   * began.
   */
  readonly timeMs: number;
} & Readonly<DetailsOf[T]> & { readonly [M in Exclude<keyof RunnerEventDetails, keyof DetailsOf[T]>]: undefined };

/** An event of a {@link Runner}. */
export type RunnerEvent = { [T in RunnerEventType]: RunnerEventOf<T> }[RunnerEventType];

const NO_DETAILS: RunnerEventDetails = { key: undefined, error: undefined, owner: undefined, signal: undefined, suspendedMs: undefined, exit: undefined };

/** Makes an event of a runner, with the details of its type. */
export function runnerEvent(type: RunnerEventType, timeMs: number, details: Partial<RunnerEventDetails>): RunnerEvent {
  return Object.assign(new Event(type), { timeMs, ...NO_DETAILS, ...details }) as Event as RunnerEvent;
}

/** The types of which the last event replaces the earlier ones. */
const REPLACED: ReadonlySet<RunnerEventType> = new Set(['renewed', 'retrying']);

/** Events for a reader with its own pace. */
export class EventStream implements AsyncIterableIterator<RunnerEvent> {
  #unread: RunnerEvent[] = [];
  readonly #readers: ((result: IteratorResult<RunnerEvent, undefined>) => void)[] = [];
  readonly #onEnd: (stream: EventStream) => void;
  #ended = false;

  constructor(onEnd: (stream: EventStream) => void) {
    this.#onEnd = onEnd;
  }

  /** The queue stays bounded if the reader never returns. */
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
