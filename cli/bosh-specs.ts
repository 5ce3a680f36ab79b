// The part of the published job specs that the table of jobs does not have: jobs without a lock,
// properties without a published spec, and those of the connection to Locket.

import { type Advice, type BoshJob, boshFacts } from 'locket-wasm/check';

/** The job that is Locket itself. */
export const LOCKET = 'locket';

/** The release of most jobs that use Locket. */
export const DIEGO = 'diego';

/** The jobs without a lock or presence in the releases whose other jobs have one, in any version of 2016 to 2026. */
export const WITHOUT_LOCK: Readonly<Record<string, ReadonlySet<string>>> = {
  [DIEGO]: new Set(['acceptance-tests', 'benchmark-bbs', 'canary', 'cfdot', 'docker-registry-acceptance-tests', 'file_server', LOCKET, 'smoke-tests', 'ssh_proxy', 'vizzini']),
  capi: new Set([
    'bbr-cloudcontrollerdb', 'blobstore', 'blobstore_benchmark', 'cc_route_syncer', 'cc_uploader', 'cloud_controller_clock', 'cloud_controller_ng',
    'cloud_controller_worker', 'debian_nfs_server', 'nfs_mounter', 'nsync', 'redis', 'rotate_cc_database_key', 'stager', 'valkey',
  ]),
  'cf-networking': new Set([
    'bbr-cfnetworkingdb', 'bosh-dns-adapter', 'cf-networking-acceptance', 'cni', 'cni-flannel', 'garden-cni', 'iptables-logger', 'netmon', 'performance-test-sd',
    'policy-server', 'policy-server-internal', 'service-discovery-controller', 'silk-cni', 'silk-controller', 'silk-daemon', 'vxlan-policy-agent',
  ]),
  routing: new Set(['acceptance_tests', 'bbr-routingdb', 'gorouter', 'haproxy', 'route_registrar', 'router_configurer', 'smoke_tests', 'tcp_emitter', 'tcp_router']),
};

/** A job of the table. */
export const boshJob = (name: string): BoshJob | undefined => boshFacts().jobs.find(({ job }) => job === name);

/** The properties of a presence's lease: only their existence is public, and the table says why. */
const assumed = (): string[] => (boshJob('rep')?.properties ?? []).filter((name) => name.endsWith('.lock_ttl'));

/** The assumed properties among the given ones that count and, if only they bring about an alternative, the first of all. */
export function assumedProperties(given: readonly string[], advice?: Advice): string[] {
  const used = assumed().filter((name) => given.includes(name) && !advice?.bosh?.ignored.includes(name));
  const isSuggested = advice?.bosh?.kind === 'presence' && advice.alternatives.some(({ isSettable, ttlMs }) => isSettable && ttlMs !== advice.bosh?.ttlMs);
  return used.length === 0 && isSuggested ? assumed().slice(0, 1) : used;
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
