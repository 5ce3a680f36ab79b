// Unique keys: each sequence gets a prefix of its own.

import type { Call } from './call.js';
import type { Step } from './sequence.js';

/** The prefix replaces the start of a long key, so that its length stays: some cases test lengths. */
const LONG = 200;

/** A key with a prefix. */
export function ownKey(prefix: string, key: string): string {
  const length = [...key].length;
  return length < LONG ? `${prefix}${key}` : `${prefix}${[...key].slice([...prefix].length).join('')}`;
}

/** A call with a prefixed key. */
export function withOwnKey(prefix: string, call: Call): Call {
  if (call.method === 'fetchAll') return call;
  return { ...call, request: { ...call.request, key: ownKey(prefix, call.request.key) } } as Call;
}

/** Whether a sequence means the same with other keys: the empty key is special. */
export function isMovable(steps: readonly Step[]): boolean {
  return steps.every((step) => 'waitMs' in step || step.method === 'fetchAll' || step.request.key !== '');
}

/** The keys that calls of a sequence may have taken. */
export function keysOf(prefix: string, steps: readonly Step[]): string[] {
  const keys = steps.flatMap((step) => ('waitMs' in step || step.method !== 'lock' ? [] : [ownKey(prefix, step.request.key)]));
  return [...new Set(keys)];
}
