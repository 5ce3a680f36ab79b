// How a finding is made: moments become plain numbers, lines become quotations.

import { longTime } from '../../base/text.js';
import type { LogEvent } from '../evidence.js';
import type { Instant } from '../instant.js';
import type { Bounds, CauseKind, EvidenceLine, Finding } from '../model.js';

/** A finding, before its moments and lines become plain data. */
export interface Found
  extends Pick<Finding, 'certainty' | 'kind' | 'severity' | 'summary'>,
    Partial<Pick<Finding, 'bothRunningMaxMs' | 'isOpen' | 'key' | 'owners' | 'processes'>> {
  from: Instant;
  to: Instant;
  cause: Cause;
  lines: (LogEvent | undefined)[];
}

/** Why something happened, in words. */
export interface Cause {
  kind: CauseKind;
  words: string;
}

export const UNKNOWN: Cause = { kind: 'unknown', words: 'The lines do not show why.' };

/** More lines than that show nothing more. */
const LINES_MAX = 12;

/** Makes a finding. */
export function finding({ from, to, cause, lines, ...rest }: Found): Finding {
  return {
    key: null,
    owners: [],
    processes: [],
    isOpen: false,
    bothRunningMaxMs: null,
    ...rest,
    fromMs: Math.round(from.ms),
    toMs: Math.round(Math.max(to.ms, from.ms)),
    from: boundsOf(from),
    to: boundsOf(to),
    cause: cause.words,
    causeKind: cause.kind,
    lines: quotations(lines),
  };
}

/** The bounds of a moment, in whole milliseconds around it. */
export function boundsOf({ earliestMs, latestMs }: Instant): Bounds {
  // JSON has no negative zero.
  return { earliestMs: earliestMs === null ? null : Math.floor(earliestMs) + 0, latestMs: latestMs === null ? null : Math.ceil(latestMs) + 0 };
}

function quotations(events: readonly (LogEvent | undefined)[]): EvidenceLine[] {
  const known = [...new Set(events)].flatMap((event) => (event === undefined ? [] : [event])).slice(0, LINES_MAX);
  return known.map(({ file, line, atMs, text }) => ({ file, line, atMs: Math.round(atMs), text }));
}

/** A duration as a person says it. */
export function span(ms: number): string {
  if (ms < 1) return 'under 1 ms';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(2)} s`;
  return longTime(ms);
}

/** A name as findings quote it. */
export const quoted = (name: string): string => `'${name}'`;

/** Several names as a sentence lists them. */
export function listed(names: readonly string[]): string {
  const unique = [...new Set(names)];
  return unique.length < 2 ? unique.join('') : `${unique.slice(0, -1).join(', ')} and ${unique[unique.length - 1]}`;
}
