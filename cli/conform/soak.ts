// Several owners compete for a few keys, and record their calls.

import { setTimeout as sleep } from 'node:timers/promises';

import { type LocketClient, LocketError } from 'locket-wasm';

import { cleanUp } from './compare.js';
import type { Seen } from './history.js';
import { randomFrom } from './sequence.js';

/** The parameters of a competition. */
export interface Soak {
  /** A client for each owner. */
  clients: readonly LocketClient[];
  prefix: string;
  keys: number;
  seed: number;
  /** When it ends, by `performance.now()`. */
  untilMs: number;
}

/** The histories by key. */
export async function soak({ clients, prefix, keys, seed, untilMs }: Soak): Promise<Map<string, Seen[]>> {
  const histories = new Map(Array.from({ length: keys }, (_, index): [string, Seen[]] => [`${prefix}${index}`, []]));
  const fights = [...histories].flatMap(([key, history], index) =>
    clients.map((client, owner) => fight(client, key, `owner-${owner}`, history, randomFrom(seed + index * 1_000 + owner), untilMs)),
  );
  await Promise.all(fights);
  await cleanUp(clients[0] as LocketClient, [...histories.keys()]);
  return histories;
}

/** One owner and one key: takes it, renews it for a while, and releases it or lets it expire. */
async function fight(client: LocketClient, key: string, owner: string, history: Seen[], random: () => number, untilMs: number): Promise<void> {
  const note = async (method: Seen['method'], ttlMs: number, call: () => Promise<{ owner: string } | void>): Promise<Seen> => {
    const beganMs = performance.now();
    const ended = await call().then((found) => ({ outcome: 'granted' as const, holder: found?.owner }), outcomeOf);
    const seen = { owner, method, beganMs, endedMs: performance.now(), ttlMs, ...ended };
    history.push(seen);
    return seen;
  };
  const isOver = (): boolean => performance.now() >= untilMs;
  while (!isOver()) {
    const ttlSeconds = 1 + Math.floor(random() * 3);
    const lock = () => client.lock({ key, owner, ttl: `${ttlSeconds}s` });
    const renewals = Math.floor(random() * 4);
    for (let left = renewals; left >= 0 && !isOver(); left -= 1) {
      if ((await note('lock', ttlSeconds * 1000, lock)).outcome !== 'granted') break;
      await sleep(random() * ttlSeconds * 600);
      await note('fetch', 0, () => client.fetch(key));
    }
    if (random() < 0.5) await note('release', 0, () => client.release({ key, owner }));
    await note('fetch', 0, () => client.fetch(key));
    await sleep(random() * 1_500);
  }
}

/** A fetch that finds no owner is an answer, too. */
function outcomeOf(error: unknown): Pick<Seen, 'outcome' | 'holder'> {
  if (!(error instanceof LocketError)) throw error;
  if (error.reason === 'resource-not-found') return { outcome: 'granted', holder: undefined };
  return { outcome: error.outcome === 'refused' ? 'refused' : 'unknown' };
}
