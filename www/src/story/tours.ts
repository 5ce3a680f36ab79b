// Which runs the stage plays: a shipped scenario each, and the moments at which it waits for the visitor.

/** A run for the stage. */
export interface Tour {
  /** What addresses say. */
  id: string;
  title: string;
  /** The name of a shipped scenario. */
  story: string;
  /** What is different in it, for all clients. */
  clients?: { ttl?: string; runner?: 'safe' };
  /** The moments at which a beat ends. */
  cutsMs: readonly [number, ...number[]];
  /** The words at its end. */
  end: string;
}

const PAUSE = 'holder-paused-longer-than-its-lease';

/** The run that opens first. */
export const FIRST = 'first-visit';

/** The runs that answer the two questions at its end. */
export const LONGER_TTL = 'longer-ttl';
export const SAFE_CLIENT = 'safe-client';

export const TOURS: readonly Tour[] = [
  {
    id: FIRST,
    title: 'A client freezes',
    story: PAUSE,
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_100],
    end: 'The lock expired on time. A did not know. A lock with a TTL is not a mutex.',
  },
  {
    id: LONGER_TTL,
    title: 'The same freeze, with a TTL of 28 s',
    story: PAUSE,
    clients: { ttl: '28s' },
    cutsMs: [1_100, 8_000, 26_300],
    end: 'A longer TTL moves the limit. It does not remove it.',
  },
  {
    id: SAFE_CLIENT,
    title: 'The same freeze, with the safe client',
    story: PAUSE,
    clients: { runner: 'safe' },
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_200],
    end: 'A write already sent can still arrive late. To refuse it, the file must check a fencing token.',
  },
];
