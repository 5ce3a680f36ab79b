// What a watch sees of a Locket, until a signal or the end of its time.

import type { Duration, LocketError, WatchEvent } from 'locket-wasm';
import type { WatchOptions } from 'locket-wasm/types';

import { asCfdot } from '../cfdot.js';
import { EXIT_FAILED, Failure, milliseconds } from '../command.js';
import { connect, type Connection } from '../connection.js';

/** The options of a watch. */
export interface Watching extends Connection {
  kind?: 'lock' | 'presence';
  key?: string;
  interval: Duration;
  for?: string;
}

/** An event, and this machine's time. */
export interface Seen {
  event: WatchEvent;
  time: Date;
}

/** The events until a signal. Only the first of several errors in a row is one of them. */
export async function* watchLocket(options: Watching): AsyncIterable<Seen> {
  const { kind, key, interval } = options;
  const { client, close } = connect('watch', options);
  const { signal, stop } = endOf(options);
  const given: WatchOptions = { ...(kind && { kind }), ...(key !== undefined && { key }), interval, signal };
  let hasRead = false;
  let error: LocketError | undefined;
  try {
    for await (const event of client.watch(given)) {
      const isNew = event.type !== 'error' || error === undefined;
      error = event.type === 'error' ? event.error : undefined;
      hasRead ||= event.type !== 'error';
      if (isNew) yield { event, time: new Date() };
    }
  } finally {
    stop();
    await close();
  }
  if (!hasRead) throw new Failure(EXIT_FAILED, `no poll succeeded${error === undefined ? ' in time' : `: ${error.message}`}`, error);
}

/** The end of the watch: a signal, or the end of `--for`. */
function endOf({ for: length }: Watching): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
  const timer = length === undefined ? undefined : setTimeout(end, milliseconds(length));
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}

/** The data of an event besides its type, in cfdot's format. */
export function dataOf(event: WatchEvent): object {
  switch (event.type) {
    case 'snapshot':
      return { resources: event.resources.map(asCfdot) };
    case 'changed':
      return { resource: asCfdot(event.resource), previous: asCfdot(event.previous) };
    case 'error':
      return { error: event.error.message };
    default:
      return { resource: asCfdot(event.resource) };
  }
}
