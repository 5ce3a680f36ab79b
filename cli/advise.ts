// `locket-wasm advise`: which settings are safe, and what they cost; of all that a deployment manifest sets, too.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Duration, durationMs } from 'locket-wasm';
import { type Advice, advise, type AdviseQuestion, type Question } from 'locket-wasm/check';
import type { RunnerName } from 'locket-wasm/types';

import { RUNNERS } from './question-options.js';
import { assumedLines, assumedProperties } from './bosh-specs.js';
import { declaredJobs, DECLARED_EXAMPLE } from './declared-jobs.js';
import { duration, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand } from './command.js';
import { readText } from './files.js';
import { suiteOf, type TestCase } from './junit.js';
import { type JobFinding, lint } from './lint.js';
import { manifestJobs } from './manifest.js';
import { checkNeeds } from './modes.js';
import { type Note, notesOf } from './notes.js';
import { reporting } from './printer.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, withQuestion } from './question.js';
import { indented, type Line, type Report, toned } from './report.js';
import { surviveReport } from './survive.js';
import { status } from './terminal.js';
import { checkJob, checkKept, checkProperty, type Unknown, unknownNames } from './unknown.js';
import { type Judgement, lookOf } from './verdict-look.js';

const DESCRIPTION = `Checks whether settings are safe within the given bounds, whether owners keep
their locks without faults, how much longer a pause may be, and what the
settings cost. For settings that fail, it gives the reason and the nearest
settings that pass: a longer lease, a shorter retry interval, the safe runner.
With --manifest it checks every job of a BOSH deployment manifest that keeps a
lock or presence in Locket, with the runner, the times and the switches of its
release. The report names the release and the source; without a version in releases: it assumes the newest.
It judges no job from before Locket, nor one of which something that decides is
not known. --declare names other jobs that keep a lock. With --job it checks one
job. Otherwise it checks the safe runner on the documented Locket; pass
--runner upstream --profile upstream for what Cloud Foundry ships.
For manifests it also names jobs and properties that it does not know.`;

const EXAMPLES = `
Exit code 1: some settings are not safe, an owner can lose its lock without a
fault, or a job cannot work with its settings. Exit code 5: there is no verdict,
or there is no job to check.

Production, with a latency of up to 2 s and a pause of up to 10 s:

  locket-wasm advise --runner upstream --profile upstream --ttl 15s \\
    --retry-interval 5s --latency 2s --fault pause=10s,1

A deployment, with a report for CI:

  locket-wasm advise --manifest cf.yml --set rep_ttl=45s --latency 1s \\
    --fault pause=5s,1 --junit advice.xml

A job that is not of Cloud Foundry, from a file with a line such as
${DECLARED_EXAMPLE}:

  locket-wasm advise --manifest cf.yml --declare jobs.yml

The bbs of an older release:

  locket-wasm advise --job bbs --release 2.102.0 --latency 1s --fault lost-message,1

A cell's presence with a longer lease:

  locket-wasm advise --job rep --job-property diego.rep.locket.lock_ttl=45s \\
    --latency 1s --fault pause=20s,1
`;

interface Options extends QuestionOptions {
  runner: RunnerName;
  ttl: Duration;
  retryInterval?: Duration;
  manifest?: string[];
  set?: Map<string, string>;
  declare?: string[];
  job?: string;
  jobProperty?: Map<string, string>;
  release?: string;
  survive?: true;
  svg?: string;
  json?: true;
  junit?: string;
}

/** Options about what another one names. */
const NEEDS = { declare: 'manifest', jobProperty: 'job', release: 'job', set: 'manifest', svg: 'survive' };
const SETTINGS = ['ttl', 'retryInterval', 'runner', 'kind', 'clients'];

export function adviseCommand(): Command {
  const command = newCommand('advise', 'check whether settings are safe, and suggest better ones')
    .description(DESCRIPTION)
    .addOption(new Option('--runner <name>', 'the runner').choices(RUNNERS).default('safe'))
    .option('--ttl <duration>', 'the lease, in whole seconds', duration, '15s')
    .option('--retry-interval <duration>', 'the retry interval; 5s by default, less for a short lease', duration)
    .addOption(new Option('--manifest <file...>', 'check the jobs of BOSH deployment manifests; - is standard input').conflicts([...SETTINGS, 'job']))
    .addOption(new Option('--set <name=value...>', 'set a variable of the manifest').argParser(assigned))
    .addOption(new Option('--declare <file...>', 'a list of other jobs, with key, TTL, retry interval and runner').conflicts([...SETTINGS, 'job']))
    .addOption(new Option('--job <name>', 'check a job of a BOSH release, such as rep').conflicts(SETTINGS))
    .addOption(new Option('--release <version>', 'the version of the release with this job; the newest by default').conflicts([...SETTINGS, 'manifest']))
    .addOption(new Option('--job-property <name=value...>', 'set a property of the job').argParser(assigned));
  return withQuestion(command)
    .addOption(new Option('--survive', 'find the cheapest settings that survive the faults, each of which happens once').conflicts(['manifest', 'junit']))
    .option('--svg <file>', 'also draw the costs of what --survive finds, as an SVG picture')
    .option('--json', 'print the advice as JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', EXAMPLES)
    .action(reporting((options: Options) => adviseAbout(command, options), OPTIONS));
}

