// The options of a server on a port, and their defaults.

import { type Duration, durationMs, LocketArgumentError, type LocketServerOptions } from '../node.js';
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

const SERVE_OPTIONS = new Set([
  'allowRemote',
  'allowedHosts',
  'allowedOrigins',
  'clock',
  'closeTimeout',
  'controlPort',
  'host',
  'latency',
  'port',
  'processes',
  'profile',
  'receiveTimeout',
  'seed',
  'tls',
]);
const TLS_OPTIONS = new Set(['ca', 'cert', 'key']);
const TIMEOUT_MAX = 2 ** 31 - 1;
const PORT_MAX = 65_535;

/** Checks the options that are not for the `LocketServer` to check. */
export function settingsOf(options: ServeOptions): Settings {
  knownMembers('options', options, SERVE_OPTIONS);
  const { clock = 'real', host = '127.0.0.1', allowRemote = false, controlPort } = options;
  if (clock !== 'real' && clock !== 'virtual') {
    throw new LocketArgumentError('clock', `expected real or virtual, not ${shown(clock)}`);
  }
  if (typeof host !== 'string' || host === '') throw new LocketArgumentError('host', 'expected a name or an address');
  if (typeof allowRemote !== 'boolean') throw new LocketArgumentError('allowRemote', 'expected true or false');
  const control = controlPort === undefined ? undefined : whole('controlPort', controlPort, PORT_MAX);
  const tls = tlsOf(options.tls);
  return {
    clock,
    host,
    port: whole('port', options.port ?? 8891, PORT_MAX),
    allowRemote,
    allowed: allowedBy(options, host, tls),
    tls,
    controlPort: control ?? (clock === 'virtual' ? 0 : undefined),
    receiveTimeoutMs: timerMs('receiveTimeout', options.receiveTimeout ?? '20s'),
    closeTimeoutMs: timerMs('closeTimeout', options.closeTimeout ?? '10s'),
  };
}

/** A misspelt or undefined member could turn mutual TLS off, so both are errors. */
function tlsOf(tls: ServeTls | undefined): ServeTls | undefined {
  if (tls === undefined) return undefined;
  knownMembers('tls', tls, TLS_OPTIONS);
  for (const name of ['cert', 'key'] as const) {
    if (!isPem(tls[name])) throw new LocketArgumentError(`tls.${name}`, 'expected a string or bytes in PEM; TLS needs a cert and its key');
  }
  if ('ca' in tls && !isPem(tls.ca)) {
    throw new LocketArgumentError('tls.ca', 'expected certificates in PEM; leave it out to accept clients without a certificate');
  }
  return tls;
}

function allowedBy({ allowedHosts, allowedOrigins }: ServeOptions, host: string, tls: ServeTls | undefined): Allowed {
  const hosts = texts('allowedHosts', allowedHosts, (name) => /^[\w.-]+$/.test(name), 'names without a port, such as locket');
  const origins = texts('allowedOrigins', allowedOrigins, isOrigin, 'origins such as https://app.example.org');
  // Over TLS a client looks at the name in the certificate.
  const known = tls === undefined ? [host] : ['*'];
  return { hosts: new Set([...known, ...hosts].map((name) => name.toLowerCase())), origins: new Set(origins) };
}

function texts(field: string, value: unknown, isRight: (text: string) => boolean, expected: string): string[] {
  const list: unknown[] | undefined = value === undefined ? [] : Array.isArray(value) ? value : undefined;
  const wrong = list === undefined ? value : list.find((it) => typeof it !== 'string' || (it !== '*' && !isRight(it)));
  if (list !== undefined && wrong === undefined) return list as string[];
  throw new LocketArgumentError(field, `expected a list of ${expected}, or of '*' for any, not ${shown(wrong)}`);
}

/** As browsers send it; `null` is that of a page in a file or a sandbox. */
function isOrigin(text: string): boolean {
  return text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}

function knownMembers(field: string, value: unknown, known: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) throw new LocketArgumentError(field, 'expected an object');
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue;
    throw new LocketArgumentError(field === 'options' ? name : `${field}.${name}`, `unknown; the fields are ${[...known].join(', ')}`);
  }
}

function isPem(value: unknown): boolean {
  const text = value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value;
  return typeof text === 'string' && text.includes('-----BEGIN ');
}

function whole(field: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new LocketArgumentError(field, `expected a whole number from 0 to ${max}, not ${shown(value)}`);
}

/** The milliseconds of a time that Node's timers take. */
function timerMs(field: string, value: Duration): number {
  const ms = durationMs(value, field);
  if (ms <= TIMEOUT_MAX) return ms;
  throw new LocketArgumentError(field, `expected at most ${TIMEOUT_MAX}ms, not ${shown(value)}`);
}

/** A value that is none of those that were expected. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}
