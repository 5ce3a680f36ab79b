// `locket-wasm serve`: the reference server on a port, until a signal.

import { type Command, Option } from 'commander';
import type { Duration } from 'locket-wasm';
import { serve, type ServeOptions, type Serving } from 'locket-wasm/serve';

import { CONTROL_HELP } from '../src/js/serve/control-help.js';
import { duration, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, wholeNumber } from './command.js';
import { readText } from './files.js';
import { reporting } from './printer.js';
import type { Report } from './report.js';
import { complain } from './terminal.js';

const DESCRIPTION = `Serves the reference Locket on a port, to test clients in any language without a
Cloud Foundry: gRPC over HTTP/2 and gRPC-Web over HTTP/1.1 on the same port. It
keeps locks in memory only; they are lost when it ends.`;

const EXAMPLES = `
When it is ready it prints one line:

  locket-wasm serve: listening on http://127.0.0.1:8891 (profile documented, …)

At SIGTERM or SIGINT it finishes the calls in flight, for up to 10 seconds, and
ends with exit code 0. Exit code 1: it cannot listen. Exit code 2: wrong usage.

It takes 10,000 connections and 10,000 calls at once, and holds 128 MiB of large
requests and unread answers. It refuses more, which changes no lock.

A Go client:

  conn, err := grpc.NewClient("127.0.0.1:8891",
      grpc.WithTransportCredentials(insecure.NewCredentials()))
  locket := models.NewLocketClient(conn)

grpcurl, with Locket's locket.proto:

  grpcurl -plaintext -proto locket.proto -d '{"resource":{"key":"bbs",
    "owner":"bbs-0","type_code":"LOCK"},"ttl_in_seconds":15}' \\
    127.0.0.1:8891 models.Locket/Lock

A gRPC-Web client, in a page or in Node: baseUrl 'http://127.0.0.1:8891'.
Pages from this machine may call, such as http://localhost:5173; for other pages
pass --allow-origin. Clients that use another host name, such as the name of a
container, need --allow-host. Over TLS any host name is accepted, because the
certificate has the names.

A lock that expires, without waiting:

  locket-wasm serve --clock virtual --control-port 8892
  curl -d '{"duration":"15s"}' http://127.0.0.1:8892/advance
  curl http://127.0.0.1:8892/table

The control endpoint, always on 127.0.0.1:

${CONTROL_HELP.replace(/^/gm, '  ').trimEnd()}
`;

interface Options extends Pick<ServeOptions, 'allowRemote' | 'clock' | 'controlPort' | 'host' | 'port' | 'processes'> {
  allowHost?: string[];
  allowOrigin?: string[];
  caFile?: string;
  certFile?: string;
  json?: true;
  keyFile?: string;
  latency?: Duration;
  profile: 'documented' | 'upstream';
  database: 'mysql' | 'postgres';
}

export function serveCommand(): Command {
  return newCommand('serve', 'serve the reference Locket on a port')
    .description(DESCRIPTION)
    .option('--port <port>', 'the port; 8891 by default, 0 for any free port', wholeNumber)
    .addOption(new Option('--profile <name>', 'the Locket to imitate: documented, or upstream (the shipped one)').choices(['documented', 'upstream']).default('documented'))
    .addOption(new Option('--database <kind>', 'its database: on mysql the keys bbs, BBS and "bbs " are equal').choices(['postgres', 'mysql']).default('postgres'))
    .addOption(
      new Option(
        '--clock <kind>',
        'real (default), or virtual: time passes only when you advance it over the control endpoint',
      ).choices(['real', 'virtual']),
    )
    .option('--latency <duration>', 'how long answers take, such as 200ms', duration)
    .option('--processes <n>', 'the number of Locket processes, each on the next port', wholeNumber)
    .option('--control-port <port>', 'the port of the control endpoint; with a virtual clock any free port by default', wholeNumber)
    .option('--cert-file <file>', 'the server certificate for TLS, in PEM')
    .option('--key-file <file>', 'the key of the certificate, in PEM')
    .option('--ca-file <file>', 'mutual TLS: accept only clients with a certificate of these authorities')
    .option('--host <host>', 'the address to listen on; 127.0.0.1 by default, others need --allow-remote')
    .option('--allow-remote', 'allow other machines to connect; they can take every lock')
    .option('--allow-origin <origin>', 'allow pages of this origin, such as https://app.example.org; repeatable; * is any', listed)
    .option('--allow-host <name>', 'allow clients to use this host name; repeatable; * is any', listed)
    .option('--json', 'print the ready line as JSON')
    .addHelpText('after', EXAMPLES)
    .action(reporting(runServe, FIELDS));
}

const NAME = 'locket-wasm serve';

async function runServe({ json: _, ...given }: Options): Promise<Report> {
  const serving = await start(serveOptions(given));
  // Before the line: its reader may send the signal at once.
  endOnSignal(serving);
  return announced(serving, given);
}

/** The options of `serve`, which checks them. */
function serveOptions({ allowHost, allowOrigin, caFile, certFile, keyFile, latency, profile, database, ...rest }: Omit<Options, 'json'>): ServeOptions {
  const allowed = { ...(allowHost && { allowedHosts: allowHost }), ...(allowOrigin && { allowedOrigins: allowOrigin }) };
  const options = { ...rest, profile: { extends: profile, database }, ...allowed, ...(latency !== undefined && { latency }) };
  if (caFile === undefined && certFile === undefined && keyFile === undefined) return options;
  if (certFile === undefined || keyFile === undefined) {
    throw new Failure(EXIT_USAGE, 'TLS needs both --cert-file and --key-file');
  }
  const tls = { cert: readText(certFile), key: readText(keyFile), ...(caFile !== undefined && { ca: readText(caFile) }) };
  return { ...options, tls };
}

/** The option of each argument. */
const FIELDS = {
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
  latency: '--latency',
  tls: '--cert-file',
  'tls.ca': '--ca-file',
  'tls.cert': '--cert-file',
  'tls.key': '--key-file',
};

function listed(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

async function start(options: ServeOptions): Promise<Serving> {
  try {
    return await serve(options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    const remedy = code === 'EADDRINUSE' ? '; pass another --port, or --port 0 for any free port' : '';
    throw new Failure(EXIT_FAILED, `${message}${remedy}`, error);
  }
}

function announced({ url, urls, controlUrl }: Serving, { clock = 'real', profile, database }: Options): Report {
  const imitated = database === 'postgres' ? profile : `${profile} on ${database}`;
  const control = controlUrl === undefined ? '' : `, control ${controlUrl}`;
  return {
    text: () => [`${NAME}: listening on ${urls.join(', ')} (profile ${imitated}, clock ${clock}${control})`],
    json: [{ event: 'listening', url, urls, controlUrl: controlUrl ?? null, profile, database, clock, pid: process.pid }],
  };
}

/** A second signal ends the process at once. */
function endOnSignal(serving: Serving): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(EXIT_FAILED));
      serving.close().then(
        () => process.exit(0),
        ({ message }: Error) => {
          complain([`${NAME}: ${message}`]);
          process.exit(EXIT_FAILED);
        },
      );
    });
  }
}
