// `locket-wasm diagnose`: from real logs to an explanation.

import { accessSync, constants, createReadStream, statSync } from 'node:fs';

import type { Command } from 'commander';
import { type Duration, init, runScenario } from 'locket-wasm';
import { type Advice, advise, questionOfRun } from 'locket-wasm/check';
import {
  type Diagnosis,
  diagnose,
  type DiagnoseOptions,
  diagnosisText,
  type LogSource,
  type Reproduction,
  reproductionOf,
  type RunnerSettings,
} from 'locket-wasm/diagnose';

import { counted, printableJsonLines } from '../src/js/base/text.js';
import { length } from '../src/js/base/times.js';
import { duration, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand } from './command.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { scenarioFile } from './scenario-file.js';
import { status } from './terminal.js';
import { replayed, type Replayed, settingsWords, type WhatIf, whatIfLines } from './what-if.js';

const DESCRIPTION = `Explains an incident from real logs of Locket and its clients (bbs, auctioneer,
rep, ...) and files of watch. It shows which client held each lock, which client
believed it, where two owners or none existed, and why. Pass the log of every
Locket and of every client of the key: each file is one machine with its own
clock. Logs may be gzipped, incomplete, out of order or mixed with other lines,
in UTF-8 or UTF-16, or escaped in JSON by an export; times may be Unix or RFC
3339. Whatever the logs do not show is reported, and widens the intervals.`;

const EXAMPLES = `
Collect /var/vcap/sys/log/locket/locket.stdout.log of every Locket, and the same
file of bbs, auctioneer or rep.

Exit code 0: the logs show no incident. Exit code 1: they show one that is
certain or likely, or a file cannot be read. Exit code 5: they have no line
about locks or about a key of --expect, or an incident is possible and its log
is missing.

Examples:

  locket-wasm diagnose locket-*.log bbs-*.log
  locket-wasm diagnose *.log --scenario incident.json
  locket-wasm run incident.json
  locket-wasm diagnose *.log --advise

The schema of --json is locket-wasm/diagnosis.schema.json. A finding is certain,
likely or possible, and so is its cause; from and to are the bounds of its start
and end.
`;

interface Options {
  ttl?: Duration;
  expect?: string[];
  all?: true;
  json?: true;
  scenario?: string;
  advise?: true;
}

export function diagnoseCommand(): Command {
  return newCommand('diagnose', 'explain an incident from logs of Locket and its clients')
    .description(DESCRIPTION)
    .argument('<file...>', 'logs; - is standard input')
    .option('--ttl <duration>', 'the TTL of keys if no line shows it, such as 15s', duration)
    .option('--expect <key>', 'a key that some line should be about; again for more', (key, others: string[] = []) => [...others, key])
    .option('--all', 'print every finding, not only the worst five')
    .option('--json', 'print the diagnosis as JSON')
    .option('--scenario <file>', 'also write a scenario that reproduces the incident')
    .option('--advise', 'also find settings that prevent the incident; with --json, as a second line')
    .addHelpText('after', EXAMPLES)
    .action(reporting(diagnoseFiles, { sources: '<file...>' }));
}

async function* diagnoseFiles(files: string[], options: Options): AsyncIterable<Report> {
  const { scenario, all } = options;
  const diagnosis = await read(files, options);
  yield { text: () => diagnosisText(diagnosis, all ? { findings: diagnosis.findings.length } : {}).trimEnd().split('\n'), json: [diagnosis] };
  if (scenario !== undefined || options.advise) yield* reproduced(diagnosis, options);
  yield { failure: failureOf(diagnosis, options) };
}

async function read(files: string[], { ttl, expect = [] }: Options): Promise<Diagnosis> {
  const total = files.map(sizeOf).reduce((sum, size) => sum + size, 0);
  const onProgress = (progress: Progress) => status.show(readWords(progress, total));
  return diagnose(files.map(sourceOf), { expect, ...(ttl !== undefined && { ttl }), ...(total < Infinity && { totalBytes: total }), onProgress });
}

type Progress = Parameters<NonNullable<DiagnoseOptions['onProgress']>>[0];

