// The options of a server on a port, and their defaults.

import { kindOf, knownFields, text } from '../base/checks.js';
import { type Check, checkedOptions, flag, oneOf, optional, passedOn, timeoutOf, whole } from '../base/options.js';
import { type Duration, LocketArgumentError, type LocketServerOptions } from '../node.js';
import type { Allowed } from './callers.js';
import type { Held } from './held.js';

/** A certificate and its key, in PEM. */
export interface ServeTls {
  cert: string | Uint8Array;
  key: string | Uint8Array;
  /** The authorities of client certificates. With it, clients without a certificate are refused, as in a real Locket. */
  ca?: string | Uint8Array;
}

/** Options of {@link serve}. */
export interface ServeOptions extends Pick<LocketServerOptions, 'latency' | 'processes' | 'profile' | 'seed'> {
  /** A real clock (by default), or a virtual one that only you move. */
  clock?: 'real' | 'virtual';
  /** `127.0.0.1` by default. */
  host?: string;
  /**
   * 8891 by default, as in Locket; 0 for any free port. Further processes use the next ports, or any
   * free ones.
   */
  port?: number;
  /** Allows a host that other machines can reach. */
  allowRemote?: boolean;
  /**
   * Origins of pages that may call, such as `https://app.example.org`; `*` allows every page. Pages of
   * this machine, such as `http://localhost:5173`, are always allowed.
   */
  allowedOrigins?: readonly string[];
  /**
   * Host names that clients may use for this server, such as `locket`; `*` allows every name, as does
   * TLS, whose certificate has the names. IP addresses, `localhost` and the name in `host` are always
   * allowed. Any other name could belong to a foreign page (DNS rebinding).
   */
  allowedHosts?: readonly string[];
  /** TLS, and mutual TLS if it has a `ca`; clear text without. */
  tls?: ServeTls;
  /**
   * The port of the control endpoint, always on 127.0.0.1; 0 for any free port. With a virtual clock,
   * the default is any free port; with a real one there is no endpoint.
   */
  controlPort?: number;
  /** The time within which a TLS handshake must end, a whole request arrive, and an answer be taken; `20s` by default. */
  receiveTimeout?: Duration;
  /** How long `close()` waits for calls in flight; `10s` by default. */
  closeTimeout?: Duration;
}

/** Options with everything filled in that has a default. */
export interface Settings {
  clock: 'real' | 'virtual';
  host: string;
  port: number;
  allowRemote: boolean;
  allowed: Allowed;
  tls: ServeTls | undefined;
  controlPort: number | undefined;
  receiveTimeoutMs: number;
  closeTimeoutMs: number;
}

/** How a port is served; `held` is of all ports of a server. */
export type Serves = Pick<Settings, 'allowed' | 'receiveTimeoutMs' | 'tls'> & { held: Held };

const PORT_MAX = 65_535;

const OPTIONS = {
  profile: passedOn,
  seed: passedOn,
  processes: passedOn,
  latency: passedOn,
  clock: oneOf('real', 'virtual'),
  host: (field: string, value: unknown = '127.0.0.1') => text(field, value),
  port: whole(0, PORT_MAX, 8891),
  allowRemote: flag(false),
  allowedOrigins: texts(isOrigin, 'origins such as https://app.example.org'),
  allowedHosts: texts((name) => /^[\w.-]+$/.test(name), 'names without a port, such as locket'),
  tls: optional(tlsOf),
  controlPort: optional(whole(0, PORT_MAX)),
  receiveTimeout: timeoutOf('20s'),
  closeTimeout: timeoutOf('10s'),
};

/** Checks the options that are not for the `LocketServer` to check. */
export function settingsOf(options: ServeOptions): Settings {
  const { clock, host, port, allowRemote, allowedOrigins, allowedHosts, tls, controlPort, receiveTimeout, closeTimeout } = checkedOptions(options, OPTIONS);
  if (host === '') throw new LocketArgumentError('host', 'expected a name or an address');
  // Over TLS a client looks at the name in the certificate.
  const hosts = [...(tls === undefined ? [host] : ['*']), ...allowedHosts].map((name) => name.toLowerCase());
  return {
    clock,
    host,
    port,
    allowRemote,
    allowed: { hosts: new Set(hosts), origins: new Set(allowedOrigins) },
    tls,
    controlPort: controlPort ?? (clock === 'virtual' ? 0 : undefined),
    receiveTimeoutMs: receiveTimeout,
    closeTimeoutMs: closeTimeout,
  };
}

/** A misspelt or undefined member could turn mutual TLS off, so both are errors. */
function tlsOf(field: string, given: unknown): ServeTls {
  knownFields(field, given, new Set(['ca', 'cert', 'key']));
  const tls = given as ServeTls;
  for (const name of ['cert', 'key'] as const) {
    if (!isPem(tls[name])) throw new LocketArgumentError(`tls.${name}`, 'expected a string or bytes in PEM; TLS needs a cert and its key');
  }
  if ('ca' in tls && !isPem(tls.ca)) {
    throw new LocketArgumentError('tls.ca', 'expected certificates in PEM; leave it out to accept clients without a certificate');
  }
  return tls;
}

function texts(isRight: (text: string) => boolean, expected: string): Check<string[]> {
  return (field, value = []) => {
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const wrong = list.find((it) => typeof it !== 'string' || (it !== '*' && !isRight(it)));
    if (Array.isArray(value) && wrong === undefined) return list as string[];
    throw new LocketArgumentError(field, `expected a list of ${expected}, or of '*' for any, not ${typeof wrong === 'string' ? JSON.stringify(wrong) : kindOf(wrong ?? value)}`);
  };
}

/** True if browsers send it as an origin; `null` is the origin of a file or a sandbox. */
function isOrigin(text: string): boolean {
  return text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}

function isPem(value: unknown): boolean {
  const text = value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value;
  return typeof text === 'string' && text.includes('-----BEGIN ');
}
