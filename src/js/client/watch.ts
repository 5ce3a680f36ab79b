// Locks and presences as they change: the difference between two polls.

import { onAbort } from '#glue';

import { LocketError } from '../base/errors.js';
import { text } from '../base/checks.js';
import { type Duration, someMs } from '../base/duration.js';
import { abortSignal, checkedOptions, oneOf, optional } from '../base/options.js';
import type { CarrierMachine } from './carrier.js';
import type { Resource } from './resource.js';
import type { RunnerClock } from './runner/clock.js';

/** Options of {@link LocketClient.watch}. */
export interface WatchOptions {
  /** Only locks, or only presences; by default both. */
  kind?: 'lock' | 'presence';
  /** Only this key. */
  key?: string;
  /** The time from one poll to the next; `5s` by default. */
  interval?: Duration;
  /** Ends the watch. */
  signal?: AbortSignal;
}

/**
 * The result of a poll:
 *
 * * `snapshot`: all locks and presences; the first event.
 * * `added`, `removed`, `changed`: a new key, a deleted key, or another owner, value or type.
 *   `sinceMs` is the start of the poll that found it: the change came after that, and not after
 *   `timeMs`.
 * * `error`: the poll failed. The next one is compared with the last successful one.
 */
export type WatchEvent = {
  /**
   * When the poll ended, in milliseconds on the client's clock: a server's time, or since the page
   * or process began.
   */
  readonly timeMs: number;
} & (
  | { readonly type: 'snapshot'; readonly resources: readonly Resource[] }
  | { readonly type: 'added' | 'removed'; readonly sinceMs: number; readonly resource: Resource }
  | { readonly type: 'changed'; readonly sinceMs: number; readonly resource: Resource; readonly previous: Resource }
  | { readonly type: 'error'; readonly error: LocketError }
);

/** The part of a client that a watch needs. */
export interface Watched {
  clock: RunnerClock;
  /** The machine of the client, if it can be paused. */
  machine: CarrierMachine | undefined;
  list(kind: 'lock' | 'presence', signal: AbortSignal | undefined): Promise<Resource[]>;
}

const INTERVAL_DEFAULT_MS = 5_000;
const KINDS = ['lock', 'presence'] as const;
const OPTIONS = { kind: optional(oneOf(...KINDS)), signal: abortSignal, interval: optional(someMs), key: optional(text) };

/** Checks options at once, and polls when it is iterated. */
export function watch(options: WatchOptions, watched: Watched): AsyncIterableIterator<WatchEvent> {
  const { kind, key: only, interval: intervalMs = INTERVAL_DEFAULT_MS, signal } = checkedOptions(options, OPTIONS);
  const kinds = kind === undefined ? KINDS : [kind];
  const poll = async (): Promise<Resource[]> => {
    const lists = await Promise.all(kinds.map((each) => watched.list(each, signal)));
    return lists.flat().filter((resource) => only === undefined || resource.key === only);
  };
  return polls(poll, watched, intervalMs, signal);
}

async function* polls(
  poll: () => Promise<Resource[]>,
  { clock, machine }: Watched,
  intervalMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent, undefined, undefined> {
  let known: { at: Map<string, Resource>; sinceMs: number } | undefined;
  const isOver = (): boolean => signal?.aborted === true || machine?.ended !== undefined;
  while (!isOver()) {
    const { monotonicMs: begunMs } = clock.read();
    const found = await poll().catch((error: unknown) => failure(error));
    if (isOver()) break;
    const { monotonicMs: timeMs } = clock.read();
    if (Array.isArray(found)) {
      const next = new Map(found.map((resource) => [resource.key, resource]));
      if (known === undefined) yield { timeMs, type: 'snapshot', resources: found };
      else yield* differences(known.at, next, { timeMs, sinceMs: known.sinceMs });
      known = { at: next, sinceMs: begunMs };
    } else {
      yield { timeMs, type: 'error', error: found };
    }
    await pause(clock, machine, intervalMs, signal);
  }
  return undefined;
}

/** An error that is not a call's comes from the client's creator. */
function failure(error: unknown): LocketError {
  if (error instanceof LocketError) return error;
  throw error;
}

function* differences(known: Map<string, Resource>, next: Map<string, Resource>, when: { timeMs: number; sinceMs: number }): Generator<WatchEvent> {
  for (const [key, resource] of known) if (!next.has(key)) yield { ...when, type: 'removed', resource };
  for (const [key, resource] of next) {
    const previous = known.get(key);
    if (previous === undefined) yield { ...when, type: 'added', resource };
    else if (isChanged(previous, resource)) yield { ...when, type: 'changed', resource, previous };
  }
}

function isChanged(a: Resource, b: Resource): boolean {
  return a.owner !== b.owner || a.value !== b.value || a.type !== b.type || a.typeCode !== b.typeCode;
}

function pause(clock: RunnerClock, machine: CarrierMachine | undefined, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || machine?.ended) return resolve();
    const end = (): void => {
      stopTimer();
      stopListening?.();
      leave?.();
      resolve();
    };
    const atMs = clock.read().monotonicMs + ms;
    const stopTimer = clock.startTimer(ms, end);
    const stopListening = signal && onAbort(signal, end);
    const leave = clock.wait?.({ describe: () => ({ words: 'watches; its next poll is', atMs }), end });
  });
}
