// How a finding is made: moments become plain numbers, lines become quotations. Of a long log most are only counted, so their texts
// are made last.

import { cut, longTime } from '../../base/text.js';
import { beginning, copied } from '../beginning.js';
import type { ErrorMeaning } from '../errors/error.js';
import type { LogEvent } from '../evidence.js';
import type { Instant } from '../instant.js';
import type { Bounds, CauseKind, Certainty, EvidenceLine, Finding, FindingKind, Severity } from '../model.js';

/** The time of a finding. */
export interface Span extends Partial<Pick<Finding, 'isOpen'>> {
  from: Instant;
  to: Instant;
}

/** A finding as far as its rank needs it. */
export interface Found extends Pick<Finding, 'certainty' | 'kind' | 'severity'>, Span {
  /** Tells the rest, if the finding is kept. */
  tell: () => Told;
}

/** Finds something at a time. */
export function found<Because extends Cause | undefined>(severity: Severity, kind: FindingKind, certainty: Certainty, { from, to, isOpen = false }: Span, tell: () => Told, because?: Because): Found & { because: Because } {
  // To add the last by a spread left some memory behind each time, which the engine gives back late.
  return { severity, kind, certainty, from, to, isOpen, tell, because: because as Because };
}

/** Who takes part in a finding, and its texts and lines. */
export interface Told extends Pick<Finding, 'summary'>, Partial<Pick<Finding, 'bothRunningMaxMs' | 'key' | 'owners' | 'processes'>> {
  cause: Cause;
  lines: (LogEvent | undefined)[];
}

/** Why something happened, in words. */
export interface Cause {
  kind: CauseKind;
  words: string;
  certainty: Certainty;
}

export const UNKNOWN: Cause = unknown('The lines do not show why.');

/** A cause that the lines do not show. */
export function unknown(words: string): Cause {
  return { kind: 'unknown', words, certainty: 'possible' };
}

/** A cause that lines prove. */
export const certainly = (kind: CauseKind, words: string): Cause => ({ kind, words, certainty: 'certain' });

/** A cause that only missing lines or an unlikely coincidence could refute. */
export const likely = (kind: CauseKind, words: string): Cause => ({ kind, words, certainty: 'likely' });

/** What an error text names as a cause. */
export function causeOf({ kind, words, certainty }: ErrorMeaning): Cause {
  if (kind === 'not-found') return unknown(words);
  if (kind === 'timeout') return certainly('slow-requests', `${words} The lines do not show why.`);
  return { kind: kind === 'collision' ? 'lost-by-collision' : kind, words, certainty };
}

/** The certainties, the surest first. */
export const CERTAINTIES: readonly Certainty[] = ['certain', 'likely', 'possible'];

/** The less sure of two. */
export const lesser = (a: Certainty, b: Certainty): Certainty => (CERTAINTIES.indexOf(a) > CERTAINTIES.indexOf(b) ? a : b);

/** Shorter overlaps and gaps are what clocks and replies differ by. */
export const LEAST_MS = 20;

/** More lines than that show nothing more. */
const LINES_MAX = 12;

/** Makes a finding. */
export function finding(found: Found): Finding {
  const { kind, severity, certainty, from, to, isOpen = false } = found;
  const { key = null, owners = [], processes = [], bothRunningMaxMs = null, summary, cause, lines } = found.tell();
  return {
    key, owners, processes, isOpen, bothRunningMaxMs, kind, severity, certainty,
    summary: copied(summary),
    ...timesOf(found),
    from: boundsOf(from),
    to: boundsOf(to),
    cause: copied(cause.words),
    causeKind: cause.kind,
    causeCertainty: cause.kind === 'unknown' ? null : lesser(cause.certainty, certainty),
    lines: [...new Set(lines)].filter((event) => event !== undefined).slice(0, LINES_MAX).map(quotation),
  };
}

/** When it was, in whole milliseconds. */
export function timesOf({ from, to }: Span): Pick<Finding, 'fromMs' | 'toMs'> {
  return { fromMs: Math.round(from.ms), toMs: Math.round(Math.max(to.ms, from.ms)) };
}

/** The bounds of a moment, in whole milliseconds around it. */
export function boundsOf({ earliestMs, latestMs }: Instant): Bounds {
  // JSON has no negative zero.
  return { earliestMs: earliestMs === null ? null : Math.floor(earliestMs) + 0, latestMs: latestMs === null ? null : Math.ceil(latestMs) + 0 };
}

const quotation = ({ file, line, atMs, text }: LogEvent): EvidenceLine => ({ file, line, atMs: Math.round(atMs), text: beginning(text, text.length) });

/** A duration as a person says it. */
export function span(ms: number): string {
  if (ms < 1) return 'under 1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(2)} s`;
  return longTime(ms);
}

/** A duration that is not known exactly. */
export const about = (ms: number): string => (ms < 1 ? 'a moment' : `about ${span(ms)}`);

/** A name as findings quote it. */
export const quoted = (name: string): string => `'${cut(name, NAME_MAX)}'`;

/** Characters of a name that a sentence shows. */
const NAME_MAX = 60;

/** Several names as a sentence lists them. */
export function listed(names: readonly string[]): string {
  const unique = [...new Set(names)];
  const shown = unique.length > NAMES_MAX ? [...unique.slice(0, NAMES_MAX), `${unique.length - NAMES_MAX} more`] : unique;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** More names say nothing more. */
const NAMES_MAX = 4;
