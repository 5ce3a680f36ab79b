// `locket-wasm claim-lock` and `claim-presence`: one Lock call.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { EXIT_USAGE, Failure, newCommand, nonEmpty, PROGRAM, wholeNumber, wholeSeconds } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_HELP } from './connection.js';

type Options = Connection & { key: string; owner: string; value?: string; ttl?: number; json?: true };

export const claimLockCommand = (): Command => claimCommand('claim-lock', 'lock');
export const claimPresenceCommand = (): Command => claimCommand('claim-presence', 'presence');

function claimCommand(name: string, kind: 'lock' | 'presence'): Command {
  const command = newCommand(name, `take a ${kind}, once`)
    .description(`Takes a ${kind}, or renews it for the same owner: one call. Nothing renews it\nafterwards, so it ends after the TTL.`)
    .addOption(new Option('-k, --key <key>', `the ${kind}'s key`).argParser(nonEmpty).makeOptionMandatory())
    .addOption(new Option('-o, --owner <owner>', 'whose it becomes').argParser(nonEmpty).makeOptionMandatory())
    .option('-v, --value <text>', 'text that is stored beside the key')
    .addOption(new Option('-t, --ttl <duration>', 'when it ends, such as 15s or 1h; a number is of seconds, as cfdot has it').argParser(ttl))
    .option('--json', 'print what was taken as JSON');
  return connecting(command)
    .addHelpText('after', `${CONNECTION_HELP}${examples(name)}`)
    .action(async (options: Options) => {
      const { key, owner, value = '', json } = options;
      const { ttl } = options;
      if (ttl === undefined) throw new Failure(EXIT_USAGE, `no TTL; pass --ttl, such as --ttl 15s; see ${PROGRAM} ${name} --help`);
      await callLocket(name, options, (locket) => locket.lock({ key, owner, value, kind, ttl: `${ttl}s` }));
      const resource = { key, owner, ...(value && { value }), type: kind, type_code: kind === 'lock' ? 1 : 2 };
      const line = json ? printableJson({ resource, ttl_in_seconds: ttl }) : printable(`${owner} holds ${key} for ${ttl} s`);
      process.stdout.write(`${line}\n`);
    });
}

/** The number of seconds. */
function ttl(value: string, previous: number | undefined): number {
  if (previous !== undefined) throw new InvalidArgumentError('It is given twice.');
  return /^\d+$/.test(value) ? wholeNumber(value) : wholeSeconds(value);
}

const examples = (name: string): string => `
Exit code 3 says that Locket refused it, such as with lock-collision: another
owner has it. 4 says that nobody knows: it may have been taken.

Keep the others out for an hour:

  locket-wasm ${name} --url http://127.0.0.1:8891 -k bbs -o operator --ttl 1h
`;
