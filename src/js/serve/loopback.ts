// Addresses that other machines cannot reach.

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

import { LocketArgumentError } from '../node.js';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True if a text is a loopback address. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The address of a host. Refused unless it is a loopback address or others are allowed. */
export async function listenAddress(host: string, allowRemote: boolean): Promise<string> {
  const { address } = await lookup(host).catch((error: Error) => {
    throw new LocketArgumentError('host', `not a host of this machine: ${error.message}`);
  });
  if (!allowRemote && !isLoopback(address)) {
    const problem = `other machines could reach ${host} and take or release every lock`;
    throw new LocketArgumentError('host', `${problem}; use 127.0.0.1, or pass --allow-remote (allowRemote: true)`);
  }
  return address;
}

/** An address as a URL contains it, with brackets for IPv6. */
export function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
