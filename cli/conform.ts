// `locket-wasm conform`: compares an endpoint's answers with Locket's.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LocketClient } from 'locket-wasm';

import { counted } from '../src/js/base/text.js';
import { duration, EXIT_FAILED, Failure, milliseconds, newCommand, wholeNumber } from './command.js';
import type { Compared } from './conform/compare.js';
import { profileFor } from './conform/endpoint.js';
import { judge, type Violation } from './conform/history.js';
import { compareAll, sequencesOf } from './conform/run.js';
import { soak } from './conform/soak.js';
import { callLocket, connect, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { suiteOf, type TestCase } from './junit.js';
import { reporting } from './printer.js';
import { profileOf, type ProfileOptions, profileWords, withProfile } from './profile-options.js';
import type { Report } from './report.js';
import { complain, status } from './terminal.js';

const DESCRIPTION = `Compares an endpoint with the reference Locket: sends both the same calls, and
prints the differences. The calls are the cases recorded from the real server,
and random sequences. Use it for another implementation or a new release.`;

const EXAMPLES = `
It uses keys that begin with conform-, and releases them at the end. With --soak
several owners compete for a few keys. Their history is checked: no two owners
at the same time, no lease that ends early or late, no lost release.

It compares with the shipped Locket (--profile upstream). An endpoint that is
serve says which Locket it imitates, and is compared with that one. Another
--profile is an error at once, and so is a virtual clock.

Exit code 0: there is no difference. Exit code 1: there are differences. Exit
code 4: the endpoint gives no usable answer.

  locket-wasm conform --url locket.service.cf.internal:8891
  locket-wasm conform --url http://127.0.0.1:8891 --soak 5m --junit report.xml
`;

interface Options extends Connection, ProfileOptions {
  seed: number;
  sequences: number;
  soak?: string;
  owners: number;
  json?: true;
  junit?: string;
}

export function conformCommand(): Command {
  const command = connecting(newCommand('conform', 'check whether an endpoint answers as Locket does')).description(DESCRIPTION);
  return withProfile(command, 'the Locket to compare with', undefined)
    .addOption(new Option('--seed <number>', 'the seed of the random sequences').argParser(wholeNumber).default(0))
    .addOption(new Option('--sequences <count>', 'the number of random sequences').argParser(wholeNumber).default(100))
    .option('--soak <duration>', 'let owners compete for this long, such as 5m', duration)
    .addOption(new Option('--owners <count>', 'the number of competing owners').argParser(owners).default(5))
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(conform, CONNECTION_FIELDS));
}

/** One owner alone cannot compete. */
function owners(text: string): number {
  const count = wholeNumber(text);
  if (count < 2) throw new InvalidArgumentError('Expected at least 2.');
  return count;
}

/** The results. */
export interface Conformity {
  profile: string;
  seed: number;
  compared: Compared[];
  /** The competition's results by key, if there was one. */
  soaked: { key: string; calls: number; violations: Violation[] }[];
}

async function conform(options: Options): Promise<Report> {
  const { seed, sequences, soak: soakFor } = options;
  const found = await callLocket('conform', options, async (client): Promise<Conformity> => {
    const { options: endpoint, note } = await profileFor(client, options);
    if (note !== undefined) complain([`locket-wasm: ${note}`]);
    const profile = profileWords(endpoint);
    const run = `conform-${Date.now().toString(36)}-${Math.floor(Math.random() * 36 ** 4).toString(36)}`;
    const compared = await compareSequences(client, run, { ...options, ...endpoint });
    const soaked = soakFor === undefined ? [] : await fight(client, run, milliseconds(soakFor), options);
    return { profile, seed, compared, soaked };
  });
  const failed = failuresOf(found);
  return {
    text: () => linesOf(found, sequences),
    json: [found],
    suite: () => suiteOf(`conform ${found.profile}`, casesOf(found)),
    failure: failed > 0 ? new Failure(EXIT_FAILED, `${counted(failed, 'difference')} from ${found.profile}`) : undefined,
  };
}

async function compareSequences(client: LocketClient, run: string, options: Options): Promise<Compared[]> {
  const { seed, sequences, database = 'postgres' } = options;
  const all = sequencesOf({ seed, sequences, database });
  let prefixes = 0;
  const prefix = (): string => `${run}-${(prefixes += 1)}-`;
  const compared = await compareAll(all, { client, profile: profileOf(options), prefix }, (done) => status.show(`${done}/${all.length} sequences`));
  return compared.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** As many keys as owners, so that each owner waits for some and holds some; each has a connection. */
async function fight(client: LocketClient, run: string, forMs: number, options: Options): Promise<Conformity['soaked']> {
  const others = Array.from({ length: options.owners - 1 }, () => connect('conform', options));
  const clients = [client, ...others.map((other) => other.client)];
  const untilMs = performance.now() + forMs;
  try {
    const histories = await soak({ clients, prefix: `${run}-soak-`, keys: clients.length, seed: options.seed, untilMs });
    return [...histories].map(([key, history]) => ({ key, calls: history.length, violations: judge(history) }));
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
}

/** The number of sequences and keys with problems. */
function failuresOf({ compared, soaked }: Conformity): number {
  return compared.filter(({ differences }) => differences.length > 0).length + soaked.filter(({ violations }) => violations.length > 0).length;
}

function linesOf(found: Conformity, sequences: number): string[] {
  const { compared, soaked, profile, seed } = found;
  const calls = compared.reduce((sum, one) => sum + one.calls, 0) + soaked.reduce((sum, one) => sum + one.calls, 0);
  const fought = soaked.length === 0 ? '' : `, a competition for ${counted(soaked.length, 'key')}`;
  const failed = failuresOf(found);
  const verdict = failed === 0 ? `No difference from ${profile}.` : `${counted(failed, 'difference')} from ${profile}.`;
  const lines = casesOf(found).flatMap(({ name, result, text }) => (result === 'passed' ? [] : [name, ...text.split('\n').map((line) => `  ${line}`)]));
  const asked = `${counted(compared.length - sequences, 'recorded case')}, ${counted(sequences, 'sequence')} (seed ${seed})`;
  return [...lines, `${asked}${fought}, ${counted(calls, 'call')}. ${verdict}`];
}

function casesOf({ compared, soaked }: Conformity): TestCase[] {
  const sequences = compared.map(({ name, calls, differences }) => {
    const text = differences.map(({ step, call, expected, got }) => `step ${step}: ${call.method} ${JSON.stringify(call.request)}\n  expected ${expected}\n  got      ${got}`);
    return caseOf(name, counted(calls, 'call'), text);
  });
  const fights = soaked.map(({ key, calls, violations }) => {
    return caseOf(`competition for ${key}`, counted(calls, 'call'), violations.map(({ kind, message }) => `${kind}: ${message}`));
  });
  return [...sequences, ...fights];
}

function caseOf(name: string, passed: string, problems: readonly string[]): TestCase {
  const [first] = problems;
  if (first === undefined) return { name, result: 'passed', message: '', text: passed };
  return { name, result: 'failure', message: first.split('\n')[0] as string, text: problems.join('\n') };
}
