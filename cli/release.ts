// `locket-wasm release-lock`: one Release call.

import { type Command, Option } from 'commander';

import { newCommand, nonEmpty } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import type { Report } from './report.js';
import { reporting } from './printer.js';

type Options = Connection & { key: string; owner: string };

const EXAMPLES = `
If no owner holds the key, the documented Locket refuses; the shipped one
reports success.

Force a failover: delete a lock so that another client can take it:

  locket-wasm release-lock --url http://127.0.0.1:8891 --key bbs --owner bbs-0
`;

export function releaseLockCommand(): Command {
  const command = newCommand('release-lock', 'release a lock or presence')
    .description('Releases a lock or presence of an owner, with one call.')
    .addOption(new Option('-k, --key <key>', 'the key').argParser(nonEmpty).makeOptionMandatory())
    .addOption(new Option('-o, --owner <owner>', 'the owner').argParser(nonEmpty).makeOptionMandatory())
    .option('--json', 'print the result as JSON');
  return connecting(command)
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(release, CONNECTION_FIELDS));
}

async function release({ key, owner, ...connection }: Options): Promise<Report> {
  await callLocket('release-lock', connection, (locket) => locket.release({ key, owner }));
  return { text: () => [`${owner} released ${key}`], json: [{ resource: { key, owner } }] };
}