/** How far reading is, and how long it takes if it goes on like this; a stream's end is not known. */
function readWords({ bytes, lines, leftMs }: Progress, total: number): string {
  const read = `${megabytes(bytes)} of ${megabytes(total)} MB read, ${counted(lines, 'line')}`;
  if (total === Infinity) return `${megabytes(bytes)} MB read, ${counted(lines, 'line')}`;
  return leftMs === undefined ? read : `${read}, about ${length(Math.ceil(leftMs / 1000) * 1000)} left`;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** How much of a file is read at once. The engine gives it back with its other garbage, so more takes more memory, and is not faster. */
const READ_BYTES = 16_384;

function sourceOf(file: string): LogSource {
  if (file === '-') return { name: 'standard input', data: process.stdin };
  return { name: file, data: createReadStream(file, { highWaterMark: READ_BYTES }) };
}

/** A file's length; that of a stream has no bound. An unreadable file is reported before any work starts. */
function sizeOf(file: string): number {
  if (file === '-') return Infinity;
  try {
    accessSync(file, constants.R_OK);
    const stats = statSync(file);
    if (stats.isDirectory()) throw new Error('it is a folder; pass its files');
    return stats.isFile() ? stats.size : Infinity;
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot read ${file}: ${(error as Error).message}`, error);
  }
}

async function* reproduced(diagnosis: Diagnosis, { scenario: file, advise: isAsked }: Options): AsyncIterable<Report> {
  const found = reproductionOf(diagnosis);
  if (found === null) throw new Failure(EXIT_UNFINISHED, 'no scenario: the logs show no incident that a scenario can reproduce');
  if (file !== undefined) {
    const { failures } = runScenario(found.scenario);
    const how = failures.length === 0 ? 'it reproduces the incident' : `it reproduces the incident only in part: ${failures[0]}`;
    yield { files: scenarioFile(file, printableJsonLines(found.scenario)), notes: file === '-' ? [] : [`scenario: ${file}: ${how}`] };
  }
  if (isAsked) yield await advice(found);
}

/** Advice about the settings of an incident. */
export interface IncidentAdvice extends Advice {
  /** Parts of the incident that no search tries. */
  notSearched: string[];
  /** How the scenario of the logs ends with other settings, a sentence each. */
  trials: string[];
  /** The scenario of the logs as it was, and with the settings that are advised first, if there are any. */
  whatIf: WhatIf[];
}

/** Settings that prevent the incident: safe within its bounds, and tried in its scenario. */
async function advice(found: Reproduction): Promise<Report> {
  await init();
  const { bounds, outside } = questionOfRun(found.scenario);
  const given = await advise({ ...bounds, ...found.question, faults: { ...bounds.faults, ...found.question.faults } }, { maxStates: STATES_MAX, onProgress: ({ alternatives }) => status.show(`${alternatives} other settings found`) });
  const notSearched = outside.map(({ words }) => words);
  const trials = trialsOf(found, given);
  const [best] = given.verdict === 'safe' ? [] : given.alternatives;
  const whatIf = [replayed(found), ...(best === undefined ? [] : [replayed(found, best)])].map((run) => run.whatIf);
  return {
    text: () => [
      '',
      `Settings that prevent this incident: ${found.finding.summary}`,
      ...given.text.trimEnd().split('\n'),
      ...notSearched.map((words) => `Not searched: ${words}.`),
      ...trials,
      ...whatIfLines(whatIf),
    ],
    json: [{ ...given, notSearched, trials, whatIf } satisfies IncidentAdvice],
  };
}

/** This many take at most a minute; an incident's bounds can have far more. */
const STATES_MAX = 200_000;

/** The outcome of the scenario with other settings, or with its own if these are safe. */
function trialsOf(found: Reproduction, { verdict, alternatives }: Advice): string[] {
  if (verdict === 'safe') {
    const { isIncident, text } = replayed(found);
    if (isIncident) return [`But the scenario of these logs ${text} with these settings; other settings do not prevent it.`];
  }
  return alternatives.map((settings) => trialWords(settings, replayed(found, settings)));
}

function trialWords(settings: RunnerSettings, { isIncident, text }: Replayed): string {
  return `${isIncident ? 'Not enough' : 'Tried'}: the scenario of these logs ${text} with the ${settingsWords(settings)}.`;
}

function failureOf({ findings, groups, verdict, toMs, keys }: Diagnosis, { expect = [] }: Options): Failure | undefined {
  if (toMs === 0) return new Failure(EXIT_UNFINISHED, 'no verdict: the files have no line about locks');
  if (verdict === 'possible') return new Failure(EXIT_UNFINISHED, 'no verdict: an incident is possible, and the logs do not show whether it happened');
  const incidents = groups.filter(([first = 0]) => findings[first]?.severity === 'incident' && findings[first].certainty !== 'possible').length;
  if (incidents > 0) return new Failure(EXIT_FAILED, `the logs show ${counted(incidents, 'incident')}`);
  return expect.every((key) => keys.some((one) => one.key === key)) ? undefined : new Failure(EXIT_UNFINISHED, 'no verdict: no line is about a key that is expected');
}
