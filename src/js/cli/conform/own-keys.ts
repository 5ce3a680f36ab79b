// Keys that nobody else has: each sequence gets a prefix of its own.

import type { Call } from './call.js';
import type { Step } from './sequence.js';

/** As much of a long key as its prefix replaces, so that its length stays what it is: lengths are what some cases are about. */
const LONG = 200;

/** A key behind a prefix. */
export function ownKey(prefix: string, key: string): string {
  const length = [...key].length;
  return length < LONG ? `${prefix}${key}` : `${prefix}${[...key].slice([...prefix].length).join('')}`;
}

/** A call with a key behind a prefix. */
export function withOwnKey(prefix: string, call: Call): Call {
  if (call.method === 'fetchAll') return call;
  return { ...call, request: { ...call.request, key: ownKey(prefix, call.request.key) } } as Call;
}

/** Whether a sequence means the same with other keys: the empty key is like no other. */
export function isMovable(steps: readonly Step[]): boolean {
  return steps.every((step) => 'waitMs' in step || step.method === 'fetchAll' || step.request.key !== '');
}

/** The keys that calls of a sequence may have taken. */
export function keysOf(prefix: string, steps: readonly Step[]): string[] {
  const keys = steps.flatMap((step) => ('waitMs' in step || step.method !== 'lock' ? [] : [ownKey(prefix, step.request.key)]));
  return [...new Set(keys)];
}
