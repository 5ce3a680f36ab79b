// `locket-wasm record`: writes the events of `watch` to a file, in the format of Locket's own log.

import { closeSync, openSync, writeSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { printableJson } from '../src/js/base/text.js';
import { EXIT_FAILED, Failure, newCommand, nonEmpty } from './command.js';
import { CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { dataOf, type Seen, watching, type Watching, watchLocket } from './watch.js';

type Options = Watching & { output: string };

const DESCRIPTION = `Records locks and presences with their owners, and then every change, to a file.
Each line is JSON, as in Locket's own log, with this machine's time and the time
of the previous poll. So diagnose can read it with the logs of an incident.`;

const EXAMPLES = `
It appends to an existing file. It ends at SIGINT or SIGTERM, or after --for,
with a line that says so.

  locket-wasm record --url locket.service.cf.internal:8891 -o locks.log --for 8h
`;

export function recordCommand(): Command {
  return watching(newCommand('record', 'record changes of locks and presences to a file'))
    .description(DESCRIPTION)
    .addOption(new Option('-o, --output <file>', 'the file; - is standard output').argParser(nonEmpty).makeOptionMandatory())
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(record, CONNECTION_FIELDS));
}

async function* record({ output, ...options }: Options): AsyncIterable<Report> {
  const file = output === '-' ? undefined : openFile(output);
  for await (const line of recordedLines(options)) {
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
async function* recordedLines(options: Watching): AsyncIterable<string> {
  for await (const seen of watchLocket('record', options)) {
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