function adviseAbout(command: Command, options: Options): Promise<Report> {
  checkNeeds(command, NEEDS);
  return options.manifest === undefined ? adviseSettings(command, options) : adviseManifests(options);
}

async function adviseSettings(command: Command, options: Options): Promise<Report> {
  const { job, jobProperty, release, runner, ttl, retryInterval } = options;
  const names = [...(jobProperty?.keys() ?? [])];
  if (job !== undefined) checkJob(job);
  if (job !== undefined) for (const name of names) checkProperty(job, name);
  const bosh = job === undefined ? undefined : { job, properties: Object.fromEntries(jobProperty ?? []), ...(release !== undefined && { version: release }) };
  if (options.survive === true) return surviveReport(command, options, bosh);
  const own: Question = { runner, ttl, ...(retryInterval !== undefined && { retryInterval }) };
  if (bosh !== undefined) checkKept(bosh);
  const advice = await asker(options)(bosh === undefined ? own : { bosh });
  const { overall: verdict, summary: message, text } = advice;
  const assumed = job === undefined ? [] : assumedProperties(names, advice);
  const [first = '', ...others] = [...text.trimEnd().split('\n'), ...assumedLines(assumed)];
  return {
    text: () => [toned(lookOf(verdict).colour, first), ...others],
    json: [advice],
    ...concluded([{ name: job ?? `${runner}, lease ${durationMs(ttl) / 1_000} s`, verdict, message, advice }]),
  };
}

async function adviseManifests(options: Options): Promise<Report> {
  const { manifest = [], set: variables = new Map<string, string>(), declare = [] } = options;
  const texts = manifest.map((file) => ({ file, text: readText(file) }));
  // All manifests are read before the first check, so that errors come at once.
  const declared = new Map(declare.flatMap((file) => declaredJobs(file, readText(file)).map((job) => [job.name, job])));
  const manifests = texts.map(({ file, text }) => manifestJobs(file, text, { variables, declared }));
  const unknown = unknownNames(manifests);
  const jobs = manifests.flatMap((one) => one.jobs);
  const findings = await lint(jobs, asker(options));
  const notes = notesOf(manifests, findings);
  return {
    text: () => [...findings.flatMap(findingLines), ...[...unknown, ...notes].map(noteLine)],
    json: [{ findings, unknown, notes }],
    ...concluded(findings.map((finding) => ({ ...finding, name: nameOf(finding) }))),
  };
}

/** A function that asks for advice within the given bounds. */
function asker(options: Options): (settings: AdviseQuestion) => Promise<Advice> {
  const { maxStates } = options;
  return (settings) =>
    advise(questionAbout(options, settings), {
      ...(maxStates !== undefined && { maxStates }),
      onProgress: ({ alternatives }) => status.show(`${alternatives} other settings found`),
    });
}

const OPTIONS = { ...OPTION_OF_FIELD, bosh: '--job', version: '--release' };

/** The question about settings within the given bounds. */
function questionAbout<S extends AdviseQuestion>(options: Options, settings: S): S {
  // The property of a job depends on its kind, unless an option sets it, or asks about a storage.
  const { property, ...others } = settings;
  return { ...others, ...(property !== undefined && options.storage === undefined && { property }), ...questionOf('advise', options) } as S;
}

const nameOf = ({ file, line, column, group, job }: JobFinding | Note | Unknown) => `${file}:${line}:${column}: ${group}/${job}`;

function findingLines(finding: JobFinding): Line[] {
  const { verdict, message, advice, assumed, declared } = finding;
  const { mark, colour } = lookOf(verdict);
  const head = [toned(colour, mark), ` ${nameOf(finding)}`];
  if (advice === null) return [[...head, ': ', toned('bold', message)]];
  const lines = [...(declared === null ? [] : [`${declared}.`]), ...advice.text.trimEnd().split('\n'), ...assumedLines(assumed)];
  return [head, ...lines.map((line) => indented('  ', line))];
}

const noteLine = (note: Note | Unknown): Line => [toned('yellow', '!'), ` ${nameOf(note)}: ${note.message}`];

/** A verdict on settings, or on a job in a manifest. */
interface Judged {
  name: string;
  verdict: Judgement;
  message: string;
  advice: Advice | null;
}

/** The cases of all verdicts, and why the command fails. */
function concluded(judged: readonly Judged[]): Pick<Report, 'failure' | 'suite'> {
  return {
    suite: () => suiteOf('locket-wasm advise', judged.map(caseOf)),
    failure: failureOf(judged),
  };
}

function failureOf(judged: readonly Judged[]): Failure | undefined {
  const count = (...verdicts: Judged['verdict'][]) => judged.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const bad = count('unsafe', 'invalid');
  const kept = judged.filter(({ verdict }) => verdict !== 'off');
  if (bad > 0) return new Failure(EXIT_FAILED, kept.length === 1 ? 'the settings are not safe' : `${bad} of ${kept.length} jobs have settings that are not safe`);
  if (kept.length === 0) return new Failure(EXIT_UNFINISHED, 'no verdict: no job in these manifests keeps a lock or presence in Locket');
  const open = kept.find(({ verdict }) => verdict !== 'safe');
  return open && new Failure(EXIT_UNFINISHED, `no verdict about ${open.name}`);
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
