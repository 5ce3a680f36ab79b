// `locket-wasm serve`: the reference server on a port, until it is told to end.

import { type Command, Option } from 'commander';

import { printableJson } from '../base/text.js';
import { type Duration } from '../node.js';
import { serve, type ServeOptions, type Serving } from '../serve.js';
import { CONTROL_HELP } from '../serve/control.js';
import { duration, ending, EXIT_FAILED, EXIT_USAGE, Failure, newCommand, wholeNumber } from './command.js';
import { readText } from './files.js';
import { profileOf, type ProfileOptions, profileWords, withProfile } from './profile-options.js';

const DESCRIPTION = `Makes the reference Locket a real endpoint, to test clients in any language
without a Cloud Foundry: gRPC over HTTP/2 and gRPC-Web over HTTP/1.1, both on
one port. It keeps nothing: the locks are gone when it ends.`;

const EXAMPLES = `
When it is ready it prints one line:

  locket-wasm serve: listening on http://127.0.0.1:8891 (profile documented, clock real)

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
Pages of this machine may call, as http://localhost:5173; others are refused
unless --allow-origin names them. So are clients that call this server by a
name that it does not know, such as that of a container: give --allow-host.
Over TLS any name is taken, since the certificate has the names.

A lock that expires, in no time:

  locket-wasm serve --clock virtual --control-port 8892
  curl -d '{"duration":"15s"}' http://127.0.0.1:8892/advance
  curl http://127.0.0.1:8892/table

The control endpoint, always on 127.0.0.1:

${CONTROL_HELP.replace(/^/gm, '  ').trimEnd()}
`;

interface Options extends ProfileOptions, Pick<ServeOptions, 'allowRemote' | 'clock' | 'controlPort' | 'host' | 'port' | 'processes' | 'seed'> {
  allowHost?: string[];
  allowOrigin?: string[];
  caFile?: string;
  certFile?: string;
  json?: true;
  keyFile?: string;
  latency?: Duration;
}

export function serveCommand(): Command {
  const command = newCommand('serve', 'make the reference Locket a real endpoint')
    .description(DESCRIPTION)
    .option('--port <port>', '8891 by default; 0 takes any free one', wholeNumber);
  return withProfile(command, 'which Locket it is', 'documented')
    .addOption(
      new Option(
        '--clock <kind>',
        'real (default), or virtual: time stands still until told to pass, over the control endpoint; leases then end when you say',
      ).choices(['real', 'virtual']),
    )
    .option('--latency <duration>', 'how long answers take: 200ms, 1s', duration)
    .option('--processes <n>', 'so many Lockets over one table, on the ports that follow', wholeNumber)
    .option('--seed <n>', 'where modified ids come from', wholeNumber)
    .option('--control-port <port>', 'opens the control endpoint also with a real clock (virtual: on any free port unless this says which)', wholeNumber)
    .option('--cert-file <file>', 'TLS: a certificate, and')
    .option('--key-file <file>', 'its key, in PEM')
    .option('--ca-file <file>', 'mutual TLS, as a real Locket has it: only clients whose certificate is signed by one of these')
    .option('--host <host>', '127.0.0.1 by default; one that others can reach needs')
    .option('--allow-remote', 'since whoever reaches Locket can take every lock')
    .option('--allow-origin <origin>', 'pages of it may call, such as https://app.example.org; may be repeated; * is any', listed)
    .option('--allow-host <name>', 'clients may call this server by it; may be repeated; * is any', listed)
    .option('--json', 'print the line below as JSON')
    .addHelpText('after', EXAMPLES)
    .action(runServe);
}

const NAME = 'locket-wasm serve';

async function runServe({ json, ...given }: Options): Promise<void> {
  const serving = await start(serveOptions(given));
  // First: who reads the line may end it at once.
  endOnSignal(serving);
  announce(serving, given, json === true);
}

/** Values are checked where they are used. */
function serveOptions({ allowHost, allowOrigin, caFile, certFile, keyFile, latency, profile, database, ...rest }: Omit<Options, 'json'>): ServeOptions {
  const allowed = { ...(allowHost && { allowedHosts: allowHost }), ...(allowOrigin && { allowedOrigins: allowOrigin }) };
  const options = { ...rest, profile: profileOf({ profile, database }), ...allowed, ...(latency !== undefined && { latency }) };
  if (caFile === undefined && certFile === undefined && keyFile === undefined) return options;
  if (certFile === undefined || keyFile === undefined) {
    throw new Failure(EXIT_USAGE, 'TLS takes both --cert-file and --key-file');
  }
  const tls = { cert: readText(certFile), key: readText(keyFile), ...(caFile !== undefined && { ca: readText(caFile) }) };
  return { ...options, tls };
}

/** Where a wrong argument came from. */
const OPTIONS = {
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
  return ending('serve', OPTIONS, async () => {
    try {
      return await serve(options);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (typeof code !== 'string') throw error;
      const remedy = code === 'EADDRINUSE' ? '; give another --port, or --port 0 for any free one' : '';
      throw new Failure(EXIT_FAILED, `${message}${remedy}`, error);
    }
  });
}

function announce(serving: Serving, options: Options, asJson: boolean): void {
  const { url, urls, controlUrl } = serving;
  const { clock = 'real' } = options;
  if (asJson) {
    const { profile, database } = options;
    const line = { event: 'listening', url, urls, controlUrl: controlUrl ?? null, profile, database, clock, pid: process.pid };
    process.stdout.write(`${printableJson(line)}\n`);
    return;
  }
  const control = controlUrl === undefined ? '' : `, control ${controlUrl}`;
  process.stdout.write(`${NAME}: listening on ${urls.join(', ')} (profile ${profileWords(options)}, clock ${clock}${control})\n`);
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
