// `locket-wasm watch`: prints locks and presences as they change, until a signal.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import type { Duration, LocketError, Resource, WatchEvent } from '../node.js';
import type { WatchOptions } from '../types.js';
import { asCfdot } from './cfdot.js';
import { duration, EXIT_FAILED, Failure, milliseconds, newCommand, nonEmpty } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP } from './connection.js';
import { table } from './list.js';
import { complain } from './terminal.js';

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
    .action((options: Options) => {
      const print = options.json ? printJson : options.table ? tablePrinter() : printLines;
      return watchLocket('watch', options, print);
    });
}

/** Adds the options of a watch. */
export function watching(command: Command): Command {
  return connecting(command)
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['lock', 'presence']))
    .addOption(new Option('--key <key>', 'only this key').argParser(nonEmpty))
    .option('--interval <duration>', 'the time between polls', duration, '5s')
    .option('--for <duration>', 'end after this time', duration);
}

/** Prints an event with this machine's time. */
export type Print = (event: WatchEvent, time: Date) => void;

/** Watches until a signal. Only the first of several errors in a row is printed. */
export async function watchLocket(command: string, options: Watching, print: Print): Promise<void> {
  const { kind, key, interval } = options;
  const { signal, stop } = endOf(options);
  let hasRead = false;
  let error: LocketError | undefined;
  await callLocket(command, options, async (locket) => {
    const given: WatchOptions = { ...(kind && { kind }), ...(key !== undefined && { key }), interval, signal };
    for await (const event of locket.watch(given)) {
      const isNew = event.type !== 'error' || error === undefined;
      error = event.type === 'error' ? event.error : undefined;
      hasRead ||= event.type !== 'error';
      if (isNew) print(event, new Date());
    }
  });
  stop();
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

function printJson(event: WatchEvent, time: Date): void {
  process.stdout.write(`${printableJson({ time: time.toISOString(), type: event.type, ...dataOf(event) })}\n`);
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

function printLines(event: WatchEvent, time: Date): void {
  if (event.type === 'error') return complain([`locket-wasm: ${event.error.message}; will poll again`]);
  const lines = event.type === 'snapshot' ? event.resources.map((resource) => ['held', resource] as const) : [[event.type, event.resource] as const];
  const previous = event.type === 'changed' && event.previous.owner !== event.resource.owner ? `${event.previous.owner} -> ` : '';
  for (const [what, { type, key, owner }] of lines) {
    process.stdout.write(`${printable(`${time.toISOString()}  ${what.padEnd(7)}  ${type.padEnd(8)}  ${key}  ${previous}${owner}`)}\n`);
  }
}

/** Prints the whole table after each change; without a terminal, one table below another. */
function tablePrinter(): Print {
  const held = new Map<string, Resource>();
  return (event, time) => {
    if (event.type === 'error') return complain([`locket-wasm: ${event.error.message}; will poll again`]);
    if (event.type === 'snapshot') for (const resource of event.resources) held.set(resource.key, resource);
    else if (event.type === 'removed') held.delete(event.resource.key);
    else held.set(event.resource.key, event.resource);
    const head = process.stdout.isTTY ? CLEAR_SCREEN : '';
    process.stdout.write(`${head}${time.toISOString()}\n${table([...held.values()], 'locks or presences', ['type'])}\n`);
  };
}

const CLEAR_SCREEN = '\u001b[H\u001b[2J';
