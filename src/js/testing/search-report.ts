// What a search says: the faults as sentences with the trace of their run, and what was tried.

import { counted, number } from '../base/text.js';
import { type Fault, sentence } from './fault.js';
import { traceLines } from './report.js';
import type { Run } from './run.js';
import { type Level, planText } from './search.js';
import type { Entry } from './trial.js';

/** Room for a trace, so that all of a report fits a screen. */
const LINES_MAX = 28;
/** So many lines before the first fault are shown. */
const BEFORE = 4;

/** The report of a run that fails. */
/** @internal */
export function foundText(run: Run, plan: readonly Fault[], found?: string): string {
  const { struck, entries } = run;
  const first = entries.findIndex(({ timeMs }) => timeMs >= (struck[0]?.atMs ?? 0));
  const from = Math.max(0, first - BEFORE);
  return [
    struck.length === 1 ? 'One fault is enough:' : `${struck.length} faults are enough:`,
    ...struck.map((fault) => `  ${sentence(fault, fault.atMs)}.`),
    '',
    ...shown(entries, from),
    '',
    `LOCKET_FAULTS='${planText(plan)}' repeats this run alone, with digest ${digestOf(run)}.`,
    ...(found === undefined ? [] : [found]),
  ].join('\n');
}

/** What was tried, and never more. */
/** @internal */
export function triedText(levels: readonly Level[], { places }: Run, seed: number): string {
  const tried = levels.filter(({ done }) => done > 0).map(({ faults, lengths, done, of, isSampled }) => {
    const which = `${counted(faults, 'fault')}${lengths === 'longest' ? '' : ' of other lengths'}`;
    return `${done === of ? `all ${number(of)}` : `${number(done)} of ${number(of)}`} with ${which}${isSampled && done < of ? `, at random (seed ${seed})` : ''}`;
  });
  const idle = places.filter(({ isNews }) => !isNews).length;
  return `${tried.join('; ')}${idle === 0 ? '' : `, without ${counted(idle, 'tick')} of idle timers`}`;
}

/** The lines of a trace. Of a long one, those in which a host does not say the same again, and of those the first and the last. */
function shown(entries: readonly Entry[], from: number): string[] {
  const said = new Map<string, string>();
  // `set` returns the map.
  const isNew = entries.map(({ who, words }) => said.get(who) !== words && said.set(who, words) === said);
  let kept = entries.map((_, at) => at).slice(from);
  if (kept.length > LINES_MAX) kept = kept.filter((at) => isNew[at] || at === entries.length - 1);
  if (kept.length > LINES_MAX) kept = [...kept.slice(0, LINES_MAX / 2), ...kept.slice(-LINES_MAX / 2)];
  const lines = traceLines(entries);
  return kept.flatMap((at, index) => {
    const left = at - (kept[index - 1] ?? -1) - 1;
    return [...(left === 0 ? [] : [`     (${counted(left, 'line')} left out)`]), lines[at] as string];
  });
}

/** A number of 32 bits that is the same for the same events. */
function digestOf(run: Run): string {
  let hash = 0x811c9dc5;
  for (const letter of run.lines().join('\n')) hash = Math.imul(hash ^ (letter.codePointAt(0) as number), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
