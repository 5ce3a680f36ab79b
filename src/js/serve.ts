// The entry `locket-wasm/serve`: the reference server on a port.

import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

import { LocketServer, VirtualClock } from './node.js';
import type { Clock } from './types.js';
import { Calls } from './serve/call.js';
import { controlServer } from './serve/control.js';
import { Held } from './serve/held.js';
import { Listener } from './serve/listener.js';
import { hostInUrl, listenAddress } from './serve/loopback.js';
import { MonotonicClock } from './serve/monotonic-clock.js';
import { type ServeOptions, type Settings, settingsOf } from './serve/options.js';

export type { ServeOptions, ServeTls } from './serve/options.js';

/** A server on a port, or on several ports if it has several processes. */
export interface Serving<C extends Clock = Clock> {
  /** The URL of the first process: `http://127.0.0.1:8891`, or `https:` with TLS. */
  readonly url: string;
  /** The first process's port. */
  readonly port: number;
  /** The URL of each process. */
  readonly urls: readonly string[];
  /** The URL of the control endpoint, if there is one. */
  readonly controlUrl: string | undefined;
  /** The server itself: its clock, its table, its counters. */
  readonly server: LocketServer<C>;
  /**
   * Refuses new connections, waits for calls in flight, then frees everything. Closing twice is
   * fine.
   */
  close(): Promise<void>;
  /** {@link Serving.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the reference Locket on a port: gRPC over HTTP/2 and gRPC-Web over HTTP/1.1.
 *
 * @example
 * ```ts
 * const locket = await serve({ port: 0, clock: 'virtual', profile: 'upstream' });
 * // … point any gRPC or gRPC-Web client at locket.url …
 * locket.server.clock.advance('15s');
 * await locket.close();
 * ```
 */
export async function serve(options: ServeOptions & { clock: 'virtual' }): Promise<Serving<VirtualClock>>;
export async function serve(options?: ServeOptions): Promise<Serving>;
export async function serve(options: ServeOptions = {}): Promise<Serving> {
  const settings = settingsOf(options);
  const address = await listenAddress(settings.host, settings.allowRemote);
  const { profile = 'documented', seed = 0, processes = 1, latency = '0s' } = options;
  const clock = settings.clock === 'virtual' ? new VirtualClock() : new MonotonicClock();
  const server = new LocketServer<Clock>({ profile, seed, processes, latency, clock });
  const opened: Opened = { held: new Held(), listeners: [], control: undefined };
  try {
    await open(opened, server, settings, address, processes);
  } catch (error) {
    await close(opened, server, 0);
    throw error;
  }
  return serving(opened, server, settings, address);
}

interface Opened {
  readonly held: Held;
  listeners: Listener[];
  control: Server | undefined;
}

async function open(opened: Opened, server: LocketServer<Clock>, settings: Settings, address: string, processes: number): Promise<void> {
  for (let process = 0; process < processes; process += 1) {
    const port = settings.port === 0 ? 0 : settings.port + process;
    const calls = new Calls(server, process);
    opened.listeners.push(await Listener.open(calls, address, port, { ...settings, held: opened.held }));
  }
  if (settings.controlPort === undefined) return;
  const control = controlServer(server);
  await new Promise<void>((resolve, reject) => {
    control.once('error', reject);
    control.listen(settings.controlPort, '127.0.0.1', resolve);
  });
  opened.control = control;
}

function serving(opened: Opened, server: LocketServer<Clock>, settings: Settings, address: string): Serving {
  const scheme = settings.tls === undefined ? 'http' : 'https';
  const ports = opened.listeners.map(({ port }) => port);
  const urls = ports.map((port) => `${scheme}://${hostInUrl(address)}:${port}`);
  const control = opened.control?.address() as AddressInfo | undefined;
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => (closed ??= close(opened, server, settings.closeTimeoutMs));
  return {
    url: urls[0] as string,
    port: ports[0] as number,
    urls,
    controlUrl: control === undefined ? undefined : `http://127.0.0.1:${control.port}`,
    server,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

/** The control endpoint closes last: a call in flight may be waiting for the clock. */
async function close({ listeners, control }: Opened, server: LocketServer<Clock>, timeoutMs: number): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close(timeoutMs)));
  if (control !== undefined) {
    const closed = new Promise((resolve) => control.close(resolve));
    control.closeAllConnections();
    await closed;
  }
  server.close();
}
