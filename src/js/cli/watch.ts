// `locket-wasm watch`: locks and presences as they change, until it is told to end.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import type { Duration, LocketError, Resource, WatchEvent } from '../node.js';
import type { WatchOptions } from '../types.js';
import { asCfdot } from './cfdot.js';
import { duration, EXIT_FAILED, Failure, milliseconds, newCommand, nonEmpty } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP } from './connection.js';
import { table } from './list.js';
import { complain } from './terminal.js';

/** What is watched, and how long. */
export interface Watching extends Connection {
  kind?: 'lock' | 'presence';
  key?: string;
  interval: Duration;
  for?: string;
}

type Options = Watching & { json?: true; table?: true };

const DESCRIPTION = `Prints who holds what, and then every change: a line each, or JSON, or a table
that is drawn anew. Locket tells nobody of changes, so it is asked every 5 s:
renewals are not seen, nor is what comes and goes in between.`;

const EXAMPLES = `
It ends with SIGINT or SIGTERM, or after --for, with exit code 0; with 1 if
Locket could not be read once.

  locket-wasm watch --url locket.service.cf.internal:8891 --kind presence
  locket-wasm watch --url http://127.0.0.1:8891 --key bbs --interval 1s --json
`;

export function watchCommand(): Command {
  return watching(newCommand('watch', 'print locks and presences as they change'))
    .description(DESCRIPTION)
    .option('--json', 'print a JSON object for each change')
    .addOption(new Option('--table', 'draw all that there is, anew after each change').conflicts('json'))
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action((options: Options) => {
      const print = options.json ? printJson : options.table ? tablePrinter() : printLines;
      return watchLocket('watch', options, print);
    });
}

/** Gives a command the flags that say what is watched. */
export function watching(command: Command): Command {
  return connecting(command)
    .addOption(new Option('--kind <kind>', 'only these').choices(['lock', 'presence']))
    .addOption(new Option('--key <key>', 'only this one').argParser(nonEmpty))
    .option('--interval <duration>', 'how often to look', duration, '5s')
    .option('--for <duration>', 'end after so long', duration);
}

/** Tells an event, with the time by the machine's clock. */
export type Print = (event: WatchEvent, time: Date) => void;

/** Watches until it is told to end. Of errors in a row the first is told. */
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
  if (!hasRead) throw new Failure(EXIT_FAILED, `Locket could not be read${error === undefined ? ' in time' : `: ${error.message}`}`, error);
}

/** The moment at which to end: a signal, or the time that was said. */
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

/** What an event says besides its type, as cfdot would have it. */
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
  if (event.type === 'error') return complain([`locket-wasm: ${event.error.message}; looking again`]);
  const lines = event.type === 'snapshot' ? event.resources.map((resource) => ['held', resource] as const) : [[event.type, event.resource] as const];
  const previous = event.type === 'changed' && event.previous.owner !== event.resource.owner ? `${event.previous.owner} -> ` : '';
  for (const [what, { type, key, owner }] of lines) {
    process.stdout.write(`${printable(`${time.toISOString()}  ${what.padEnd(7)}  ${type.padEnd(8)}  ${key}  ${previous}${owner}`)}\n`);
  }
}

/** Draws the whole of it after each change; where nobody looks, one table below the other. */
function tablePrinter(): Print {
  const held = new Map<string, Resource>();
  return (event, time) => {
    if (event.type === 'error') return complain([`locket-wasm: ${event.error.message}; looking again`]);
    if (event.type === 'snapshot') for (const resource of event.resources) held.set(resource.key, resource);
    else if (event.type === 'removed') held.delete(event.resource.key);
    else held.set(event.resource.key, event.resource);
    const head = process.stdout.isTTY ? CLEAR_SCREEN : '';
    process.stdout.write(`${head}${time.toISOString()}\n${table([...held.values()], 'locks or presences', ['type'])}\n`);
  };
}

const CLEAR_SCREEN = '\u001b[H\u001b[2J';
