// Sends the same calls to an endpoint and to the reference server, and compares the answers.

import { setTimeout as sleep } from 'node:timers/promises';

import { type LocketClient, LocketServer } from 'locket-wasm';
import type { ProfileChoice } from 'locket-wasm/types';

import { answerLine, answerTo, type Call } from './call.js';
import { LeaseEnds } from './lease-ends.js';
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

/** A real difference repeats, and so does a comparison that a busy machine has cut short. */
const ATTEMPTS_MAX = 3;

/** Compares a sequence; a difference counts if it repeats each time. */
export async function compare(sequence: Sequence, against: Against): Promise<Compared> {
  let attempt = await once(sequence, against);
  for (let count = 1; count < ATTEMPTS_MAX && (attempt.isCut || attempt.differences.length > 0); count += 1) {
    attempt = await once(sequence, against);
  }
  const { isCut: _, ...compared } = attempt;
  return compared;
}

/** Compares once, up to the first call during which a lease may end. */
async function once({ name, steps }: Sequence, { client, profile, prefix: newPrefix }: Against): Promise<Compared & { isCut: boolean }> {
  const prefix = newPrefix();
  const isOwn = (key: string): boolean => key.startsWith(prefix);
  const reference = new LocketServer({ profile });
  const differences: Difference[] = [];
  const startedMs = performance.now();
  const nowMs = () => Math.floor(performance.now() - startedMs);
  const leases = new LeaseEnds();
  let calls = 0;
  let isCut = false;
  try {
    for (const [index, step] of steps.entries()) {
      if ('waitMs' in step) {
        await sleep(step.waitMs);
        continue;
      }
      const call = withOwnKey(prefix, step);
      const sentMs = nowMs();
      reference.clock.advanceTo(sentMs);
      const expected = answerLine(await answerTo(reference.client(), call, isOwn));
      const answer = await answerTo(client, call, isOwn);
      const sent = { sentMs, answeredMs: nowMs() };
      isCut = leases.mayEndDuring(sent);
      if (isCut) break;
      const got = answerLine(answer);
      calls += 1;
      if (expected !== got) differences.push({ step: index + 1, call, expected, got });
      if (call.method === 'lock' && answer.code === 'OK') leases.granted(call.request.key, call.request.ttl, sent);
    }
  } finally {
    reference.close();
    await cleanUp(client, keysOf(prefix, steps));
  }
  return { name, calls, differences, isCut };
}

/** Releases these keys. A key that cannot be released expires with its lease. */
async function cleanUp(client: LocketClient, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { owner } = await client.fetch(key).catch(() => ({ owner: undefined }));
    if (owner !== undefined) await client.release({ key, owner }).catch(() => {});
  }
}
