// `locket-wasm conform`: compares an endpoint's answers with Locket's.

import { type Command, Option } from 'commander';
import type { LocketClient } from 'locket-wasm';

import { counted } from '../src/js/base/text.js';
import { EXIT_FAILED, Failure, newCommand, wholeNumber } from './command.js';
import type { Compared } from './conform/compare.js';
import { profileFor } from './conform/endpoint.js';
import { compareAll, sequencesOf } from './conform/run.js';
import { callLocket, connecting, type Connection, CONNECTION_FIELDS, CONNECTION_HELP } from './connection.js';
import { suiteOf, type TestCase } from './junit.js';
import { reporting } from './printer.js';
import { profileOf, type ProfileOptions, profileWords, withProfile } from './profile-options.js';
import type { Report } from './report.js';
import { complain, status } from './terminal.js';

const DESCRIPTION = `Compares an endpoint with the reference Locket: sends both the same calls, and
prints the differences. The calls are the cases recorded from the real server,
and random sequences. Use it for another implementation or a new release.`;

const EXAMPLES = `
It uses keys that begin with conform-, and releases them at the end.

It compares with the shipped Locket (--profile upstream). An endpoint that is
serve says which Locket it imitates, and is compared with that one. Another
--profile is an error at once, and so is a virtual clock.

Exit code 0: there is no difference. Exit code 1: there are differences. Exit
code 4: the endpoint gives no usable answer.

  locket-wasm conform --url locket.service.cf.internal:8891
  locket-wasm conform --url http://127.0.0.1:8891 --junit report.xml
`;

interface Options extends Connection, ProfileOptions {
  seed: number;
  sequences: number;
  json?: true;
  junit?: string;
}

export function conformCommand(): Command {
  const command = connecting(newCommand('conform', 'check whether an endpoint answers as Locket does')).description(DESCRIPTION);
  return withProfile(command, 'the Locket to compare with', undefined)
    .addOption(new Option('--seed <number>', 'the seed of the random sequences').argParser(wholeNumber).default(0))
    .addOption(new Option('--sequences <count>', 'the number of random sequences').argParser(wholeNumber).default(100))
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', `${CONNECTION_HELP}${EXAMPLES}`)
    .action(reporting(conform, CONNECTION_FIELDS));
}

/** The results. */
export interface Conformity {
  profile: string;
  seed: number;
  compared: Compared[];
}

async function conform(options: Options): Promise<Report> {
  const { seed, sequences } = options;
  const found = await callLocket('conform', options, async (client): Promise<Conformity> => {
    const { options: endpoint, note } = await profileFor(client, options);
    if (note !== undefined) complain([`locket-wasm: ${note}`]);
    const profile = profileWords(endpoint);
    const run = `conform-${Date.now().toString(36)}-${Math.floor(Math.random() * 36 ** 4).toString(36)}`;
    return { profile, seed, compared: await compareSequences(client, run, { ...options, ...endpoint }) };
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

/** The number of sequences with differences. */
function failuresOf({ compared }: Conformity): number {
  return compared.filter(({ differences }) => differences.length > 0).length;
}

function linesOf(found: Conformity, sequences: number): string[] {
  const { compared, profile, seed } = found;
  const calls = compared.reduce((sum, one) => sum + one.calls, 0);
  const failed = failuresOf(found);
  const verdict = failed === 0 ? `No difference from ${profile}.` : `${counted(failed, 'difference')} from ${profile}.`;
  const lines = casesOf(found).flatMap(({ name, result, text }) => (result === 'passed' ? [] : [name, ...text.split('\n').map((line) => `  ${line}`)]));
  const asked = `${counted(compared.length - sequences, 'recorded case')}, ${counted(sequences, 'sequence')} (seed ${seed})`;
  return [...lines, `${asked}, ${counted(calls, 'call')}. ${verdict}`];
}

function casesOf({ compared }: Conformity): TestCase[] {
  return compared.map(({ name, calls, differences }): TestCase => {
    const problems = differences.map(({ step, call, expected, got }) => `step ${step}: ${call.method} ${JSON.stringify(call.request)}\n  expected ${expected}\n  got      ${got}`);
    const [first] = problems;
    if (first === undefined) return { name, result: 'passed', message: '', text: counted(calls, 'call') };
    return { name, result: 'failure', message: first.split('\n')[0] as string, text: problems.join('\n') };
  });
}
