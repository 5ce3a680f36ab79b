// `locket-wasm watch`: prints locks and presences as they change, until a signal.

import { type Command, Option } from 'commander';
import type { Duration, LocketError, Resource, WatchEvent } from 'locket-wasm';
import type { WatchOptions } from 'locket-wasm/types';

import { asCfdot } from './cfdot.js';
import { duration, EXIT_FAILED, Failure, milliseconds, newCommand, nonEmpty } from './command.js';
import { connect, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { table } from './list.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';

/** The options of a watch. */
export interface Watching extends Connection {
  kind?: 'lock' | 'presence';
  key?: string;
  interval: Duration;
  for?: string;
}

type Options = Watching & { json?: true; table?: true };

const DESCRIPTION = `Prints locks and presences with their owners, and then every change: one line
each, or JSON, or a table. Locket sends no notifications, so watch polls every
5 s; it does not see renewals, or a lock that comes and goes between two polls.`;

const EXAMPLES = `
It ends at SIGINT or SIGTERM, or after --for, with exit code 0. Exit code 1: no
poll succeeded.

  locket-wasm watch --url locket.service.cf.internal:8891 --kind presence
  locket-wasm watch --url http://127.0.0.1:8891 --key bbs --interval 1s --json
`;

export function watchCommand(): Command {
  return watching(newCommand('watch', 'print locks and presences as they change'))
    .description(DESCRIPTION)
    .option('--json', 'print a JSON object for each change')
    .addOption(new Option('--table', 'print the whole table after each change').conflicts('json'))
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(watch, CONNECTION_FIELDS));
}

/** Adds the options of a watch. */
export function watching(command: Command): Command {
  return connecting(command)
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['lock', 'presence']))
    .addOption(new Option('--key <key>', 'only this key').argParser(nonEmpty))
    .option('--interval <duration>', 'the time between polls', duration, '5s')
    .option('--for <duration>', 'end after this time', duration);
}

async function* watch(options: Options): AsyncIterable<Report> {
  const held = new Map<string, Resource>();
  for await (const { event, time } of watchLocket('watch', options)) {
    const json = [{ time: time.toISOString(), type: event.type, ...dataOf(event) }];
    if (event.type === 'error') yield options.json ? { json } : { notes: [`locket-wasm: ${event.error.message}; will poll again`] };
    else yield { ...(options.table ? tableOf(event, time, held) : changeOf(event, time)), json };
  }
}

/** An event, and this machine's time. */
export interface Seen {
  event: WatchEvent;
  time: Date;
}

/** The events until a signal. Only the first of several errors in a row is one of them. */
export async function* watchLocket(command: string, options: Watching): AsyncIterable<Seen> {
  const { kind, key, interval } = options;
  const { client, close } = connect(command, options);
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
