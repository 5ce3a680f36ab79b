// Which runs the stage plays, and their words. How each is recorded stands in `plans.ts`.

/** A run for the stage. */
export interface Tour {
  /** Its name in addresses. */
  id: string;
  /** The line above the stage. */
  hook: string;
  /** Where it stands to be chosen: the question that it answers, and a few words more. */
  ask: string;
  note: string;
  /** The name of a shipped scenario. */
  story: string;
  /** The words at its end. */
  end: string;
  /** True if a search belongs to it; then it plays to its end by itself. */
  isAnswer?: true;
  /** Where to go from its end. */
  next: readonly string[];
}

const PAUSE = 'holder-paused-longer-than-its-ttl';

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
    end: 'The lock expired on time. A did not know. A lock with a TTL is not a mutex.',
    next: [LONGER_TTL, SAFE_CLIENT],
  },
  {
    id: LONGER_TTL,
    hook: 'Would a longer TTL help?',
    ask: 'Would a longer TTL help?',
    note: 'The same freeze, with a TTL of 28 s',
    story: PAUSE,
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
    end: 'A write already sent can still arrive late. To refuse it, the file must check a fencing token.',
    isAnswer: true,
    next: [LONGER_TTL, FIRST],
  },
  {
    id: 'crash',
    hook: 'What if the owner crashes?',
    ask: 'Crash',
    note: 'How long B waits for the lock',
    story: 'holder-crashes',
    end: 'No work is lost. B waits for the rest of the TTL and for its own next attempt.',
    next: ['handover', FIRST],
  },
  {
    id: 'handover',
    hook: 'What if the owner stops cleanly?',
    ask: 'Handover',
    note: 'The owner releases the lock first',
    story: 'holder-hands-over-cleanly',
    end: 'A released lock is free at once. B waits only for its own next attempt.',
    next: ['operator', FIRST],
  },
  {
    id: 'operator',
    hook: 'What if an operator deletes the lock?',
    ask: 'Operator',
    note: 'A lock is deleted while its owner works',
    story: 'operator-evicts-the-holder',
    end: 'Stop the owner first. Only then delete its lock.',
    next: ['lost-renewal', FIRST],
  },
  {
    id: 'lost-renewal',
    hook: 'What if the network loses one message?',
    ask: 'Lost message',
    note: 'A client from before October 2025 waits too long',
    story: 'one-lost-renewal-before-october-2025',
    end: 'A waited too long for an answer. Since October 2025 an attempt ends after one retry interval.',
    next: ['failover', FIRST],
  },
  {
    id: 'failover',
    hook: 'What if the database fails over?',
    ask: 'Failover',
    note: 'The new database has no owner',
    story: 'failover-loses-the-insert',
    end: 'A database that answers before its replicas have the row can lose a lock.',
    next: ['crash', FIRST],
  },
];

/** The tours that a visitor can choose at any time. */
export const STORIES: readonly Tour[] = TOURS.filter(({ isAnswer }) => isAnswer !== true);

/** The tour of an id; the first for any that is unknown. */
export function tourNamed(id: string | null): Tour {
  return TOURS.find((tour) => tour.id === id) ?? TOURS[0];
}
