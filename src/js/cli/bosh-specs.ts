// The part of the published job specs that the table of jobs does not have: jobs without a lock,
// properties without a published spec, and those of the connection to Locket.

import type { Advice } from '../check-node.js';

/** The job that is Locket itself. */
export const LOCKET = 'locket';

/** The release of most jobs that use Locket. */
export const DIEGO = 'diego';

/** Jobs of that release without a lock or presence. On cells the route emitter has none. */
export const DIEGO_WITHOUT_LOCK: ReadonlySet<string> = new Set([
  'benchmark-bbs',
  'cfdot',
  'file_server',
  LOCKET,
  'route_emitter_windows',
  'ssh_proxy',
  'vizzini',
]);

/**
 * The properties of a lease of which only the existence is public: diego-release made the lease of
 * rep a property in July 2026 (pull request 1180). Its spec was not at hand, so the name is assumed.
 */
const ASSUMED = ['diego.rep.locket.lock_ttl', 'diego.rep.lock_ttl'];

/** The assumed properties among the given ones and, if only they bring about an alternative, the first of all. */
export function assumedProperties(given: readonly string[], advice?: Advice): string[] {
  const used = ASSUMED.filter((name) => given.includes(name));
  const isSuggested = advice?.bosh?.kind === 'presence' && advice.alternatives.some(({ isSettable, ttlMs }) => isSettable && ttlMs !== advice.bosh?.ttlMs);
  return used.length === 0 && isSuggested ? ASSUMED.slice(0, 1) : used;
}

/** A line about assumed properties, if there are any. */
export function assumedLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`Assumed: ${names.join(' and ')} sets the TTL. No published spec was at hand; compare jobs/rep/spec of your diego release.`];
}

/** The last words of published properties of the connection to Locket, which set no lease. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'address',
  'api_location',
  'ca_cert',
  'client_cert',
  'client_keepalive_time',
  'client_keepalive_timeout',
  'client_key',
  'enabled',
  'host',
  'hostname',
  'port',
]);

/** Whether a property looks as if it set a lease or a retry interval. */
export function looksLikeSetting(name: string): boolean {
  return /locket|lock_?ttl|lock_?retry|retry_?interval/i.test(name) && !OF_CONNECTION.has(name.slice(name.lastIndexOf('.') + 1));
}
