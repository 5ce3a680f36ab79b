// `locket-wasm advise --survive`: the cheapest settings that survive outages, of a job in its release, too.

import type { Command } from 'commander';
import { type Duration } from 'locket-wasm';
import { boshSettings, survive, type SurviveQuestion } from 'locket-wasm/check';
import type { BoshInput, RunnerName, Survival } from 'locket-wasm/types';

import { EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure } from './command.js';
import { type QuestionOptions, questionOf } from './question.js';
import { type Line, type Report, toned } from './report.js';
import { status } from './terminal.js';

/** The options that it takes from those of `advise`. */
export interface SurviveOptions extends QuestionOptions {
  runner: RunnerName;
  ttl: Duration;
  retryInterval?: Duration;
  svg?: string;
}

/** The settings of the options, or of a job. Those of a job that no property sets are fixed. */
export async function surviveReport(command: Command, options: SurviveOptions, bosh: BoshInput | undefined): Promise<Report> {
  if (options.fault === undefined) throw new Failure(EXIT_USAGE, '--survive needs the outages, such as --fault locket-crash=60s');
  const { settings, notes } = bosh === undefined ? { settings: own(command, options), notes: [] } : ofJob(bosh);
  const survival = await ask(options, settings);
  const { svg, ...withoutPicture } = survival;
  const undrawn = options.svg === undefined || svg !== null ? [] : [`${options.svg} is not written: fewer than two settings have costs to compare.`];
  const newest = survival.settings.length > 0 || bosh?.version === undefined ? undefined : ofJob({ job: bosh.job, ...(bosh.properties !== undefined && { properties: bosh.properties }) });
  const later = newest && (await ask(options, newest.settings));
  return {
    text: () => [...notes, ...linesOf(survival), ...(later === undefined ? [] : ['With the newest release:', ...(newest?.notes ?? []), ...linesOf(later)]), ...undrawn],
    json: [withoutPicture],
    files: options.svg === undefined || svg === null ? [] : [{ file: options.svg, text: svg }],
    failure: failureOf(survival),
  };
}

function ask(options: SurviveOptions, settings: SurviveQuestion): Promise<Survival> {
  const { maxStates } = options;
  const { clients: _, ...bounds } = questionOf('advise', options) as SurviveQuestion & { clients?: unknown };
  return survive(
    { ...bounds, ...settings },
    { ...(maxStates !== undefined && { maxStates }), onProgress: ({ done, all }) => status.show(`${done} of ${all} retry intervals tried`) },
  );
}

function own(command: Command, { runner, ttl, retryInterval }: SurviveOptions): SurviveQuestion {
  const isGiven = command.getOptionValueSource('ttl') !== 'default';
  return { runner, ...(isGiven && { ttl }), ...(retryInterval !== undefined && { retryInterval }) };
}

/** The settings of a job that its release fixes, and what an operator can change. */
function ofJob(bosh: BoshInput): { settings: SurviveQuestion; notes: Line[] } {
  const it = boshSettings(bosh);
  if (it.state !== 'kept') throw new Failure(EXIT_USAGE, `--job: ${it.summary}`);
  const fixed = [...(it.isTtlFixed ? ['the TTL'] : []), ...(it.isRetryIntervalFixed ? ['the retry interval'] : []), 'the runner'];
  const free = [...(it.isTtlFixed ? [] : ['the TTL']), ...(it.isRetryIntervalFixed ? [] : ['the retry interval'])];
  const settings: SurviveQuestion = {
    kind: it.kind,
    profile: 'upstream',
    runner: it.runner,
    ...(it.isTtlFixed && { ttl: `${it.ttlMs}ms` as Duration }),
    ...(it.isRetryIntervalFixed && { retryInterval: `${it.retryIntervalMs}ms` as Duration }),
  };
  const changes = free.length === 0 ? 'No property changes them' : `An operator can change ${free.join(' and ')}`;
  return { settings, notes: [`${it.summary}.`, `${changes}; the release decides ${fixed.join(', ')}.`] };
}

function linesOf({ text, settings }: Survival): Line[] {
  const [bounds = '', verdict = '', ...others] = text.trimEnd().split('\n');
  return [bounds, toned(settings.length > 0 ? 'green' : 'red', `${settings.length > 0 ? '✓' : '✗'} ${verdict}`), ...others];
}

function failureOf({ settings, impossible }: Survival): Failure | undefined {
  if (settings.length > 0) return undefined;
  const isKnown = impossible.every((it) => it.isKnown);
  return isKnown ? new Failure(EXIT_FAILED, 'no settings that were tried survive it') : new Failure(EXIT_UNFINISHED, 'no verdict: a search was cut');
}
