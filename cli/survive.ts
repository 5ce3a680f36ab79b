// `locket-wasm advise --survive`: the cheapest settings that survive outages.

import type { Duration } from 'locket-wasm';
import { type Question, survive, type SurviveQuestion } from 'locket-wasm/check';
import type { Survival } from 'locket-wasm/types';

import { EXIT_FAILED, EXIT_UNFINISHED, EXIT_USAGE, Failure } from './command.js';
import { type QuestionOptions, questionOf } from './question.js';
import { type Line, type Report, toned } from './report.js';
import { status } from './terminal.js';

/** The options that it takes from those of `advise`. */
export interface SurviveOptions extends QuestionOptions {
  runner: NonNullable<Question['runner']>;
  ttl?: Duration;
  retryInterval?: Duration;
}

/** The report on what survives. Settings that are given are fixed. */
export async function surviveReport(options: SurviveOptions): Promise<Report> {
  const { runner, ttl, retryInterval, fault, maxStates } = options;
  if (fault === undefined) throw new Failure(EXIT_USAGE, '--survive needs the outages, such as --fault locket-crash=60s');
  const { clients: _, ...bounds } = questionOf('advise', options) as SurviveQuestion & { clients?: unknown };
  const survival = await survive(
    { ...bounds, runner, ...(ttl !== undefined && { ttl }), ...(retryInterval !== undefined && { retryInterval }) },
    { ...(maxStates !== undefined && { maxStates }), onProgress: ({ done, all }) => status.show(`${done} of ${all} retry intervals tried`) },
  );
  return {
    text: () => linesOf(survival),
    json: [survival],
    failure: failureOf(survival),
  };
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
