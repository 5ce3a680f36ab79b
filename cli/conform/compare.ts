// Sends the same calls to an endpoint and to the reference server, and compares the answers.

import { setTimeout as sleep } from 'node:timers/promises';

import { type LocketClient, LocketServer } from 'locket-wasm';
import type { ProfileChoice } from 'locket-wasm/types';

import { answerLine, answerTo, type Call } from './call.js';
import { keysOf, withOwnKey } from './own-keys.js';
import type { Sequence } from './sequence.js';

/** A call with an answer that differs from the profile's. */
export interface Difference {
  /** Counted from 1. */
  step: number;
  call: Call;
  expected: string;
  got: string;
}

/** The result of a sequence. */
export interface Compared {
  name: string;
  calls: number;
  differences: Difference[];
}

/** The endpoint, and how to use it. */
export interface Against {
  client: LocketClient;
  profile: ProfileChoice;
  /** A new prefix at each call. */
  prefix: () => string;
}

/** On a busy machine, a lease may end between a call and its copy. A real difference repeats. */
const ATTEMPTS_MAX = 3;

/** Compares a sequence; a difference counts if it repeats each time. */
export async function compare(sequence: Sequence, against: Against): Promise<Compared> {
  let compared = await once(sequence, against);
  for (let attempt = 1; attempt < ATTEMPTS_MAX && compared.differences.length > 0; attempt += 1) {
    compared = await once(sequence, against);
  }
  return compared;
}

async function once({ name, steps }: Sequence, { client, profile, prefix: newPrefix }: Against): Promise<Compared> {
  const prefix = newPrefix();
  const isOwn = (key: string): boolean => key.startsWith(prefix);
  const reference = new LocketServer({ profile });
  const differences: Difference[] = [];
  const startedMs = performance.now();
  let calls = 0;
  try {
    for (const [index, step] of steps.entries()) {
      if ('waitMs' in step) {
        await sleep(step.waitMs);
        continue;
      }
      const call = withOwnKey(prefix, step);
      reference.clock.advanceTo(Math.floor(performance.now() - startedMs));
      const expected = answerLine(await answerTo(reference.client(), call, isOwn));
      const got = answerLine(await answerTo(client, call, isOwn));
      calls += 1;
      if (expected !== got) differences.push({ step: index + 1, call, expected, got });
    }
  } finally {
    reference.close();
    await cleanUp(client, keysOf(prefix, steps));
  }
  return { name, calls, differences };
}

/** Releases these keys. A key that cannot be released expires with its lease. */
export async function cleanUp(client: LocketClient, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { owner } = await client.fetch(key).catch(() => ({ owner: undefined }));
    if (owner !== undefined) await client.release({ key, owner }).catch(() => {});
  }
}
