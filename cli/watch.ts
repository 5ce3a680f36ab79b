// `locket-wasm watch`: prints locks and presences as they change, until a signal.

import { type Command, Option } from 'commander';
import type { Resource, WatchEvent } from 'locket-wasm';

import { duration, newCommand, nonEmpty } from './command.js';
import { connecting, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { table } from './list.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { record } from './watch/record.js';
import { dataOf, watchLocket, type Watching } from './watch/seen.js';

type Options = Watching & { json?: true; output?: string; table?: true };

const DESCRIPTION = `Prints locks and presences with their owners, and then every change: one line
each, or JSON, or a table. Locket sends no notifications, so watch polls every
5 s; it does not see renewals, or a lock that comes and goes between two polls.`;

const EXAMPLES = `
It ends at SIGINT or SIGTERM, or after --for, with exit code 0. Exit code 1: no
poll succeeded.

  locket-wasm watch --url locket.service.cf.internal:8891 --kind presence
  locket-wasm watch --url http://127.0.0.1:8891 --key bbs --interval 1s --json

A record that diagnose reads with the logs of an incident. Each line is JSON, as
in Locket's own log, with this machine's time and the time of the previous poll.
It appends to an existing file, and ends with a line that says so:

  locket-wasm watch --url locket.service.cf.internal:8891 -o locks.log --for 8h
`;

export function watchCommand(): Command {
  return connecting(newCommand('watch', 'print locks and presences as they change'))
    .description(DESCRIPTION)
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['lock', 'presence']))
    .addOption(new Option('--key <key>', 'only this key').argParser(nonEmpty))
    .option('--interval <duration>', 'the time between polls', duration, '5s')
    .option('--for <duration>', 'end after this time', duration)
    .addOption(new Option('--json', 'print a JSON object for each change').conflicts('output'))
    .addOption(new Option('--table', 'print the whole table after each change').conflicts(['json', 'output']))
    .addOption(new Option('-o, --output <file>', 'record the changes to this file instead; - is standard output').argParser(nonEmpty))
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(watch, CONNECTION_FIELDS));
}

function watch({ output, ...options }: Options): AsyncIterable<Report> {
  return output === undefined ? printed(options) : record(watchLocket(options), output);
}

async function* printed(options: Options): AsyncIterable<Report> {
  const held = new Map<string, Resource>();
  for await (const { event, time } of watchLocket(options)) {
    const json = [{ time: time.toISOString(), type: event.type, ...dataOf(event) }];
    if (event.type === 'error') yield options.json ? { json } : { notes: [`locket-wasm: ${event.error.message}; will poll again`] };
    else yield { ...(options.table ? tableOf(event, time, held) : changeOf(event, time)), json };
  }
}

type Change = Exclude<WatchEvent, { type: 'error' }>;

/** A change in lines. */
function changeOf(event: Change, time: Date): Report {
  const lines = event.type === 'snapshot' ? event.resources.map((resource) => ['held', resource] as const) : [[event.type, event.resource] as const];
  const previous = event.type === 'changed' && event.previous.owner !== event.resource.owner ? `${event.previous.owner} -> ` : '';
  return { text: () => lines.map(([what, { type, key, owner }]) => `${time.toISOString()}  ${what.padEnd(7)}  ${type.padEnd(8)}  ${key}  ${previous}${owner}`) };
}

/** The whole table after a change; without a terminal, one table is below another. */
function tableOf(event: Change, time: Date, held: Map<string, Resource>): Report {
  if (event.type === 'snapshot') for (const resource of event.resources) held.set(resource.key, resource);
  else if (event.type === 'removed') held.delete(event.resource.key);
  else held.set(event.resource.key, event.resource);
  return { isScreen: true, text: () => [time.toISOString(), ...table([...held.values()], 'locks or presences', ['type']), ''] };
}
