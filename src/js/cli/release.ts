// `locket-wasm release-lock`: one Release call.

import { type Command, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { newCommand, nonEmpty } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP } from './connection.js';

type Options = Connection & { key: string; owner: string; json?: true };

const EXAMPLES = `
Whether a key that nobody holds is refused depends on the Locket: the one that
ships says that all went well.

Make the owner of a lock stop, as an operator does to force a failover:

  locket-wasm release-lock --url http://127.0.0.1:8891 --key bbs --owner bbs-0
`;

export function releaseLockCommand(): Command {
  const command = newCommand('release-lock', 'give up a lock or presence')
    .description('Gives up a lock, or a presence, of an owner: one call.')
    .addOption(new Option('-k, --key <key>', 'its key').argParser(nonEmpty).makeOptionMandatory())
    .addOption(new Option('-o, --owner <owner>', 'whose it is').argParser(nonEmpty).makeOptionMandatory())
    .option('--json', 'print what was released as JSON');
  return connecting(command)
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(async (options: Options) => {
      const { key, owner, json } = options;
      await callLocket('release-lock', options, (locket) => locket.release({ key, owner }));
      process.stdout.write(`${json ? printableJson({ resource: { key, owner } }) : printable(`${owner} released ${key}`)}\n`);
    });
}
