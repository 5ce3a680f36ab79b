// `locket-wasm locks` and `presences`: lists the owners of keys.

import type { Command } from 'commander';
import type { Resource } from 'locket-wasm';

import { columns } from '../src/js/base/text.js';
import { asCfdot } from './cfdot.js';
import { newCommand } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { reporting } from './printer.js';
import { type Line, type Report, toned } from './report.js';

export const locksCommand = (): Command => listCommand('locks', 'lock');
export const presencesCommand = (): Command => listCommand('presences', 'presence');

function listCommand(name: string, kind: 'lock' | 'presence'): Command {
  return connecting(newCommand(name, `list the ${name} and their owners`))
    .description(`Lists the ${name} and their owners, in Locket's order.`)
    .option('--json', `print a JSON object for each ${kind}, as cfdot does`)
    .addHelpText('after', `${CONNECTION_HELP}${examples(name)}`)
    .action(reporting((connection: Connection) => list(name, kind, connection), CONNECTION_FIELDS));
}

async function list(name: string, kind: 'lock' | 'presence', connection: Connection): Promise<Report> {
  const resources = await callLocket(name, connection, (locket) => locket.fetchAll({ kind }));
  return { text: () => table(resources, name), json: resources.map(asCfdot) };
}

const examples = (name: string): string => `
Examples:

  locket-wasm ${name} --url http://127.0.0.1:8891
  locket-wasm ${name} --url http://127.0.0.1:8891 --json | jq .owner
`;

const COLUMNS = ['key', 'owner', 'value'] as const;

/** Resources in columns, for people; `first` come before the usual ones. */
export function table(resources: readonly Resource[], name: string, first: readonly 'type'[] = []): Line[] {
  if (resources.length === 0) return [`no ${name}`];
  const shown = [...first, ...COLUMNS];
  const [titles = '', ...rows] = columns([shown, ...resources.map((resource) => shown.map((member) => resource[member]))]);
  return [toned('bold', titles), ...rows];
}
