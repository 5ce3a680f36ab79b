// What a server on a port can be told, and what it does unless told.

import { LocketArgumentError, type LocketServerOptions } from '../node.js';

/** A certificate and its key, in PEM. */
export interface ServeTls {
  cert: string | Uint8Array;
  key: string | Uint8Array;
  /** Who signs the clients' certificates. With it, clients without a certificate are refused, as by a real Locket. */
  ca?: string | Uint8Array;
}

/** Options of {@link serve}. */
export interface ServeOptions extends Pick<LocketServerOptions, 'latencyMs' | 'processes' | 'profile' | 'seed'> {
  /** Time that passes (by default), or that stands still until it is told to. */
  clock?: 'real' | 'manual';
  /** `127.0.0.1` by default. */
  host?: string;
  /**
   * 8891 by default, as Locket's; 0 takes any free one. Further processes have the ports that follow, or any free ones.
   */
  port?: number;
  /** Allows a host that other machines can reach. */
  allowRemote?: boolean;
  /** TLS, and mutual TLS if it has a `ca`; clear text without. */
  tls?: ServeTls;
  /**
   * The port of the control endpoint, which is on 127.0.0.1 always; 0 takes any free one. By default there is one, on any
   * free port, if the clock is manual.
   */
  controlPort?: number;
  /** Within which time a request has to arrive whole, in milliseconds; 20 s by default. */
  receiveTimeoutMs?: number;
  /** How long `close()` waits for calls in flight, in milliseconds; 10 s by default. */
  closeTimeoutMs?: number;
}

/** Options with everything filled in that has a default. */
export interface Settings {
  clock: 'real' | 'manual';
  host: string;
  port: number;
  allowRemote: boolean;
  tls: ServeTls | undefined;
  controlPort: number | undefined;
  receiveTimeoutMs: number;
  closeTimeoutMs: number;
}

const SERVE_OPTIONS = new Set([
  'allowRemote',
  'clock',
  'closeTimeoutMs',
  'controlPort',
  'host',
  'latencyMs',
  'port',
  'processes',
  'profile',
  'receiveTimeoutMs',
  'seed',
  'tls',
]);
const TIMEOUT_MAX = 2 ** 31 - 1;
const PORT_MAX = 65_535;

/** Checks the options that are not for the `LocketServer` to check. */
export function settingsOf(options: ServeOptions): Settings {
  for (const name of Object.keys(options)) {
    if (!SERVE_OPTIONS.has(name)) throw new LocketArgumentError(name, `unknown; there are ${[...SERVE_OPTIONS].join(', ')}`);
  }
  const { clock = 'real', host = '127.0.0.1', allowRemote = false, tls, controlPort } = options;
  if (clock !== 'real' && clock !== 'manual') {
    throw new LocketArgumentError('clock', `expected real or manual, not ${JSON.stringify(clock)}`);
  }
  if (tls !== undefined && (!isPem(tls.cert) || !isPem(tls.key))) {
    throw new LocketArgumentError('tls', 'expected a cert and a key, in PEM');
  }
  const control = controlPort === undefined ? undefined : whole('controlPort', controlPort, PORT_MAX);
  return {
    clock,
    host: String(host),
    port: whole('port', options.port ?? 8891, PORT_MAX),
    allowRemote: allowRemote === true,
    tls,
    controlPort: control ?? (clock === 'manual' ? 0 : undefined),
    receiveTimeoutMs: whole('receiveTimeoutMs', options.receiveTimeoutMs ?? 20_000, TIMEOUT_MAX),
    closeTimeoutMs: whole('closeTimeoutMs', options.closeTimeoutMs ?? 10_000, TIMEOUT_MAX),
  };
}

function isPem(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Uint8Array;
}

function whole(field: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw new LocketArgumentError(field, `expected a whole number from 0 to ${max}, not ${String(value)}`);
}
