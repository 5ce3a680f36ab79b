// The options of a channel, and their defaults: those of grpc-go for Locket's own clients.

import { createSecureContext, type SecureContext } from 'node:tls';

import { checkBoolean, kindOf, knownFields, text } from '../base/checks.js';
import type { Duration } from '../base/duration.js';
import { LocketArgumentError } from '../base/errors.js';
import { timeoutOf } from '../base/options.js';

/** Trusted authorities and the client's certificate, all in PEM. */
export interface GrpcTls {
  /** The authorities of the server's certificate; by default those that Node trusts. */
  ca?: string | Uint8Array;
  /** The client's certificate, which a real Locket requires. */
  cert?: string | Uint8Array;
  /** Its key. */
  key?: string | Uint8Array;
  /** The name in the server's certificate; by default the host of the address. */
  serverName?: string;
  /** `false` accepts any certificate. */
  rejectUnauthorized?: boolean;
}

/** Options of a {@link GrpcChannel}. */
export interface GrpcChannelOptions {
  /**
   * The URL of Locket: `https://locket.service.cf.internal:8891`, or `http:` in clear text; the
   * default port is 8891. With several URLs, the first that accepts a connection is used until it
   * breaks. A host with several addresses counts as several URLs.
   */
  url: string | readonly string[];
  /**
   * For `https:`. A function is asked now and at each new connection, so files that were renewed are
   * read again.
   */
  tls?: GrpcTls | (() => GrpcTls);
  /** How long a connection to one address may take; `10s` by default. */
  connectTimeout?: Duration;
  /**
   * A connection that is silent for `time` during a call is pinged, and closed after `timeout`
   * without an answer: 10 s and 22 s by default, as in Cloud Foundry. `time` is at least `10s`;
   * `false` turns pings off.
   */
  keepalive?: false | { time?: Duration; timeout?: Duration };
  /** A connection without calls is closed after this time; `30m` by default. */
  idleTimeout?: Duration;
  /**
   * The longest wait after a failed connection; `800ms` by default, so that a runner with a retry
   * interval of `1s` or more connects at each attempt. Where it is longer, the first wait is 1 s and
   * each next one 1.6 times longer. Each but the first varies by 20 %. With `120s` it is grpc-go's.
   */
  maxBackoff?: Duration;
  /** True if calls wait during such a wait, until their timeouts. By default they fail at once. */
  waitForReady?: boolean;
}

/** Options of a {@link GrpcWebChannel}. */
export interface GrpcWebChannelOptions {
  /** The URL of the gRPC-Web proxy: `https://locket.example.org`, with a path if it has one. */
  url: string;
  /** As in {@link GrpcChannelOptions}. */
  tls?: GrpcTls | (() => GrpcTls);
}

/** TLS as it is used. */
export interface TlsSettings {
  /** `undefined` is clear text. */
  context: SecureContext | undefined;
  /** The client's certificate in it, in PEM. */
  cert: string | Uint8Array | undefined;
  serverName: string | undefined;
  rejectUnauthorized: boolean;
  /** True if the next connection has the same. */
  isFixed: boolean;
}

/** Options with defaults. */
export interface Settings {
  endpoints: Endpoint[];
  /** TLS of the next connection. */
  tls: () => TlsSettings;
  connectTimeoutMs: number;
  /** `undefined` sends no pings. */
  keepalive: Keepalive | undefined;
  idleTimeoutMs: number;
  maxBackoffMs: number;
  waitForReady: boolean;
}

/** A host as it was given. */
export interface Endpoint {
  host: string;
  port: number;
  isSecure: boolean;
}

/** When a connection is asked whether it is there, and how long it may take to answer. */
export interface Keepalive {
  timeMs: number;
  timeoutMs: number;
}

const OPTIONS = new Set(['url', 'tls', 'connectTimeout', 'keepalive', 'idleTimeout', 'maxBackoff', 'waitForReady']);
const TLS_OPTIONS = new Set(['ca', 'cert', 'key', 'serverName', 'rejectUnauthorized']);
const WEB_OPTIONS = new Set(['url', 'tls']);
const KEEPALIVE_OPTIONS = new Set(['time', 'timeout']);
const DEFAULT_PORT = 8891;
/** grpc-go raises shorter ones to this: servers end connections that are asked more often. */
const KEEPALIVE_MS_MIN = 10_000;

/** Checks options and fills them in. */
export function settingsOf(options: GrpcChannelOptions): Settings {
  knownFields('options', options, OPTIONS);
  const endpoints = endpointsOf(options.url);
  const { waitForReady = false } = options;
  return {
    endpoints,
    tls: tlsSource(options.tls, endpoints[0]?.isSecure === true),
    connectTimeoutMs: timeoutOf('10s', 1)('connectTimeout', options.connectTimeout),
    keepalive: keepaliveOf(options.keepalive),
    idleTimeoutMs: timeoutOf('30m', 1)('idleTimeout', options.idleTimeout),
    maxBackoffMs: timeoutOf('800ms', 1)('maxBackoff', options.maxBackoff),
    waitForReady: checkBoolean('waitForReady', waitForReady),
  };
}

