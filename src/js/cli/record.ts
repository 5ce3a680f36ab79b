// `locket-wasm record`: what `watch` sees, in a file, as lines of the form in which Locket itself logs.

import { closeSync, openSync, writeSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { printableJson } from '../base/text.js';
import type { WatchEvent } from '../node.js';
import { EXIT_FAILED, Failure, newCommand, nonEmpty } from './command.js';
import { CONNECTION_HELP } from './connection.js';
import { dataOf, watching, type Watching, watchLocket } from './watch.js';

type Options = Watching & { output: string };

const DESCRIPTION = `Writes who holds what, and then every change, into a file: a line of JSON each,
as Locket's own log has them, with the time of this machine, and that of the
look before. So diagnose reads it together with the logs of an incident.`;

const EXAMPLES = `
Lines are added to a file that is there. It ends with SIGINT or SIGTERM, or
after --for, with a line that says so.

  locket-wasm record --url locket.service.cf.internal:8891 -o locks.log --for 8h
`;

export function recordCommand(): Command {
  return watching(newCommand('record', 'write locks and presences as they change into a file'))
    .description(DESCRIPTION)
    .addOption(new Option('-o, --output <file>', 'where to; - is standard output').argParser(nonEmpty).makeOptionMandatory())
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(async ({ output, ...options }: Options) => {
      const file = output === '-' ? undefined : openFile(output);
      const write = (line: string): void => void (file === undefined ? process.stdout.write(line) : writeSync(file, line));
      await watchLocket('record', options, (event, time) => write(lineOf(event, time)));
      write(endLine(new Date()));
      if (file !== undefined) closeSync(file);
    });
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot write ${path}: ${(error as Error).message}`, error);
  }
}

const SOURCE = 'locket-wasm';

/** A line as lager writes it. */
function lineOf(event: WatchEvent, time: Date): string {
  return textOf(event.type === 'error' ? 'error' : 'info', event.type, time, { ...sinceOf(event, time), ...dataOf(event) });
}

/** Says that the record ends here, and not because it was cut off. */
function endLine(time: Date): string {
  return textOf('info', 'ended', time, {});
}

function textOf(level: string, what: string, time: Date, data: object): string {
  const line = { timestamp: time.toISOString(), level, source: SOURCE, message: `${SOURCE}.watch.${what}`, data: { session: '1', ...data } };
  return `${printableJson(line)}\n`;
}

/** When it was otherwise, by the same clock. */
function sinceOf(event: WatchEvent, time: Date): { since?: string } {
  return 'sinceMs' in event ? { since: new Date(time.getTime() - (event.timeMs - event.sinceMs)).toISOString() } : {};
}
