// Puts the same calls to an endpoint and to the reference server, and compares what they answer.

import { setTimeout as sleep } from 'node:timers/promises';

import { type LocketClient, LocketServer } from '../../node.js';
import type { ProfileChoice } from '../../types.js';
import { answerTo, type Call, told } from './call.js';
import { keysOf, withOwnKey } from './own-keys.js';
import type { Sequence } from './sequence.js';

/** A call that was not answered as the profile answers it. */
export interface Difference {
  /** Counted from 1. */
  step: number;
  call: Call;
  expected: string;
  got: string;
}

/** What came of a sequence. */
export interface Compared {
  name: string;
  calls: number;
  differences: Difference[];
}

/** How a sequence is put to an endpoint. */
export interface Against {
  client: LocketClient;
  profile: ProfileChoice;
  /** Makes a new one each time. */
  prefix: () => string;
}

/** On a busy machine time may pass between a call and its twin, and a lease end there. A real difference is there again. */
const ATTEMPTS_MAX = 3;

/** Compares a sequence; a difference counts if it is there each time. */
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
      const expected = told(await answerTo(reference.client(), call, isOwn));
      const got = told(await answerTo(client, call, isOwn));
      calls += 1;
      if (expected !== got) differences.push({ step: index + 1, call, expected, got });
    }
  } finally {
    reference.close();
    await cleanUp(client, keysOf(prefix, steps));
  }
  return { name, calls, differences };
}

/** Gives up what is held of these keys. What cannot be is left to its lease. */
export async function cleanUp(client: LocketClient, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { owner } = await client.fetch(key).catch(() => ({ owner: undefined }));
    if (owner !== undefined) await client.release({ key, owner }).catch(() => {});
  }
}
