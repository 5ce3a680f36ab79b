// `locket-wasm claim-lock` and `claim-presence`: one Lock call.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { EXIT_USAGE, Failure, newCommand, nonEmpty, PROGRAM, wholeNumber, wholeSeconds } from './command.js';
import { callLocket, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';

type Options = Connection & { key: string; owner: string; value?: string; ttl?: number };

export const claimLockCommand = (): Command => claimCommand('claim-lock', 'lock');
export const claimPresenceCommand = (): Command => claimCommand('claim-presence', 'presence');

function claimCommand(name: string, kind: 'lock' | 'presence'): Command {
  const command = newCommand(name, `take a ${kind} with one call`)
    .description(`Takes a ${kind}, or renews it for the same owner, with one call. It expires\nafter the TTL unless you call again.`)
    .addOption(new Option('-k, --key <key>', `key of the ${kind}`).argParser(nonEmpty).makeOptionMandatory())
    .addOption(new Option('-o, --owner <owner>', 'the owner').argParser(nonEmpty).makeOptionMandatory())
    .option('-v, --value <text>', 'a text to store beside the key')
    .addOption(new Option('-t, --ttl <duration>', 'the TTL, such as 15s or 1h; a plain number is seconds, as in cfdot').argParser(ttl))
    .option('--json', 'print the result as JSON');
  return connecting(command)
    .addHelpText('after', `${CONNECTION_HELP}${examples(name)}`)
    .action(reporting((options: Options) => claim(name, kind, options), CONNECTION_FIELDS));
}

async function claim(name: string, kind: 'lock' | 'presence', { key, owner, value = '', ttl, ...connection }: Options): Promise<Report> {
  if (ttl === undefined) throw new Failure(EXIT_USAGE, `no TTL; pass --ttl, such as --ttl 15s; see ${PROGRAM} ${name} --help`);
  await callLocket(name, connection, (locket) => locket.lock({ key, owner, value, kind, ttl: `${ttl}s` }));
  const resource = { key, owner, ...(value && { value }), type: kind, type_code: kind === 'lock' ? 1 : 2 };
  return { text: () => [`${owner} holds ${key} for ${ttl} s`], json: [{ resource, ttl_in_seconds: ttl }] };
}

/** The number of seconds. */
function ttl(value: string, previous: number | undefined): number {
  if (previous !== undefined) throw new InvalidArgumentError('The option is given twice.');
  return /^\d+$/.test(value) ? wholeNumber(value) : wholeSeconds(value);
}

const examples = (name: string): string => `
Exit code 3: Locket refused, for example with lock-collision: another owner
holds the key. Exit code 4: the outcome is unknown; the key may be taken.

Keep all other owners out for an hour:

  locket-wasm ${name} --url http://127.0.0.1:8891 -k bbs -o me --ttl 1h
`;
