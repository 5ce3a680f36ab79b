// `locket-wasm record`: writes the events of `watch` to a file, in the format of Locket's own log.

import { closeSync, openSync, writeSync } from 'node:fs';

import { type Command, Option } from 'commander';

import { printableJson } from '../base/text.js';
import type { WatchEvent } from '../node.js';
import { EXIT_FAILED, Failure, newCommand, nonEmpty } from './command.js';
import { CONNECTION_HELP } from './connection.js';
import { dataOf, watching, type Watching, watchLocket } from './watch.js';

type Options = Watching & { output: string };

const DESCRIPTION = `Records locks and presences with their owners, and then every change, to a file.
Each line is JSON, as in Locket's own log, with this machine's time and the time
of the previous poll. So diagnose can read it with the logs of an incident.`;

const EXAMPLES = `
It appends to an existing file. It ends at SIGINT or SIGTERM, or after --for.

  locket-wasm record --url locket.service.cf.internal:8891 -o locks.log --for 8h
`;

export function recordCommand(): Command {
  return watching(newCommand('record', 'record changes of locks and presences to a file'))
    .description(DESCRIPTION)
    .addOption(new Option('-o, --output <file>', 'the file; - is standard output').argParser(nonEmpty).makeOptionMandatory())
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(async ({ output, ...options }: Options) => {
      const file = output === '-' ? undefined : openFile(output);
      const write = (line: string): void => void (file === undefined ? process.stdout.write(line) : writeSync(file, line));
      await watchLocket('record', options, (event, time) => write(lineOf(event, time)));
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

/** A line in lager's format. */
function lineOf(event: WatchEvent, time: Date): string {
  const level = event.type === 'error' ? 'error' : 'info';
  const line = { timestamp: time.toISOString(), level, source: SOURCE, message: `${SOURCE}.watch.${event.type}`, data: { session: '1', ...sinceOf(event, time), ...dataOf(event) } };
  return `${printableJson(line)}\n`;
}

/** The time of the previous state, by the same clock. */
function sinceOf(event: WatchEvent, time: Date): { since?: string } {
  return 'sinceMs' in event ? { since: new Date(time.getTime() - (event.timeMs - event.sinceMs)).toISOString() } : {};
}
