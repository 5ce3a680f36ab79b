// `locket-wasm serve`: the reference server on a port, until it is told to end.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { LocketArgumentError } from '../node.js';
import { serve, type ServeOptions, type Serving } from '../serve.js';
import { CONTROL_HELP } from '../serve/control.js';
import { type Command, EXIT_FAILED, EXIT_USAGE, Failure, readOptions } from './command.js';

const help = `Usage: locket-wasm serve [OPTION...]

Makes the reference Locket a real endpoint, to test clients in any language
without a Cloud Foundry: gRPC over HTTP/2 and gRPC-Web over HTTP/1.1, both on
one port. It keeps nothing: the locks are gone when it ends.

  --port PORT          8891 by default; 0 takes any free one
  --profile NAME       which Locket it is: documented (default) or upstream,
                       the one that ships
  --clock real|manual  manual: time stands still until told to pass, over the
                       control endpoint; leases then end when you say
  --latency TIME       how long answers take: 200ms, 1s
  --processes N        so many Lockets over one table, on the ports that follow
  --seed N             where modified ids come from
  --control-port PORT  opens the control endpoint also with a real clock
                       (manual: on any free port unless this says which)
  --cert-file FILE     TLS: a certificate, and
  --key-file FILE      its key, in PEM
  --ca-file FILE       mutual TLS, as a real Locket has it: only clients whose
                       certificate is signed by one of these
  --host HOST          127.0.0.1 by default; one that others can reach needs
  --allow-remote       since whoever reaches Locket can take every lock
  --json               print the line below as JSON
  --help               print this

When it is ready it prints one line:

  locket-wasm serve: listening on http://127.0.0.1:8891 (profile upstream, clock real)

SIGTERM or SIGINT ends it: calls in flight are finished, for up to 10 seconds,
and the exit code is 0. Other exit codes: 1 it cannot listen, 2 wrong usage.

A Go client:

  conn, err := grpc.NewClient("127.0.0.1:8891",
      grpc.WithTransportCredentials(insecure.NewCredentials()))
  locket := models.NewLocketClient(conn)

grpcurl, with Locket's locket.proto:

  grpcurl -plaintext -proto locket.proto -d '{"resource":{"key":"bbs",
    "owner":"bbs-0","type_code":"LOCK"},"ttl_in_seconds":15}' \\
    127.0.0.1:8891 models.Locket/Lock

A gRPC-Web client, in a page or in Node: baseUrl 'http://127.0.0.1:8891'.

A lock that expires, in no time:

  locket-wasm serve --clock manual --control-port 8892
  curl -d '{"duration":"15s"}' http://127.0.0.1:8892/advance
  curl http://127.0.0.1:8892/table

The control endpoint, always on 127.0.0.1:

${CONTROL_HELP.replace(/^/gm, '  ').trimEnd()}
`;

export const serveCommand: Command = { summary: 'make the reference Locket a real endpoint', help, run };

const NAME = 'locket-wasm serve';

async function run(args: string[]): Promise<void> {
  const { values } = readOptions('serve', () => parseArgs({ args, options: OPTIONS }));
  const options = serveOptions(values);
  const serving = await start(options);
  // First: who reads the line may end it at once.
  endOnSignal(serving);
  announce(serving, options, values.json);
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
  'allow-remote': flag,
  'ca-file': text,
  'cert-file': text,
  clock: text,
  'control-port': text,
  host: text,
  json: flag,
  'key-file': text,
  latency: text,
  port: text,
  processes: text,
  profile: text,
  seed: text,
} as const;

type Values = Partial<Record<keyof typeof OPTIONS, string | boolean>>;

/** Values are checked where they are used; here they only become what they mean. */
function serveOptions(values: Values): ServeOptions {
  const options: Record<string, unknown> = { allowRemote: values['allow-remote'] };
  const set = (name: string, value: string | boolean | undefined, read: (text: string) => unknown = String): void => {
    if (typeof value === 'string') options[name] = read(value);
  };
  set('clock', values.clock);
  set('host', values.host);
  set('profile', values.profile);
  set('latencyMs', values.latency);
  set('port', values.port, number);
  set('controlPort', values['control-port'], number);
  set('processes', values.processes, number);
  set('seed', values.seed, number);
  const tls: Record<string, string> = {};
  for (const name of ['cert', 'key', 'ca'] as const) {
    const file = values[`${name}-file`];
    if (typeof file === 'string') tls[name] = read(file);
  }
  if (Object.keys(tls).length === 0) return options;
  if (!('cert' in tls && 'key' in tls)) throw new Failure(EXIT_USAGE, 'TLS takes both --cert-file and --key-file');
  options['tls'] = tls;
  return options;
}

function number(text: string): unknown {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot read ${file}: ${(error as Error).message}`);
  }
}

async function start(options: ServeOptions): Promise<Serving> {
  try {
    return await serve(options);
  } catch (error) {
    if (error instanceof LocketArgumentError) throw new Failure(EXIT_USAGE, asOption(error));
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Failure(EXIT_FAILED, `${message}; give another --port, or --port 0 for any free one`);
    if (code !== undefined) throw new Failure(EXIT_FAILED, message);
    throw error;
  }
}

/** Names the option as the command line does: `--control-port` for `controlPort`. */
function asOption({ field, message }: LocketArgumentError): string {
  const option = field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${option}${message.slice(field.length)}; see locket-wasm serve --help`;
}

function announce(serving: Serving, options: ServeOptions, asJson: boolean): void {
  const { url, urls, controlUrl } = serving;
  const { profile = 'documented', clock = 'real' } = options;
  if (asJson) {
    const line = { event: 'listening', url, urls, controlUrl: controlUrl ?? null, profile, clock, pid: process.pid };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const control = controlUrl === undefined ? '' : `, control ${controlUrl}`;
  process.stdout.write(`${NAME}: listening on ${urls.join(', ')} (profile ${String(profile)}, clock ${clock}${control})\n`);
}

/** The second signal does not wait. */
function endOnSignal(serving: Serving): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(EXIT_FAILED));
      void serving.close().then(() => process.exit(0));
    });
  }
}
