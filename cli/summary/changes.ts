// The important events of a run: changes of an owner or a belief, faults and failures, without
// renewals and the attempts of clients that wait.

import type { ScenarioEvent } from 'locket-wasm';
import type { SimulationNode } from 'locket-wasm/types';

/** Picks events by their importance. */
export class Changes {
  /** In order. */
  readonly #events: readonly ScenarioEvent[];
  readonly #ranks: ReadonlyMap<ScenarioEvent, number>;

  constructor(events: readonly ScenarioEvent[], cast: readonly SimulationNode[]) {
    const runners = new Set(cast.filter(({ isRunner }) => isRunner).map(({ name }) => name));
    const presences = new Set(cast.filter(({ kind }) => kind === 'presence').flatMap(({ name, key }) => [name, key]));
    const owners = new Map<string, string | null>();
    const ranks = new Map<ScenarioEvent, number>();
    let hasLoss = false;
    for (const [index, event] of events.entries()) {
      const rank = rankOf(event, owners, runners);
      if (rank === undefined || isOfExpiry(event, events[index + 1])) continue;
      hasLoss ||= rank === LOSS;
      // Before the first loss, clients only start.
      const inRun = rank === GAIN && !hasLoss ? REST : rank;
      // There can be many presences, and a lock matters more than any of them.
      ranks.set(event, inRun + (presences.has(event.path ?? event.who) ? PRESENCE : 0));
    }
    this.#events = events.filter((event) => ranks.has(event));
    this.#ranks = ranks;
  }

  /** The most important ones, in order. */
  first(count: number): ScenarioEvent[] {
    const rank = (event: ScenarioEvent): number => this.#ranks.get(event) ?? 0;
    const picked = new Set([...this.#events].sort((a, b) => rank(a) - rank(b)).slice(0, count));
    return this.#events.filter((event) => picked.has(event));
  }
}

/** An expiry says why its row is deleted. */
function isOfExpiry(event: ScenarioEvent, next: ScenarioEvent | undefined): boolean {
  return event.kind === 'row-deleted' && next?.kind === 'expired' && next.path === event.path;
}

const [LOSS, GAIN, REST, PRESENCE] = [0, 1, 2, 3];

const RUNNERS: Partial<Record<NonNullable<ScenarioEvent['runner']>, number>> = { acquired: GAIN, exited: REST, lost: LOSS, released: GAIN, signalled: REST };
const KINDS: Partial<Record<ScenarioEvent['kind'], number>> = {
  crashed: LOSS,
  draining: LOSS,
  expired: LOSS,
  'failed-over': LOSS,
  'message-lost': REST,
  noted: REST,
  paused: LOSS,
  resumed: GAIN,
  'row-deleted': LOSS,
  stalled: LOSS,
  started: REST,
  stopped: REST,
  stored: REST,
  'table-dropped': LOSS,
};

/** The importance of an event, the smallest first; `undefined` for routine. */
function rankOf(event: ScenarioEvent, owners: Map<string, string | null>, runners: ReadonlySet<string>): number | undefined {
  const { kind, runner, path, row } = event;
  if (runner !== null) return RUNNERS[runner];
  // A runner says itself what a refusal means for it.
  if (kind === 'answered') return event.ok === true || runners.has(event.who) ? undefined : REST;
  if (path !== null && (kind === 'row-written' || kind === 'row-deleted')) {
    const owner = row?.owner ?? null;
    const isSame = owners.has(path) && owners.get(path) === owner;
    owners.set(path, owner);
    if (kind === 'row-written') return isSame ? undefined : GAIN;
  }
  return KINDS[kind];
}
