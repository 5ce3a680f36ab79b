// A call as the module takes it.

import type { Requests, Sent } from '../client/call.js';

/** Fields that a method lacks are empty, and all without a resource. */
export type Question = [
  method: keyof Requests,
  hasResource: boolean,
  key: string,
  owner: string,
  value: string,
  type: string,
  typeCode: number,
  /** A message can have more of them than a number can. */
  ttlSeconds: bigint,
  requestId: string,
  timeoutMs: number | undefined,
];

/** The call in a question, with all fields that any call has. */
export function sentOf([method, , key, owner, value, type, typeCode, ttlSeconds]: Question): Sent {
  return { method, request: { key, owner, value, type, typeCode, ttl: `${Number(ttlSeconds)}s` } };
}
