// From windows to one diagnosis: sorted findings, lanes, clocks, and the limits of the logs.

import type { KeyCase } from './case.js';
import { findingsOf } from './findings/find.js';
import { boundsOf, timesOf } from './findings/finding.js';
import { harmlessLines } from './findings/harmless.js';
import { WorstFindings } from './findings/worst.js';
import type { Instant } from './instant.js';
import { limitsOf, readingLimits } from './limits.js';
import type { Diagnosis, DumpedRow, Finding, KeyTimeline, Lane, LanePart, SourceSummary } from './model.js';
import { summaryOf, verdictOf } from './summary.js';
import type { Window } from './windows.js';

/** The most parts of a diagram. */
const PARTS_MAX = 5_000;

/** Adds windows, one after another. */
export class Judgement {
  readonly #findings = new WorstFindings();
  readonly #keys = new Map<string, KeyTimeline>();
  #partCount = 0;
  readonly #harmless = new Map<string, number>();
  #fromMs = Infinity;
  #toMs = 0;
  readonly #limits = new Set<string>();
  #last: Window | undefined;

  take(window: Window): void {
    const { whole, sinceMs, untilMs } = window;
    this.#last = window;
    const isOwn = (toMs: number, isOpen: boolean) => toMs > sinceMs && (window.isLast || (toMs <= untilMs && !isOpen));
    for (const found of findingsOf(whole)) if (isOwn(timesOf(found).toMs, found.isOpen ?? false)) this.#findings.take(found);
    for (const own of whole.keys) this.#addKey(own, isOwn);
    if (window.isLast || sinceMs === -Infinity) for (const { what, count } of harmlessLines(whole)) this.#harmless.set(what, (this.#harmless.get(what) ?? 0) + count);
    for (const limit of limitsOf(whole)) this.#limits.add(limit);
    for (const { events } of whole.machines) {
      const [first] = events;
      if (first !== undefined) this.#fromMs = Math.min(this.#fromMs, whole.clocks.instantOf(first).ms);
    }
    this.#toMs = Math.max(this.#toMs, whole.endMs);
  }

  diagnosis(sources: SourceSummary[], table: DumpedRow[]): Diagnosis {
    const findings = this.#findings.list();
    const causes = causesOf(findings);
    const clocks = this.#last?.whole.clocks;
    const isEmpty = this.#fromMs === Infinity;
    return {
      version: 1,
      summary: isEmpty ? 'The files have no line about locks.' : summaryOf(findings, causes, (this.#last?.whole.clients.length ?? 0) > 0),
      verdict: verdictOf(findings),
      causes,
      fromMs: isEmpty ? 0 : Math.floor(this.#fromMs),
      toMs: Math.ceil(this.#toMs),
      findings,
      findingCount: this.#findings.count,
      keys: [...this.#keys.values()].sort((a, b) => (a.key < b.key ? -1 : 1)),
      clocks: (clocks?.list() ?? []).map(({ machine, aheadMs, ...bounds }) => ({
        machine: machine.name,
        source: machine.source,
        owner: machine.events.find(({ kind }) => kind.startsWith('client-'))?.owner ?? null,
        aheadMs: Math.round(aheadMs) + 0,
        ...boundsOf({ ms: aheadMs, ...bounds }),
      })),
      reference: clocks?.reference?.name ?? null,
      sources,
      table,
      harmless: [...this.#harmless].map(([what, count]) => ({ what, count })),
      limits: [...this.#limits, ...readingLimits(sources), ...(this.#partCount >= PARTS_MAX ? ['The timeline shows only the first part of the logs; the findings cover all of them.'] : [])],
    };
  }

  #addKey(own: KeyCase, isOwn: (toMs: number, isOpen: boolean) => boolean): void {
    const { key, isPresence, ttlMs, rows, clients } = own;
    const lanes: Lane[] = [
      { name: 'row', kind: 'row', isInferred: false, parts: rows.map(partOf(({ owner }) => owner)) },
      ...clients.map(({ name, owner, beliefs, machine }): Lane => ({ name, kind: 'client', isInferred: machine === undefined, parts: beliefs.map(partOf(() => owner)) })),
    ];
    const timeline = this.#keys.get(key) ?? { key, kind: isPresence ? 'presence' : 'lock', ttlMs: ttlMs ?? null, retryIntervalMs: own.retryIntervalMs ?? null, lanes: [] };
    this.#keys.set(key, timeline);
    for (const lane of lanes) {
      const parts = lane.parts.filter(({ toMs, end }) => isOwn(toMs, end === 'open'));
      if (this.#partCount + parts.length > PARTS_MAX) continue;
      this.#partCount += parts.length;
      const known = timeline.lanes.find(({ name, kind }) => name === lane.name && kind === lane.kind);
      if (known === undefined) timeline.lanes.push({ ...lane, parts });
      else known.parts.push(...parts);
    }
  }
}

/** A deletion outside Locket that the logs only do not exclude is no cause. */
const isDoubted = (kind: Finding['causeKind'], certainty: Finding['causeCertainty']) => kind === 'row-deleted' && certainty === 'possible';

type Timed = Pick<KeyCase['rows'][number], 'from' | 'to'> & { end: string; renewed?: Instant | undefined };

const partOf =
  <T extends Timed>(ownerOf: (timed: T) => string) =>
  (timed: T): LanePart => ({
    owner: ownerOf(timed),
    fromMs: Math.round(timed.from.ms),
    toMs: Math.round(timed.to.ms),
    from: boundsOf(timed.from),
    to: boundsOf(timed.to),
    renewedMs: timed.renewed === undefined ? null : Math.round(timed.renewed.ms),
    end: timed.end,
  });

/** One for each kind, of incidents alone. */
function causesOf(findings: readonly Finding[]): Diagnosis['causes'] {
  const causes = new Map<string, Diagnosis['causes'][number]>();
  for (const { severity, certainty, causeKind, causeCertainty, cause } of findings) {
    if (severity === 'note' || certainty === 'possible' || causeCertainty === null || causes.has(causeKind) || isDoubted(causeKind, causeCertainty)) continue;
    if (severity === 'warning' && causes.size > 0 && causeKind !== 'same-owner-name') continue;
    causes.set(causeKind, { kind: causeKind, words: cause, certainty: causeCertainty });
  }
  return [...causes.values()];
}
