// Checks the history of one key as several owners saw it: whether a Locket can answer like that.
//
// A call takes effect at some moment between its start and its answer. So a granted lease is certain
// from the answer until one TTL after the start. Only certain facts count against a Locket: a missing
// answer proves nothing, and ends what was certain.

import { seconds } from '../../src/js/base/text.js';

/** A call of an owner, in milliseconds of one clock. An owner's calls do not overlap. */
export interface Seen {
  owner: string;
  method: 'lock' | 'release' | 'fetch';
  beganMs: number;
  endedMs: number;
  /** A confirmed release is `granted`, too; for a fetch, `holder` is the owner found. */
  outcome: 'granted' | 'refused' | 'unknown';
  ttlMs: number;
  /** For a fetch: `undefined` if no owner holds the key. */
  holder?: string | undefined;
}

/** An answer that no Locket may give. */
export interface Violation {
  kind: 'ends-early' | 'ends-late' | 'lost-release' | 'refused-holder' | 'two-owners';
  atMs: number;
  message: string;
}

/** An interval in which an owner certainly holds a key, and its latest possible end. */
interface Hold {
  owner: string;
  fromMs: number;
  untilMs: number;
}

/** How late an expired row may be deleted: servers poll every 5 s for rows of another's timer. */
const LATE_MS = 6_000;

/** The violations in the history of a key. */
export function judge(history: readonly Seen[]): Violation[] {
  const owners = [...new Set(history.map(({ owner }) => owner))];
  const calls = new Map(owners.map((owner) => [owner, history.filter((seen) => seen.owner === owner)]));
  const holds = [...calls.values()].flatMap(holdsOf);
  return history
    .flatMap((seen) => [againstHolds(seen, holds), againstEnd(seen, calls)])
    .filter((violation) => violation !== undefined)
    .sort((a, b) => a.atMs - b.atMs);
}

/** When an owner certainly holds the key, from its own calls. */
function holdsOf(calls: readonly Seen[]): Hold[] {
  const holds: Hold[] = [];
  let current: Hold | undefined;
  for (const { owner, method, outcome, beganMs, endedMs, ttlMs } of calls) {
    if (method === 'fetch') continue;
    // A call has no effect before it starts.
    const wasHeld = current !== undefined && current.untilMs > endedMs;
    if (current !== undefined) current.untilMs = Math.min(current.untilMs, method === 'release' ? beganMs : Infinity);
    if (method === 'lock' && outcome !== 'refused') {
      const untilMs = beganMs + ttlMs;
      if (current !== undefined && wasHeld) current.untilMs = outcome === 'granted' ? untilMs : Math.min(current.untilMs, untilMs);
      else if (outcome === 'granted') holds.push((current = { owner, fromMs: endedMs, untilMs }));
    } else {
      current = undefined;
    }
  }
  return holds;
}

/** The violation of a call while an owner certainly held the key. */
function againstHolds({ owner, method, outcome, holder, beganMs, endedMs }: Seen, holds: readonly Hold[]): Violation | undefined {
  if (outcome === 'unknown') return undefined;
  const hold = holds.find(({ fromMs, untilMs }) => fromMs < beganMs && endedMs < untilMs);
  if (hold === undefined) return undefined;
  const left = `${seconds(hold.untilMs - endedMs)} before its lease ends at the earliest`;
  if (method === 'lock' && outcome === 'granted' && owner !== hold.owner) {
    return { kind: 'two-owners', atMs: endedMs, message: `'${owner}' gets the key that '${hold.owner}' holds, ${left}` };
  }
  if (method === 'lock' && outcome === 'refused' && owner === hold.owner) {
    return { kind: 'refused-holder', atMs: endedMs, message: `'${owner}' is refused the key that it holds, ${left}` };
  }
  if (method === 'fetch' && holder !== hold.owner) {
    const found = holder === undefined ? 'no owner' : `'${holder}'`;
    return { kind: 'ends-early', atMs: endedMs, message: `${found} is reported for the key that '${hold.owner}' holds, ${left}` };
  }
  return undefined;
}

/** Whether a call saw an owner whose lease has certainly ended. */
function againstEnd({ method, outcome, holder, beganMs, endedMs }: Seen, calls: ReadonlyMap<string, readonly Seen[]>): Violation | undefined {
  if (method !== 'fetch' || outcome !== 'granted' || holder === undefined) return undefined;
  const before = (calls.get(holder) ?? []).filter((seen) => seen.method !== 'fetch' && seen.beganMs < endedMs);
  const last = before.filter((seen) => seen.outcome !== 'refused').at(-1);
  if (last === undefined) return { kind: 'ends-late', atMs: endedMs, message: `'${holder}' has the key, but was never granted it` };
  if (last.outcome === 'unknown' || before.some((seen) => seen.outcome === 'unknown' && seen.endedMs > last.beganMs - LATE_MS)) return undefined;
  if (last.method === 'release') {
    if (last.endedMs >= beganMs) return undefined;
    return { kind: 'lost-release', atMs: endedMs, message: `'${holder}' has the key ${seconds(beganMs - last.endedMs)} after its release was confirmed` };
  }
  const lateMs = beganMs - (last.endedMs + last.ttlMs);
  if (lateMs < LATE_MS) return undefined;
  return { kind: 'ends-late', atMs: endedMs, message: `'${holder}' has the key ${seconds(lateMs)} after its lease has ended` };
}
