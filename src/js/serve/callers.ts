// The allowed callers: pages of this machine and of allowed origins, with names of this server.
//
// A browser sends requests for any page that its user opens. The Origin header names that page, and the Host header the
// server that the browser believes to talk to: with DNS rebinding, a foreign page's own. Other clients send no Origin.

import { isIP } from 'node:net';

import { isLoopback } from './loopback.js';

/** The allowed callers besides this machine; `*` is anything. */
export interface Allowed {
  origins: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
}

/** The headers that say who calls; HTTP/2 has `:authority` for `host`. */
interface CallerHeaders {
  origin?: string | string[] | undefined;
  host?: string | undefined;
  ':authority'?: string | undefined;
}

/** Why a request is refused, and what allows it; `undefined` if it is not. */
export function refusal(headers: CallerHeaders, { origins, hosts }: Allowed): string | undefined {
  const { origin } = headers;
  if (typeof origin === 'string' && !origins.has('*') && !origins.has(origin) && !isOfThisMachine(origin)) {
    return `pages of ${quoted(origin)} are not allowed; allow them with --allow-origin (allowedOrigins)`;
  }
  const host = hostName(headers[':authority'] ?? headers.host ?? '');
  if (hosts.has('*') || hosts.has(host) || isIP(host) !== 0 || isThisMachine(host)) return undefined;
  return `the host name ${quoted(host)} is not allowed; allow it with --allow-host (allowedHosts)`;
}

/** True if a name stands for this machine, whatever a name server says. */
export function isThisMachine(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}

/** The name in a Host header: without port, and without the brackets of IPv6. */
export function hostName(header: string): string {
  const name = header.replace(/:\d*$/, '').toLowerCase();
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

function isOfThisMachine(origin: string): boolean {
  const [, host] = /^https?:\/\/([^/]+)$/.exec(origin) ?? [];
  return host !== undefined && isThisMachine(hostName(host));
}

const QUOTED_MAX = 100;

/** Quotes a text so that a header of the answer can hold it. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_MAX).replace(/[^ -~]/g, '?'));
}
