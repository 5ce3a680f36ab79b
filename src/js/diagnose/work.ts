// Who worked when: from the lanes of a key to the times in which a client acts, in which none does, and of which the lines do not
// say it. A client acts while it believes that it holds the key and runs. Of a holder that was frozen no line says when.

import { EXACT_MS } from './instant.js';
import type { Bounds, KeyTimeline, LanePart, WorkPart } from './model.js';

/** What else is known of a key. */
export interface Known {
  /** From the first line to the last. */
  fromMs: number;
  toMs: number;
  /** Whether Locket's logs are there: otherwise other clients may have had the key. */
  isLocketKnown: boolean;
}

/** The times of a key, one after another, from the first line to the last. */
export function workOf(timeline: KeyTimeline, known: Known): WorkPart[] {
  const sweep = new Sweep(known.isLocketKnown);
  for (const { name, kind, parts } of timeline.lanes) {
    for (const part of parts) {
      if (kind === 'row') sweep.addRow(part, timeline.ttlMs);
      else sweep.addBelief(name, part);
    }
  }
  return sweep.parts(known.fromMs, known.toMs);
}

/** A fact about a client, or about a row's owner, that holds for a time. */
type Fact = 'believes' | 'may-believe' | 'may-own' | 'owns' | 'renews';

class Sweep {
  readonly #changes: { atMs: number; fact: Fact; name: string; by: 1 | -1 }[] = [];
  readonly #owners = new Map<string, string>();

  constructor(readonly isLocketKnown: boolean) {}

  add(fact: Fact, name: string, fromMs: number, toMs: number): void {
    if (toMs <= fromMs) return;
    this.#changes.push({ atMs: fromMs, fact, name, by: 1 }, { atMs: toMs, fact, name, by: -1 });
  }

  addBelief(name: string, part: LanePart): void {
    this.#owners.set(name, part.owner);
    this.add('believes', name, latest(part.fromMs, part.from), earliest(part.toMs, part.to));
    this.add('may-believe', name, earliest(part.fromMs, part.from), latest(part.toMs, part.to));
  }

  /**
   * An expired row was renewed for the last time a TTL before: after that its owner may have run no more. Of a row at the end of the
   * logs, Locket would have told that it expired.
   */
  addRow(part: LanePart, ttlMs: number | null): void {
    const fromMs = latest(part.fromMs, part.from);
    const isKept = part.end === 'open' && this.isLocketKnown && ttlMs !== null;
    const toMs = Math.max(earliest(part.toMs, part.to), isKept ? part.toMs - ttlMs : -Infinity);
    this.add('owns', part.owner, fromMs, toMs);
    this.add('may-own', part.owner, earliest(part.fromMs, part.from), latest(part.toMs, part.to));
    if (part.end !== 'expired') this.add('renews', part.owner, fromMs, toMs);
    else if (ttlMs !== null) this.add('renews', part.owner, fromMs, toMs - ttlMs);
  }

  parts(fromMs: number, toMs: number): WorkPart[] {
    const changes = this.#changes.map((change) => ({ ...change, atMs: Math.min(Math.max(change.atMs, fromMs), toMs) })).sort((a, b) => a.atMs - b.atMs);
    const counts = new Map<string, number>();
    const parts: WorkPart[] = [];
    let sinceMs = fromMs;
    for (const { atMs, fact, name, by } of [...changes, { atMs: toMs, fact: 'owns' as const, name: '', by: 1 as const }]) {
      if (atMs > sinceMs) append(parts, { fromMs: sinceMs, toMs: atMs, ...this.#stateOf(counts) });
      sinceMs = Math.max(sinceMs, atMs);
      counts.set(`${fact} ${name}`, (counts.get(`${fact} ${name}`) ?? 0) + by);
    }
    return smooth(parts);
  }

  #stateOf(counts: ReadonlyMap<string, number>): Omit<WorkPart, 'fromMs' | 'toMs'> {
    const named = (fact: Fact) => [...counts].filter(([id, count]) => count > 0 && id.startsWith(`${fact} `)).map(([id]) => id.slice(fact.length + 1));
    const believes = named('believes');
    const renewers = named('renews');
    const acting = believes.find((name) => renewers.includes(this.#owners.get(name) ?? ''));
    const isExcluded = this.isLocketKnown && named('may-believe').length === 0;
    const [owner] = named('owns');
    const isRowless = this.isLocketKnown && named('may-own').length === 0;
    return {
      believes,
      acts: acting !== undefined ? 'yes' : isExcluded ? 'no' : 'unknown',
      client: acting ?? null,
      row: owner !== undefined ? 'yes' : isRowless ? 'no' : 'unknown',
      owner: owner ?? null,
    };
  }
}

/** Without parts that are shorter than moments are known. */
function smooth(parts: readonly WorkPart[]): WorkPart[] {
  const smoothed: WorkPart[] = [];
  let fromMs = parts[0]?.fromMs ?? 0;
  for (const part of parts) {
    const last = smoothed.at(-1);
    if (part.toMs - part.fromMs >= EXACT_MS) append(smoothed, { ...part, fromMs });
    else if (last !== undefined) last.toMs = part.toMs;
    if (smoothed.length > 0) fromMs = part.toMs;
  }
  return smoothed;
}

/** Joins it with the last one if nothing has changed. */
function append(parts: WorkPart[], part: WorkPart): void {
  const last = parts.at(-1);
  if (last !== undefined && stateOf(last) === stateOf(part)) last.toMs = part.toMs;
  else parts.push(part);
}

const stateOf = (part: WorkPart) => JSON.stringify({ ...part, fromMs: 0, toMs: 0 });
const isExact = ({ earliestMs, latestMs }: Bounds) => earliestMs !== null && latestMs !== null && latestMs - earliestMs < EXACT_MS;
const earliest = (ms: number, bounds: Bounds) => (isExact(bounds) ? ms : (bounds.earliestMs ?? -Infinity));
const latest = (ms: number, bounds: Bounds) => (isExact(bounds) ? ms : (bounds.latestMs ?? Infinity));
