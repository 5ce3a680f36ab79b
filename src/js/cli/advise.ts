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

const DESCRIPTION = `Says whether settings are safe within the given bounds, whether owners keep
their locks while nothing goes wrong, how much longer a machine may be paused,
and what the settings cost. Of settings that fail, it says why, and names the
nearest that do not: a longer lease, a shorter retry interval, the safe runner.
With --manifest it does so for every job in a BOSH deployment manifest that
keeps a lock or presence in Locket, as these jobs ship; with --job for one.
Otherwise it is about the safe runner on a Locket as documented, unless --runner
and --profile say otherwise: upstream for both is what Cloud Foundry ships.`;

const EXAMPLES = `
Exit code 1 says that settings are not safe, that an owner can lose its lock
without a fault, or that a job cannot work with them; 5 that there is no verdict,
also if there is nothing to judge.

Production, if messages take up to 2 s and a machine is paused for up to 10 s:

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
  const command = newCommand('advise', 'say which settings are safe, and what they cost')
    .description(DESCRIPTION)
    .addOption(new Option('--runner <name>', 'which runner it is').choices(RUNNERS).default('safe'))
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short lease', duration)
    .addOption(new Option('--manifest <file...>', 'deployment manifests; - is standard input').conflicts([...SETTINGS, 'job']))
    .addOption(new Option('--set <name=value...>', "a manifest's variables").argParser(assigned))
    .addOption(new Option('--job <name>', 'a job of a BOSH release, such as rep').conflicts(SETTINGS))
    .addOption(new Option('--job-property <name=value...>', 'its properties').argParser(assigned));
  return withQuestion(command)
    .option('--json', 'print the advice as JSON')
    .option('--junit <file>', 'also write a report as JUnit does')
    .option('--html <file>', 'also write a report for a browser, which needs nothing else')
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
  process.stdout.write(options.json ? `${printableJson({ findings })}\n` : findings.map((finding) => told(finding, paint)).join(''));
  conclude(
    options,
    findings.map((finding) => ({ ...finding, name: nameOf(finding) })),
  );
}

/** Asks for advice within the given bounds. */
function asker(command: Command, options: Options): (settings: AdviseQuestion) => Promise<Advice> {
  const { maxStates } = options;
  const { manifest, set, job, jobProperty, json, junit: _, html, runner, ttl, retryInterval, ...bounds } = options;
  return (settings) =>
    ending('advise', { ...OPTION_OF_FIELD, bosh: '--job' }, async () => {
      const { property, ...question } = questionOf('advise', bounds);
      // What is asked about a job depends on what it keeps, unless it is said.
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

function told(finding: Finding, paint: Paint): string {
  const { verdict, message, advice } = finding;
  const head = `${paint(lookOf(verdict).colour, lookOf(verdict).mark)} ${printable(nameOf(finding))}`;
  if (advice === null) return `${head}: ${paint('bold', printable(message))}\n`;
  const lines = advice.text.trimEnd().split('\n');
  return [head, ...lines.map((line) => `  ${printable(line)}`), ''].join('\n');
}

/** Writes the reports, and ends with the exit code of all. */
function conclude({ junit: xml, html }: Options, judged: Judged[]): void {
  if (xml !== undefined) writeText(xml, junit('locket-wasm advise', judged.map(caseOf)));
  if (html !== undefined) writeText(html, adviceReport(judged));
  const count = (...verdicts: Judged['verdict'][]) => judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const bad = count('unsafe', 'invalid');
  if (bad > 0) throw new Failure(EXIT_FAILED, judged.length === 1 ? 'the settings are not safe' : `the settings of ${bad} of ${judged.length} jobs are not safe`);
  if (judged.length === 0) throw new Failure(EXIT_UNFINISHED, 'nothing to judge: no job there keeps a lock or presence in Locket');
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
  if (previous.has(name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return previous.set(name, value.slice(at + 1));
}
