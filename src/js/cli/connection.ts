// How the commands that call a Locket find it: the same flags and environment variables for all of them.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { durationMs, LocketClient } from '../node.js';
import { duration, ending, EXIT_USAGE, Failure, nonEmpty, PROGRAM } from './command.js';
import { readText } from './files.js';
import { httpsFetch } from './https-fetch.js';

/** What the flags say, as commander names them. */
export interface Connection {
  url?: string;
  timeout: string;
  header: Record<string, string>;
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  skipCertVerify?: true;
}

/** Said in the help of each of these commands. */
export const CONNECTION_HELP = `
The URL is that of a gRPC-Web proxy in front of Locket, such as Envoy, or of
locket-wasm serve. Environment variables are those of cfdot; of an address
without a scheme, https: is assumed if there are certificates, else http:.
`;

/** Gives a command the flags that say where Locket is. */
export function connecting(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'where Locket is').env('LOCKET_API_LOCATION').argParser(nonEmpty))
    .option('--timeout <duration>', 'how long to wait for the answer: 500ms, 10s', duration, '10s')
    .addOption(new Option('--header <name:value>', 'send a header too; may be repeated').argParser(header).default({}, 'none'))
    .addOption(new Option('--ca-file <file>', 'who signed the certificate of the other side, in PEM').env('CA_CERT_FILE'))
    .addOption(new Option('--cert-file <file>', 'a certificate to show it, and').env('CLIENT_CERT_FILE'))
    .addOption(new Option('--key-file <file>', 'its key').env('CLIENT_KEY_FILE'))
    .addOption(new Option('--skip-cert-verify', 'trust any certificate').env('SKIP_CERT_VERIFY'));
}

/** Calls a Locket, and ends the command as the answer says. */
export async function callLocket<T>(command: string, connection: Connection, call: (locket: LocketClient) => Promise<T>): Promise<T> {
  return ending(command, OPTIONS, () => call(clientFor(command, connection)));
}

/** Where a wrong argument came from. */
const OPTIONS = { baseUrl: '--url', timeoutMs: '--timeout', ttlSeconds: '--ttl' };

/** A list of any length is printed. */
const MESSAGE_BYTES_MAX = 1024 ** 3;

function clientFor(command: string, connection: Connection): LocketClient {
  const { url, timeout, header } = connection;
  if (url === undefined) {
    const problem = 'where is Locket? say it by --url or the environment variable LOCKET_API_LOCATION';
    throw new Failure(EXIT_USAGE, `${problem}; see ${PROGRAM} ${command} --help`);
  }
  const tls = tlsOf(connection);
  const baseUrl = /^[a-z]+:\/\//i.test(url) ? url : `${tls === undefined ? 'http' : 'https'}://${url}`;
  const usesTls = tls !== undefined && /^https:/i.test(baseUrl);
  const options = { baseUrl, timeoutMs: durationMs(timeout), headers: header, maxMessageBytes: MESSAGE_BYTES_MAX };
  return new LocketClient({ ...options, ...(usesTls && { fetch: httpsFetch(tls) }) });
}

function tlsOf({ caFile, certFile, keyFile, skipCertVerify }: Connection): Parameters<typeof httpsFetch>[0] | undefined {
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new Failure(EXIT_USAGE, 'a certificate goes with its key: give both --cert-file and --key-file, or neither');
  }
  if (caFile === undefined && certFile === undefined && !skipCertVerify) return undefined;
  return {
    ...(caFile !== undefined && { ca: readText(caFile) }),
    ...(certFile !== undefined && { cert: readText(certFile) }),
    ...(keyFile !== undefined && { key: readText(keyFile) }),
    rejectUnauthorized: !skipCertVerify,
  };
}

function header(given: string, previous: Record<string, string>): Record<string, string> {
  const colon = given.indexOf(':');
  if (colon <= 0) throw new InvalidArgumentError("Expected a name and a value, as in 'authorization: Bearer abc'.");
  return { ...previous, [given.slice(0, colon).trim()]: given.slice(colon + 1).trim() };
}
