// `locket-wasm advise`: which settings are safe, and what they cost; of all that a deployment manifest sets, too.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { printable, printableJson } from '../base/text.js';
import { type Advice, advise, type AdviseQuestion } from '../check-node.js';
import { type Duration, durationMs } from '../node.js';
import type { RunnerName } from '../types.js';
import { RUNNERS } from '../base/runner-name.js';
import { duration, ending, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand } from './command.js';
import { readText, writeText } from './files.js';
import { junit, type TestCase } from './junit.js';
import { type Finding, lint } from './lint.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, withQuestion } from './question.js';
import { adviceReport, type Judged } from './report.js';
import { type Paint, paintFor, StatusLine } from './terminal.js';
import { lookOf } from './verdict-look.js';

const DESCRIPTION = `Checks whether settings are safe within the given bounds, whether owners keep
their locks without faults, how much longer a pause may be, and what the
settings cost. For settings that fail, it gives the reason and the nearest
settings that pass: a longer lease, a shorter retry interval, the safe runner.
With --manifest it checks every job of a BOSH deployment manifest that keeps a
lock or presence in Locket, with the runner that ships; with --job it checks one
such job. Otherwise it checks the safe runner on the documented Locket; pass
--runner upstream --profile upstream for what Cloud Foundry ships.`;

const EXAMPLES = `
Exit code 1: some settings are not safe, an owner can lose its lock without a
fault, or a job cannot work with its settings. Exit code 5: there is no verdict,
or there is no job to check.

Production, with a latency of up to 2 s and a pause of up to 10 s:

  locket-wasm advise --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --latency 2s --pause 10s

A deployment, with a report for CI:

  locket-wasm advise --manifest cf.yml --set rep_ttl=45s --latency 1s --pause 5s \\
    --junit advice.xml

A cell's presence with a longer lease:

  locket-wasm advise --job rep --job-property diego.rep.locket.lock_ttl=45s \\
    --latency 1s --pause 20s
`;

interface Options extends QuestionOptions {
  runner: RunnerName;
  ttl: Duration;
  retryInterval?: Duration;
  manifest?: string[];
  set?: Map<string, string>;
  job?: string;
  jobProperty?: Map<string, string>;
  json?: true;
  junit?: string;
  html?: string;
}

const SETTINGS = ['ttl', 'retryInterval', 'runner', 'kind', 'clients'];

export function adviseCommand(): Command {
  const command = newCommand('advise', 'check whether settings are safe, and suggest better ones')
    .description(DESCRIPTION)
    .addOption(new Option('--runner <name>', 'the runner').choices(RUNNERS).default('safe'))
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short lease', duration)
    .addOption(new Option('--manifest <file...>', 'check the jobs of BOSH deployment manifests; - is standard input').conflicts([...SETTINGS, 'job']))
    .addOption(new Option('--set <name=value...>', 'set a variable of the manifest').argParser(assigned))
    .addOption(new Option('--job <name>', 'check a job of a BOSH release, such as rep').conflicts(SETTINGS))
    .addOption(new Option('--job-property <name=value...>', 'set a property of the job').argParser(assigned));
  return withQuestion(command)
    .option('--json', 'print the advice as JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .option('--html <file>', 'also write an HTML report, one file')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => (options.manifest === undefined ? adviseSettings(command, options) : adviseManifests(command, options)));
}

async function adviseSettings(command: Command, options: Options): Promise<void> {
  const { job, jobProperty, runner, ttl, retryInterval } = options;
  const settings =
    job === undefined
      ? { runner, ttl, ...(retryInterval !== undefined && { retryInterval }) }
      : { bosh: { job, properties: Object.fromEntries(jobProperty ?? []) } };
  const advice = await asker(command, options)(settings);
  const { overall: verdict, summary: message, text } = advice;
  const [first = '', ...others] = text.trimEnd().split('\n').map(printable);
  const paint = paintFor(process.stdout);
  process.stdout.write(options.json ? `${printableJson(advice)}\n` : `${[paint(lookOf(verdict).colour, first), ...others].join('\n')}\n`);
  conclude(options, [{ name: job ?? `${runner}, lease ${durationMs(ttl) / 1_000} s`, verdict, message, advice }]);
}

async function adviseManifests(command: Command, options: Options): Promise<void> {
  const manifests = (options.manifest ?? []).map((file) => ({ file, text: readText(file) }));
  const findings = await lint(manifests, options.set ?? new Map(), asker(command, options));
  const paint = paintFor(process.stdout);
  process.stdout.write(options.json ? `${printableJson({ findings })}\n` : findings.map((finding) => findingText(finding, paint)).join(''));
  conclude(
    options,
    findings.map((finding) => ({ ...finding, name: nameOf(finding) })),
  );
}

/** A function that asks for advice within the given bounds. */
function asker(command: Command, options: Options): (settings: AdviseQuestion) => Promise<Advice> {
  const { maxStates } = options;
  const { manifest, set, job, jobProperty, json, junit: _, html, runner, ttl, retryInterval, ...bounds } = options;
  return (settings) =>
    ending('advise', { ...OPTION_OF_FIELD, bosh: '--job' }, async () => {
      const { property, ...question } = questionOf('advise', bounds);
      // The property of a job depends on its kind, unless an option sets it.
      const asked = settings.bosh === undefined || command.getOptionValueSource('property') !== 'default';
      const status = new StatusLine();
      const advice = await advise({ ...question, ...(asked && property !== undefined && { property }), ...settings }, {
        ...(maxStates !== undefined && { maxStates }),
        onProgress: ({ alternatives }) => status.show(`${alternatives} other settings found`),
      });
      status.clear();
      return advice;
    });
}

const nameOf = ({ file, line, column, group, job }: Finding) => `${file}:${line}:${column}: ${group}/${job}`;

function findingText(finding: Finding, paint: Paint): string {
  const { verdict, message, advice } = finding;
  const head = `${paint(lookOf(verdict).colour, lookOf(verdict).mark)} ${printable(nameOf(finding))}`;
  if (advice === null) return `${head}: ${paint('bold', printable(message))}\n`;
  const lines = advice.text.trimEnd().split('\n');
  return [head, ...lines.map((line) => `  ${printable(line)}`), ''].join('\n');
}

/** Writes the reports, and sets the exit code. */
function conclude({ junit: xml, html }: Options, judged: Judged[]): void {
  if (xml !== undefined) writeText(xml, junit('locket-wasm advise', judged.map(caseOf)));
  if (html !== undefined) writeText(html, adviceReport(judged));
  const count = (...verdicts: Judged['verdict'][]) => judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const bad = count('unsafe', 'invalid');
  if (bad > 0) throw new Failure(EXIT_FAILED, judged.length === 1 ? 'the settings are not safe' : `${bad} of ${judged.length} jobs have settings that are not safe`);
  if (judged.length === 0) throw new Failure(EXIT_UNFINISHED, 'no verdict: no job in these manifests keeps a lock or presence in Locket');
  const open = judged.find(({ verdict }) => verdict !== 'safe');
  if (open !== undefined) throw new Failure(EXIT_UNFINISHED, `no verdict: ${open.verdict}`);
}

function caseOf({ name, verdict, message, advice }: Judged): TestCase {
  return { name, message, text: advice?.text ?? message, result: lookOf(verdict).result };
}

/** Names and values: `name=value`. */
function assigned(value: string, previous: Map<string, string> = new Map()): Map<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  const name = value.slice(0, at);
  if (previous.has(name)) throw new InvalidArgumentError(`The name ${name} appears twice.`);
  return previous.set(name, value.slice(at + 1));
}
