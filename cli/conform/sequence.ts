// Sequences of calls on unique keys: the recorded cases, and random ones.

import type { Profile, Requests } from 'locket-wasm/types';
import recorded from '#cases';

import type { Call } from './call.js';

/** A step: a call, or time that passes. */
export type Step = Call | { waitMs: number };

/** Several steps that start with free keys. */
export interface Sequence {
  name: string;
  steps: Step[];
}

/** The cases recorded from the real server that consist of calls; build.mjs selects them. */
const cases = recorded as (Sequence & { databases: Profile['database'][] })[];

/** The cases recorded with this database. */
export function recordedCases(database: Profile['database']): Sequence[] {
  return cases.filter(({ databases }) => databases.includes(database));
}

/** MySQL treats two of them as equal. */
const KEYS = ['k0', 'k1', 'K1'];
const OWNERS = ['a', 'b', 'c'];
const STEPS = 20;
/** A lease of 1 s and waits of 400 ms: no call falls on the end of a lease. */
const SHORT_TTL_SECONDS = 1;
const LOOK_MS = 400;
/** One in this many sequences lets leases end. */
const TIMED_EVERY = 5;

/** A seed's sequence with this number. */
export function randomSequence(seed: number, number: number): Sequence {
  const random = randomFrom(seed * 1_000_003 + number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const isTimed = number % TIMED_EVERY === 0;
  const steps = Array.from({ length: STEPS }, (_, index): Step[] => {
    const call = randomCall(random(), pick, isTimed ? SHORT_TTL_SECONDS : 60);
    return isTimed && index % 2 === 0 ? [{ waitMs: LOOK_MS }, call] : [call];
  });
  return { name: `sequence ${number} of seed ${seed}`, steps: steps.flat() };
}

function randomCall(share: number, pick: <T>(list: readonly T[]) => T, ttlSeconds: number): Call {
  const key = pick(KEYS);
  const owner = pick(OWNERS);
  const lock = { key, owner, value: pick(['', 'v', 'ü']), typeCode: pick([1, 2]), ttl: `${ttlSeconds}s` } as Requests['lock'];
  if (share < 0.4) return { method: 'lock', request: lock };
  if (share < 0.5) return { method: 'lock', request: { ...lock, ...pick<Partial<Requests['lock']>>(WRONG) } };
  if (share < 0.65) return { method: 'release', request: { key, owner } };
  if (share < 0.85) return { method: 'fetch', request: { key } };
  return { method: 'fetchAll', request: { typeCode: pick([1, 2, 1, 2, 0]) } };
}

const WRONG: readonly object[] = [{ ttl: '0s' }, { ttl: '-1s' }, { owner: '' }, { typeCode: 0 }, { typeCode: 3 }, { value: 'v'.repeat(4097) }, { owner: 'o'.repeat(256) }];

/** Numbers from 0 to 1, the same for the same seed: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
