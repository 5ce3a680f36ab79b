// The diagram of each key: its rows and beliefs as parts of lanes, window after window, up to a limit.

import type { KeyCase } from './case.js';
import type { Belief } from './clients.js';
import { boundsOf } from './findings/finding.js';
import type { Instant } from './instant.js';
import type { KeyTimeline, Lane, LanePart } from './model.js';
import type { RowLife } from './rows.js';

/** The most parts of a diagram: no screen shows as many, and they are most of what is kept of a long log. */
const PARTS_MAX = 2_000;

/** True if the window that is judged tells of something that ended at this time, or goes on. */
export type IsOwn = (toMs: number, isOpen: boolean) => boolean;

/** The timelines of all keys. */
export class Timelines {
  readonly #byKey = new Map<string, KeyTimeline>();
  #partCount = 0;

  /** True if the rest of the logs is not shown. */
  get isFull(): boolean {
    return this.#partCount >= PARTS_MAX;
  }

  /** Sorted by their keys. */
  list(): KeyTimeline[] {
    return [...this.#byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  add({ key, isPresence, ttlMs, retryIntervalMs, rows, clients }: KeyCase, isOwn: IsOwn, told: (at: Instant) => Instant): void {
    const timeline = this.#byKey.get(key) ?? { key, kind: isPresence ? 'presence' : 'lock', ttlMs: ttlMs ?? null, retryIntervalMs: retryIntervalMs ?? null, lanes: [] };
    this.#byKey.set(key, timeline);
    const addTo = (lane: Omit<Lane, 'parts'>, timed: readonly (Belief | RowLife)[]) => {
      // Makes no part that is not shown: of a long log these would be most of its memory.
      const shown = timed.filter(({ to, end }) => isOwn(Math.round(to.ms), end === 'open'));
      if (this.#partCount + shown.length > PARTS_MAX) return;
      this.#partCount += shown.length;
      const known = timeline.lanes.find(({ name, kind }) => name === lane.name && kind === lane.kind);
      const parts = shown.map((one) => partOf(one, told));
      if (known === undefined) timeline.lanes.push({ ...lane, parts });
      else known.parts.push(...parts);
    };
    addTo({ name: 'row', kind: 'row', isInferred: false }, rows);
    for (const { name, beliefs, machine } of clients) addTo({ name, kind: 'client', isInferred: machine === undefined }, beliefs);
  }
}

function partOf(timed: Belief | RowLife, told: (at: Instant) => Instant): LanePart {
  const [from, to] = [told(timed.from), told(timed.to)];
  const renewed = 'renewed' in timed && timed.renewed !== undefined ? told(timed.renewed) : undefined;
  return {
    owner: 'client' in timed ? timed.client.owner : timed.owner,
    fromMs: Math.round(from.ms),
    toMs: Math.round(to.ms),
    from: boundsOf(from),
    to: boundsOf(to),
    renewedMs: renewed === undefined ? null : Math.round(renewed.ms),
    end: timed.end,
  };
}
