// The requests of callers, checked, in the form that carriers send.

import { knownFields, optionalText, text } from '../base/checks.js';
import { TTL_SECONDS_MAX } from '../base/constants.js';
import { signedMs } from '../base/duration.js';
import { LocketArgumentError } from '../base/errors.js';
import type { Requests } from './call.js';
import type { WireRequest } from './carrier.js';
import { ownerText } from './owner.js';
import { wireType } from './resource.js';

const LOCK_FIELDS = new Set(['key', 'owner', 'value', 'kind', 'typeCode', 'type', 'ttl']);
const RELEASE_FIELDS = new Set(['key', 'owner']);
const FETCH_FIELDS = new Set(['key']);
const FETCH_ALL_FIELDS = new Set(['kind', 'typeCode', 'type']);

const WIRED: { readonly [M in keyof Requests]: (request: Requests[M]) => WireRequest } = {
  lock: (request) => {
    knownFields('request', request, LOCK_FIELDS);
    const [type, typeCode] = wireType(request, 'lock');
    const [key, owner, value] = [text('key', request.key), ownerText(request.owner), optionalText('value', request.value)];
    return { method: 'lock', key, owner, value, type, typeCode, ttlSeconds: leaseSeconds(request.ttl) };
  },
  release: (request) => {
    knownFields('request', request, RELEASE_FIELDS);
    return { ...EMPTY, method: 'release', key: text('key', request.key), owner: ownerText(request.owner) };
  },
  fetch: (request) => {
    knownFields('request', request, FETCH_FIELDS);
    return { ...EMPTY, method: 'fetch', key: text('key', request.key) };
  },
  fetchAll: (request) => {
    knownFields('request', request, FETCH_ALL_FIELDS);
    const [type, typeCode] = wireType(request);
    return { ...EMPTY, method: 'fetchAll', type, typeCode };
  },
};

const EMPTY = { key: '', owner: '', value: '', type: '', typeCode: 0, ttlSeconds: 0 };

/** Checks a request, and gives what carriers send. */
export function wired<M extends keyof Requests>(method: M, request: Requests[M]): WireRequest {
  return WIRED[method](request);
}

/**
 * Locket refuses zero and negative TTLs itself. It accepts one that is too long, and ends it at
 * once.
 */
function leaseSeconds(value: unknown): number {
  const seconds = signedMs('ttl', value) / 1_000;
  if (!Number.isInteger(seconds)) throw new LocketArgumentError('ttl', `expected whole seconds, not ${String(value)}`);
  if (seconds <= TTL_SECONDS_MAX) return seconds;
  const problem = `expected at most ${TTL_SECONDS_MAX}s, not ${String(value)}; Locket counts TTLs in nanoseconds, so a longer one expires at once`;
  throw new LocketArgumentError('ttl', problem);
}
