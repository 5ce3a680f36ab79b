// Which runs the stage plays: a shipped scenario each, and the moments at which it waits for the visitor.

/** A run for the stage. */
export interface Tour {
  /** What addresses say. */
  id: string;
  /** The line above the stage. */
  hook: string;
  /** Where it stands to be chosen: the question that it answers, and a few words more. */
  ask: string;
  note: string;
  /** The name of a shipped scenario. */
  story: string;
  /** What is different in it, for all clients. */
  clients?: { ttl?: string; runner?: 'safe' };
  /** The moments at which a beat ends. */
  cutsMs: readonly [number, ...number[]];
  /** The words at its end. */
  end: string;
  /** Whether a search belongs to it; then it plays to its end by itself. */
  isAnswer?: true;
  /** Where to go from its end. */
  next: readonly string[];
}

const PAUSE = 'holder-paused-longer-than-its-lease';

/** The run that opens first. */
export const FIRST = 'first-visit';

/** The runs that answer the two questions at its end. */
export const LONGER_TTL = 'longer-ttl';
export const SAFE_CLIENT = 'safe-client';

export const TOURS: readonly [Tour, ...Tour[]] = [
  {
    id: FIRST,
    hook: 'Only one may write. Watch two do it.',
    ask: 'Watch the first run again',
    note: 'A freezes for longer than its lock lasts',
    story: PAUSE,
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_100],
    end: 'The lock expired on time. A did not know. A lock with a TTL is not a mutex.',
    next: [LONGER_TTL, SAFE_CLIENT],
  },
  {
    id: LONGER_TTL,
    hook: 'Would a longer TTL help?',
    ask: 'Would a longer TTL help?',
    note: 'The same freeze, with a TTL of 28 s',
    story: PAUSE,
    clients: { ttl: '28s' },
    cutsMs: [1_100, 8_000, 26_300],
    end: 'A wakes in time. A longer TTL moves the limit and does not remove it.',
    isAnswer: true,
    next: [SAFE_CLIENT, FIRST],
  },
  {
    id: SAFE_CLIENT,
    hook: 'Would the safe client help?',
    ask: 'Would the safe client help?',
    note: 'The same freeze, with another client',
    story: PAUSE,
    clients: { runner: 'safe' },
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_200],
    end: 'A write already sent can still arrive late. To refuse it, the file must check a fencing token.',
    isAnswer: true,
    next: [LONGER_TTL, FIRST],
  },
];

/** The tour of an id; the first for any that is unknown. */
export function tourNamed(id: string | null): Tour {
  return TOURS.find((tour) => tour.id === id) ?? TOURS[0];
}
