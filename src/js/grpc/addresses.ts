// The addresses of a channel's hosts, looked up for each round of attempts, since they change when
// machines are replaced.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import type { Endpoint } from './options.js';

/** One address of a host. */
export interface Address extends Endpoint {
  ip: string;
}

/** All addresses of these hosts, in order, and the errors of hosts without one. */
export async function addressesOf(endpoints: readonly Endpoint[]): Promise<{ addresses: Address[]; errors: Error[] }> {
  const addresses: Address[] = [];
  const errors: Error[] = [];
  const resolved = await Promise.all(endpoints.map(ipsOf));
  for (const [index, ips] of resolved.entries()) {
    if (ips instanceof Error) errors.push(ips);
    else addresses.push(...ips.map((ip) => ({ ...(endpoints[index] as Endpoint), ip })));
  }
  return { addresses, errors };
}

async function ipsOf({ host }: Endpoint): Promise<string[] | Error> {
  if (isIP(host) !== 0) return [host];
  try {
    const found = await lookup(host, { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    return error as Error;
  }
}

/** Host and port as they stand in a URL. */
export function authorityOf({ host, port }: Endpoint): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
