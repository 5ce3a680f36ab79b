// Judges what several owners have seen of one key: whether a Locket can have answered like that.
//
// A call was applied at some moment between its beginning and its answer. So a granted lease is certain from the answer on,
// and until its TTL after the beginning. Only what is certain is held against a Locket: an answer that did not come proves
// nothing, and ends what was certain.

/** A call of an owner, on one clock, in milliseconds. Of one owner they are one after another. */
export interface Seen {
  owner: string;
  method: 'lock' | 'release' | 'fetch';
  beganMs: number;
  endedMs: number;
  /** `granted` is also a release that was confirmed; of a fetch `holder` says who has the key. */
  outcome: 'granted' | 'refused' | 'unknown';
  ttlMs: number;
  /** Of a fetch: `undefined` if nobody has it. */
  holder?: string | undefined;
}

/** Something that no Locket may answer. */
export interface Violation {
  kind: 'ends-early' | 'ends-late' | 'lost-release' | 'refused-holder' | 'two-owners';
  atMs: number;
  message: string;
}

/** An interval in which a key is certainly an owner's, and how far it can reach. */
interface Hold {
  owner: string;
  fromMs: number;
  untilMs: number;
}

/** How long after its end a lease may still be there: servers look every 5 s where another had the timer. */
const LATE_MS = 6_000;

/** What is wrong with the history of a key. */
export function judge(history: readonly Seen[]): Violation[] {
  const owners = [...new Set(history.map(({ owner }) => owner))];
  const calls = new Map(owners.map((owner) => [owner, history.filter((seen) => seen.owner === owner)]));
  const holds = [...calls.values()].flatMap(holdsOf);
  return history
    .flatMap((seen) => [againstHolds(seen, holds), againstEnd(seen, calls)])
    .filter((violation) => violation !== undefined)
    .sort((a, b) => a.atMs - b.atMs);
}

/** When an owner certainly has the key, from its own calls. */
function holdsOf(calls: readonly Seen[]): Hold[] {
  const holds: Hold[] = [];
  let current: Hold | undefined;
  for (const { owner, method, outcome, beganMs, endedMs, ttlMs } of calls) {
    if (method === 'fetch') continue;
    // Whatever it does, it does not before it begins.
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

/** What a call has seen while the key certainly was somebody's. */
function againstHolds({ owner, method, outcome, holder, beganMs, endedMs }: Seen, holds: readonly Hold[]): Violation | undefined {
  if (outcome === 'unknown') return undefined;
  const hold = holds.find(({ fromMs, untilMs }) => fromMs < beganMs && endedMs < untilMs);
  if (hold === undefined) return undefined;
  const left = `${seconds(hold.untilMs - endedMs)} before its lease ends at the earliest`;
  if (method === 'lock' && outcome === 'granted' && owner !== hold.owner) {
    return { kind: 'two-owners', atMs: endedMs, message: `'${owner}' is granted what '${hold.owner}' holds, ${left}` };
  }
  if (method === 'lock' && outcome === 'refused' && owner === hold.owner) {
    return { kind: 'refused-holder', atMs: endedMs, message: `'${owner}' is refused what it holds, ${left}` };
  }
  if (method === 'fetch' && holder !== hold.owner) {
    const found = holder === undefined ? 'nobody' : `'${holder}'`;
    return { kind: 'ends-early', atMs: endedMs, message: `${found} has what '${hold.owner}' holds, ${left}` };
  }
  return undefined;
}

/** Whether a call has seen an owner whose lease has certainly ended. */
function againstEnd({ method, outcome, holder, beganMs, endedMs }: Seen, calls: ReadonlyMap<string, readonly Seen[]>): Violation | undefined {
  if (method !== 'fetch' || outcome !== 'granted' || holder === undefined) return undefined;
  const before = (calls.get(holder) ?? []).filter((seen) => seen.method !== 'fetch' && seen.beganMs < endedMs);
  const last = before.filter((seen) => seen.outcome !== 'refused').at(-1);
  if (last === undefined) return { kind: 'ends-late', atMs: endedMs, message: `'${holder}' has the key and never was granted it` };
  if (last.outcome === 'unknown' || before.some((seen) => seen.outcome === 'unknown' && seen.endedMs > last.beganMs - LATE_MS)) return undefined;
  if (last.method === 'release') {
    if (last.endedMs >= beganMs) return undefined;
    return { kind: 'lost-release', atMs: endedMs, message: `'${holder}' has the key ${seconds(beganMs - last.endedMs)} after its release was confirmed` };
  }
  const lateMs = beganMs - (last.endedMs + last.ttlMs);
  if (lateMs < LATE_MS) return undefined;
  return { kind: 'ends-late', atMs: endedMs, message: `'${holder}' has the key ${seconds(lateMs)} after its lease has ended` };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;