/** The same for gRPC-Web. */
export function webSettingsOf(options: GrpcWebChannelOptions): { url: URL; tls: () => TlsSettings } {
  knownFields('options', options, WEB_OPTIONS);
  const url = urlOf('url', options.url);
  if (url.search !== '' || url.hash !== '') throw new LocketArgumentError('url', 'expected a URL without query and fragment');
  return { url, tls: tlsSource(options.tls, url.protocol === 'https:') };
}

/** Asks at once, so that wrong values are found when the channel is made. */
function tlsSource(given: GrpcChannelOptions['tls'], isSecure: boolean): () => TlsSettings {
  const isFixed = typeof given !== 'function';
  const ask = (): TlsSettings => ({ ...tlsSettings(isFixed ? given : given(), isSecure), isFixed });
  const first = ask();
  return isFixed ? () => first : ask;
}

function tlsSettings(given: GrpcTls | undefined, isSecure: boolean): Omit<TlsSettings, 'isFixed'> {
  if (!isSecure && given !== undefined) {
    throw new LocketArgumentError('tls', 'expected an https: URL for tls, not http:; write https:, or leave tls out');
  }
  const tls = given ?? {};
  knownFields('tls', tls, TLS_OPTIONS);
  const { serverName, rejectUnauthorized = true } = tls;
  return {
    context: isSecure ? contextOf(tls) : undefined,
    cert: tls.cert,
    serverName: serverName === undefined ? undefined : text('tls.serverName', serverName),
    rejectUnauthorized: checkBoolean('tls.rejectUnauthorized', rejectUnauthorized),
  };
}

function endpointsOf(url: unknown): Endpoint[] {
  // An array may have holes, which only some of its methods see.
  const urls: unknown[] = Array.isArray(url) ? Array.from(url as unknown[]) : [url];
  if (urls.length === 0) throw new LocketArgumentError('url', 'expected at least one address');
  const endpoints = urls.map((one, index) => endpointOf(Array.isArray(url) ? `url[${index}]` : 'url', one));
  const mixed = endpoints.findIndex(({ isSecure }) => isSecure !== endpoints[0]?.isSecure);
  if (mixed >= 0) throw new LocketArgumentError(`url[${mixed}]`, 'expected only https: or only http: addresses');
  return endpoints;
}

function endpointOf(field: string, value: unknown): Endpoint {
  const url = urlOf(field, value);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new LocketArgumentError(field, 'expected only a host and a port');
  }
  const isSecure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: portOf(value as string, url), isSecure };
}

function urlOf(field: string, value: unknown): URL {
  const given = text(field, value);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new LocketArgumentError(field, `expected an https: or http: address such as 'https://127.0.0.1:8891', not '${given}'`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new LocketArgumentError(field, 'expected a URL without user and password; send them as headers');
  }
  return url;
}

/** The port of a Locket: a URL does not tell the port that its scheme has anyway from none. */
export function portOf(given: string, { port, protocol }: URL): number {
  if (port !== '') return Number(port);
  const isGiven = /:\d+\/?$/.test(given.trim());
  return isGiven ? (protocol === 'https:' ? 443 : 80) : DEFAULT_PORT;
}

/** Invalid certificates fail here, not at the first call. */
function contextOf({ ca, cert, key }: GrpcTls): SecureContext {
  for (const [name, value] of Object.entries({ ca, cert, key })) {
    if (value === undefined || typeof value === 'string' || value instanceof Uint8Array) continue;
    throw new LocketArgumentError(`tls.${name}`, `expected a string or bytes in PEM, not ${kindOf(value)}`);
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new LocketArgumentError(cert === undefined ? 'tls.cert' : 'tls.key', 'a certificate needs its key; pass both, or neither');
  }
  try {
    return createSecureContext({ minVersion: 'TLSv1.2', ...pemOf({ ca, cert, key }) });
  } catch (error) {
    throw new LocketArgumentError('tls', `the ca, the certificate or its key cannot be used: ${(error as Error).message}`);
  }
}

/** Only what is there; the types want buffers where any bytes do. */
function pemOf(given: Record<string, string | Uint8Array | undefined>): Record<string, string | Buffer> {
  const there = Object.entries(given).filter((entry): entry is [string, string | Uint8Array] => entry[1] !== undefined);
  return Object.fromEntries(there.map(([name, value]) => [name, typeof value === 'string' ? value : Buffer.from(value)]));
}

function keepaliveOf(keepalive: GrpcChannelOptions['keepalive'] = {}): Keepalive | undefined {
  if (keepalive === false) return undefined;
  knownFields('keepalive', keepalive, KEEPALIVE_OPTIONS);
  return {
    timeMs: timeoutOf('10s', KEEPALIVE_MS_MIN)('keepalive.time', keepalive.time),
    timeoutMs: timeoutOf('22s', 1)('keepalive.timeout', keepalive.timeout),
  };
}
