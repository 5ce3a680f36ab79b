// `watch --output`: appends what a watch sees to a file, in the format of Locket's own log.

import { closeSync, openSync, writeSync } from 'node:fs';

import { printableJson } from '../../src/js/base/text.js';
import { EXIT_FAILED, Failure } from '../command.js';
import type { Report } from '../report.js';
import { dataOf, type Seen } from './seen.js';

export async function* record(seen: AsyncIterable<Seen>, output: string): AsyncIterable<Report> {
  const file = output === '-' ? undefined : openFile(output);
  for await (const line of recordedLines(seen)) {
    if (file === undefined) yield { text: () => [line] };
    else writeSync(file, `${line}\n`);
  }
  if (file !== undefined) closeSync(file);
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot write ${path}: ${(error as Error).message}`, error);
  }
}

const SOURCE = 'locket-wasm';

/** Lines in lager's format. The last one says that the record ends here, and was not cut off. */
async function* recordedLines(all: AsyncIterable<Seen>): AsyncIterable<string> {
  for await (const seen of all) {
    const { event, time } = seen;
    yield lineOf(event.type === 'error' ? 'error' : 'info', event.type, time, { ...sinceOf(seen), ...dataOf(event) });
  }
  yield lineOf('info', 'ended', new Date(), {});
}

function lineOf(level: string, what: string, time: Date, data: object): string {
  return printableJson({ timestamp: time.toISOString(), level, source: SOURCE, message: `${SOURCE}.watch.${what}`, data: { session: '1', ...data } });
}

/** The time of the previous state, by the same clock. */
function sinceOf({ event, time }: Seen): { since?: string } {
  return 'sinceMs' in event ? { since: new Date(time.getTime() - (event.timeMs - event.sinceMs)).toISOString() } : {};
}
