// `locket-wasm advise`: which settings are safe, and what they cost; and a line for each job of a deployment manifest.

import { type Command, Option } from 'commander';
import { type Advice, advise, type Question } from 'locket-wasm/check';

import { duration, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand } from './command.js';
import { readText } from './files.js';
import { suiteOf } from './junit.js';
import { type JobAdvice, type ManifestAdvice, manifestAdvice } from './manifest.js';
import { reporting } from './printer.js';
import { OPTION_OF_FIELD, questionOf, runnerName, runnerOption, withQuestion } from './question.js';
import { type Report, toned } from './report.js';
import { surviveReport, type SurviveOptions } from './survive.js';
import { status } from './terminal.js';
import { lookOf } from './verdict-look.js';

const DESCRIPTION = `Checks whether settings are safe within bounds, whether owners keep their locks
without faults, how much longer a pause could be, and what the settings cost.
For settings that fail, it says why and suggests the nearest that pass: a longer
TTL, a shorter retry interval, the safe runner.

With --manifest it judges the jobs of a BOSH deployment manifest, one line each:
the verdict, and the property that would change it. Otherwise it checks the safe
runner on the documented Locket; for what Cloud Foundry ships, pass
--runner diego-bbs@2.102.0, or --runner upstream --profile upstream.`;

const EXAMPLES = `
Exit code 1: some settings are not safe, or an owner can lose its lock without a
fault. Exit code 5: there is no verdict, or there is no job to check.

Production, with a latency of up to 2 s and a pause of up to 10 s:

  locket-wasm advise --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --latency 2s --fault pause=10s,1

A deployment, with a report for CI:

  locket-wasm advise --manifest cf.yml --latency 1s --fault pause=5s,1 \\
    --junit advice.xml

The bbs of an older release:

  locket-wasm advise --runner diego-bbs@2.102.0 --fault lost-message,1
`;

interface Options extends SurviveOptions {
  manifest?: string[];
  survive?: true;
  json?: true;
  junit?: string;
}

const SETTINGS = ['ttl', 'retryInterval', 'runner', 'kind', 'clients'];

export function adviseCommand(): Command {
  const command = newCommand('advise', 'check whether settings are safe, and suggest better ones')
    .description(DESCRIPTION)
    .addOption(runnerOption('--runner <name>', 'the runner').default('safe'))
    .option('--ttl <duration>', 'the TTL, in whole seconds; 15s by default', duration)
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short TTL', duration)
    .addOption(new Option('--manifest <file...>', 'judge the jobs of BOSH deployment manifests; - is standard input').conflicts(SETTINGS));
  return withQuestion(command)
    .addOption(new Option('--survive', 'find the cheapest settings that survive the faults, each happening once').conflicts(['manifest', 'junit']))
    .option('--json', 'print the advice as JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', EXAMPLES)
    .action(reporting(adviseAbout, OPTION_OF_FIELD));
}

function adviseAbout(options: Options): Promise<Report> {
  if (options.survive === true) return surviveReport(options);
  return options.manifest === undefined ? adviseSettings(options) : adviseManifests(options.manifest, options);
}

async function adviseSettings(options: Options): Promise<Report> {
  const { runner, ttl, retryInterval, maxStates } = options;
  const own: Question = { ...questionOf('advise', options), runner, ...(ttl !== undefined && { ttl }), ...(retryInterval !== undefined && { retryInterval }) };
  const advice = await advise(own, {
    ...(maxStates !== undefined && { maxStates }),
    onProgress: ({ alternatives }) => status.show(`${alternatives} other settings found`),
  });
  const { overall, summary: message, text } = advice;
  const [first = '', ...others] = text.trimEnd().split('\n');
  const { colour, result } = lookOf(overall);
  return {
    text: () => [toned(colour, first), ...others],
    json: [advice],
    suite: () => suiteOf('locket-wasm advise', [{ name: `${runnerName(runner)} runner`, message, text, result }]),
    failure: failureOf([{ name: `the ${runnerName(runner)} runner`, verdict: overall }]),
  };
}

async function adviseManifests(files: readonly string[], options: Options): Promise<Report> {
  const texts = files.map((file) => ({ file, text: readText(file) }));
  const known = new Map<string, Promise<string[]>>();
  const ask = (settings: Partial<Question>): Question => ({ ...questionOf('advise', options), ...settings });
  const manifests: ManifestAdvice[] = [];
  for (const { file, text } of texts) manifests.push(await manifestAdvice(file, text, ask, options.maxStates, known));
  const [jobs, notInTable] = [manifests.flatMap((it) => it.jobs), manifests.flatMap((it) => it.notInTable)];
  const others = `not judged, for they are not in the table and may keep a lock in Locket: ${notInTable.join(', ')}`;
  return {
    text: () => [
      ...jobs.map((it) => [toned(lookOf(it.verdict).colour, lookOf(it.verdict).mark), ` ${nameOf(it)}: ${it.message}`]),
      ...(notInTable.length === 0 ? [] : [[toned('yellow', '!'), ` ${others}`]]),
    ],
    json: [{ jobs, notInTable }],
    suite: () => suiteOf('locket-wasm advise', jobs.map((it) => ({ name: nameOf(it), message: it.message, text: it.message, result: lookOf(it.verdict).result }))),
    failure: failureOf(jobs.map((it) => ({ name: nameOf(it), verdict: it.verdict }))),
  };
}

const nameOf = ({ file, group, job, preset }: JobAdvice): string => `${file}: ${group}/${job}: ${preset}`;

function failureOf(judged: readonly { name: string; verdict: Advice['overall'] | JobAdvice['verdict'] }[]): Failure | undefined {
  const bad = judged.filter(({ verdict }) => verdict === 'unsafe').length;
  const kept = judged.filter(({ verdict }) => verdict !== 'off');
  if (bad > 0) return new Failure(EXIT_FAILED, kept.length === 1 ? 'the settings are not safe' : `${bad} of ${kept.length} jobs have settings that are not safe`);
  if (kept.length === 0) return new Failure(EXIT_UNFINISHED, 'no verdict: no job of the table keeps a lock or presence in these manifests');
  const open = kept.find(({ verdict }) => verdict !== 'safe');
  return open && new Failure(EXIT_UNFINISHED, `no verdict about ${open.name}`);
}
