// `locket-wasm locks` and `presences`: lists the owners of keys.

import type { Command } from 'commander';

import { columns, printableJson } from '../base/text.js';
import type { Resource } from '../node.js';
import { asCfdot } from './cfdot.js';
import { newCommand } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP } from './connection.js';
import { paintFor } from './terminal.js';

type Options = Connection & { json?: true };

export const locksCommand = (): Command => listCommand('locks', 'lock');
export const presencesCommand = (): Command => listCommand('presences', 'presence');

function listCommand(name: string, kind: 'lock' | 'presence'): Command {
  return connecting(newCommand(name, `list the ${name} and their owners`))
    .description(`Lists the ${name} and their owners, in Locket's order.`)
    .option('--json', `print a JSON object for each ${kind}, as cfdot does`)
    .addHelpText('after', `${CONNECTION_HELP}${examples(name)}`)
    .action(async (options: Options) => {
      const resources = await callLocket(name, options, (locket) => locket.fetchAll({ kind }));
      process.stdout.write(options.json ? resources.map((resource) => `${printableJson(asCfdot(resource))}\n`).join('') : table(resources, name));
    });
}

const examples = (name: string): string => `
Examples:

  locket-wasm ${name} --url http://127.0.0.1:8891
  LOCKET_API_LOCATION=http://127.0.0.1:8891 locket-wasm ${name} --json | jq .owner
`;

const COLUMNS = ['key', 'owner', 'value'] as const;

/** Resources in columns, for people; `first` come before the usual ones. */
export function table(resources: readonly Resource[], name: string, first: readonly 'type'[] = []): string {
  if (resources.length === 0) return `no ${name}\n`;
  const shown = [...first, ...COLUMNS];
  const [titles = '', ...rows] = columns([shown, ...resources.map((resource) => shown.map((member) => resource[member]))]);
  return `${[paintFor(process.stdout)('bold', titles), ...rows].join('\n')}\n`;
}
