// From windows to one diagnosis: sorted findings, lanes, clocks, and the limits of the logs.

import type { Clocks } from './clocks.js';
import type { Machine } from './evidence.js';
import { findingsOf } from './findings/find.js';
import { boundsOf, timesOf } from './findings/finding.js';
import { WorstFindings } from './findings/worst.js';
import { groupsOf } from './groups.js';
import { type Instant, sum } from './instant.js';
import { expectedLimits, limitsOf, readingLimits, windowLimits } from './limits.js';
import type { Diagnosis, Finding, SourceSummary } from './model.js';
import { summaryOf, verdictOf } from './summary.js';
import { type IsOwn, Timelines } from './timelines.js';
import type { Window } from './windows.js';

/** Adds windows, one after another. */
export class Judgement {
  readonly #findings = new WorstFindings();
  readonly #timelines = new Timelines();
  #fromMs = Infinity;
  #toMs = 0;
  readonly #limits = new Set<string>();
  readonly #kinds = new Set<string>();
  #last: Window | undefined;
  /** Of the first window with a finding: its clock is that of the report. To keep those of each window would take memory. */
  #clocks: Clocks | undefined;

  /** Takes up what a window shows, and says by whose clock the next is to be told, if it can be. */
  take(window: Window): Machine | undefined {
    const { whole, sinceMs, untilMs } = window;
    // One that is kept outlives the next, and what lives so long the engine gives back late.
    if (window.isLast) this.#last = window;
    const told = this.#byReport(whole.clocks);
    const isOwn: IsOwn = (toMs, isOpen) => toMs > sinceMs && (window.isLast || (toMs <= untilMs && !isOpen));
    for (const found of findingsOf(whole)) if (isOwn(timesOf(found).toMs, found.isOpen ?? false)) this.#findings.take(Object.assign(found, { from: told(found.from), to: told(found.to) }));
    for (const own of whole.keys) this.#timelines.add(own, isOwn, told);
    for (const limit of windowLimits(whole)) this.#limits.add(limit);
    for (const { kind } of whole.events) this.#kinds.add(kind);
    const begins = whole.machines.flatMap(({ events }) => events.slice(0, 1).map((first) => told(whole.clocks.instantOf(first)).ms));
    this.#fromMs = Math.min(this.#fromMs, ...begins);
    this.#toMs = Math.max(this.#toMs, told({ ms: whole.endMs, earliestMs: null, latestMs: null }).ms);
    if (this.#findings.count > 0) this.#clocks ??= whole.clocks;
    return (this.#clocks ?? whole.clocks).reference;
  }

  /** Tells the moments of a window by the clock of the report: from what lines showed before of the window's own. */
  #byReport(clocks: Clocks): (at: Instant) => Instant {
    const { reference } = clocks;
    const offset = reference === undefined || reference === this.#clocks?.reference ? undefined : this.#clocks?.zeroOf(reference);
    return (at) => (offset === undefined ? at : sum(at, offset));
  }

  /** Of all windows. Some line should be about each of these keys. */
  diagnosis(sources: SourceSummary[], expected: readonly string[]): Diagnosis {
    const keys = this.#timelines.list();
    const findings = this.#findings.kept;
    const causes = causesOf(findings);
    const last = this.#last?.whole.clocks;
    const clocks = this.#clocks?.reference === last?.reference ? last : (this.#clocks ?? last);
    const isEmpty = this.#fromMs === Infinity;
    return {
      version: 1,
      summary: isEmpty ? 'The files have no line about locks.' : summaryOf(findings, causes, (this.#last?.whole.clients.length ?? 0) > 0),
      verdict: verdictOf(findings),
      causes,
      fromMs: isEmpty ? 0 : Math.floor(this.#fromMs),
      toMs: Math.ceil(this.#toMs),
      findings,
      groups: groupsOf(findings),
      findingCount: this.#findings.count,
      keys,
      clocks: [...(clocks?.readings.values() ?? [])].map(({ machine, aheadMs, ...bounds }) => ({
        machine: machine.name,
        source: machine.source,
        owner: machine.events.find(({ kind }) => kind.startsWith('client-'))?.owner ?? null,
        aheadMs: Math.round(aheadMs) + 0,
        ...boundsOf({ ms: aheadMs, ...bounds }),
      })),
      reference: clocks?.reference?.name ?? null,
      sources,
      limits: [...(this.#last === undefined ? [] : limitsOf(this.#last.whole, this.#kinds)), ...this.#limits, ...expectedLimits(keys, expected), ...readingLimits(sources), ...(this.#timelines.isFull ? ['The timeline shows only the first part of the logs; the findings cover all of them.'] : [])],
    };
  }
}

/** One for each kind, of incidents alone. */
function causesOf(findings: readonly Finding[]): Diagnosis['causes'] {
  const causes = new Map<string, Diagnosis['causes'][number]>();
  for (const { severity, certainty, causeKind, causeCertainty, cause } of findings) {
    // A deletion outside Locket that the logs only do not exclude is no cause.
    const isDoubted = certainty === 'possible' || (causeKind === 'row-deleted' && causeCertainty === 'possible');
    if (severity === 'note' || isDoubted || causeCertainty === null || causes.has(causeKind) || (severity === 'warning' && causes.size > 0)) continue;
    causes.set(causeKind, { kind: causeKind, words: cause, certainty: causeCertainty });
  }
  return [...causes.values()];
}
