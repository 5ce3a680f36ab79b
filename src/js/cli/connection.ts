// How the commands that call a Locket find it: the same flags and environment variables for all of them, cfdot's among them.

import { type Command, InvalidArgumentError, Option } from 'commander';

import { GrpcChannel, GrpcWebChannel } from '../grpc.js';
import { type Duration, LocketClient } from '../node.js';
import { duration, ending, EXIT_USAGE, Failure, nonEmpty, PROGRAM } from './command.js';
import { readText } from './files.js';

/** What the flags say, as commander names them; those of cfdot have other names for the same. */
export interface Connection {
  url?: string;
  protocol?: Protocol;
  timeout: Duration;
  header: Record<string, string>;
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  skipCertVerify?: boolean | string;
}

type Protocol = 'grpc' | 'grpc-web';

/** Said in the help of each of these commands. */
export const CONNECTION_HELP = `
An address such as locket.service.cf.internal:8891 is Locket's own port: calls
go there by gRPC, over TLS if there are certificates. Of several, separated by
commas, the first that accepts is used. A URL such as http://127.0.0.1:8080 is
that of a gRPC-Web proxy in front of Locket, such as Envoy; --protocol grpc says
that it is Locket itself. Environment variables and flags of cfdot are taken.
`;

/** What can be said of each: by flags of cfdot, of today and of before 2024, and by environment variables. */
const CFDOT = {
  url: { flags: ['locketAPILocation'], variables: ['LOCKET_API_LOCATION'] },
  caFile: { flags: ['caCertFile', 'locketCACertFile'], variables: ['CA_CERT_FILE', 'LOCKET_CA_CERT_FILE'] },
  certFile: { flags: ['clientCertFile', 'locketCertFile'], variables: ['CLIENT_CERT_FILE', 'LOCKET_CERT_FILE'] },
  keyFile: { flags: ['clientKeyFile', 'locketKeyFile'], variables: ['CLIENT_KEY_FILE', 'LOCKET_KEY_FILE'] },
  skipCertVerify: { flags: ['skipCertVerify', 'locketSkipCertVerify'], variables: ['SKIP_CERT_VERIFY', 'LOCKET_SKIP_CERT_VERIFY'] },
} as const;

/** Gives a command the flags that say where Locket is. */
export function connecting(command: Command): Command {
  command
    .addOption(new Option('--url <address>', 'where Locket is (env: LOCKET_API_LOCATION)').argParser(nonEmpty))
    .addOption(new Option('--protocol <name>', 'how to call it, if the address does not say').choices(['grpc', 'grpc-web']))
    .option('--timeout <duration>', 'how long to wait for the answer: 500ms, 10s', duration, '10s')
    .addOption(new Option('--header <name:value>', 'send a header too; may be repeated').argParser(header).default({}, 'none'))
    .option('--ca-file <file>', 'who signed the certificate of the other side, in PEM (env: CA_CERT_FILE)')
    .option('--cert-file <file>', 'a certificate to show it (env: CLIENT_CERT_FILE), and')
    .option('--key-file <file>', 'its key (env: CLIENT_KEY_FILE)')
    .option('--skip-cert-verify', 'trust any certificate (env: SKIP_CERT_VERIFY)');
  for (const [name, { flags }] of Object.entries(CFDOT)) {
    for (const flag of flags) command.addOption(new Option(`--${flag} ${name === 'skipCertVerify' ? '[bool]' : '<value>'}`).hideHelp());
  }
  return command;
}

/** Calls a Locket, and ends the command as the answer says. */
export async function callLocket<T>(command: string, connection: Connection, call: (locket: LocketClient) => Promise<T>): Promise<T> {
  return ending(command, OPTIONS, async () => {
    const { client, close } = connect(command, connection);
    try {
      return await call(client);
    } finally {
      await close();
    }
  });
}

/** Where a wrong argument came from. */
const OPTIONS = { baseUrl: '--url', timeout: '--timeout', ttl: '--ttl', url: '--url', tls: '--cert-file' };

/** A list of any length is printed. */
const MESSAGE_BYTES_MAX = 1024 ** 3;

/** A client as the flags have it, and how to let go of its connections. */
export function connect(command: string, connection: Connection): { client: LocketClient; close: () => Promise<void> } {
  const { urls, protocol, tls } = endpointOf(command, connection);
  const options = { timeout: connection.timeout, headers: connection.header, maxMessageBytes: MESSAGE_BYTES_MAX };
  if (protocol === 'grpc') {
    const channel = new GrpcChannel({ url: urls, ...(tls && isSecure(urls) && { tls }) });
    return { client: new LocketClient({ ...options, ...channel.clientOptions }), close: () => channel.close() };
  }
  const [url, ...others] = urls as [string];
  if (others.length > 0) throw new Failure(EXIT_USAGE, '--url: of gRPC-Web proxies only one can be given; for several Lockets say --protocol grpc');
  const channel = new GrpcWebChannel({ url, ...(tls && isSecure(urls) && { tls }) });
  return { client: new LocketClient({ ...options, ...channel.clientOptions }), close: () => channel.close() };
}

const isSecure = (urls: readonly string[]): boolean => /^https:/i.test(urls[0] ?? '');

/** Where Locket is, and how it is spoken to. */
export interface CalledEndpoint {
  urls: string[];
  protocol: Protocol;
  tls: { ca?: string; cert?: string; key?: string; rejectUnauthorized: boolean } | undefined;
}

/** What flags and environment say of the endpoint. */
export function endpointOf(command: string, connection: Connection): CalledEndpoint {
  const given = said(connection, 'url');
  if (given === undefined) {
    throw new Failure(EXIT_USAGE, `no endpoint; pass --url or set LOCKET_API_LOCATION; see ${PROGRAM} ${command} --help`);
  }
  const tls = tlsOf(connection);
  const addresses = given.split(',').map((address) => address.trim());
  const isBare = !addresses.some((address) => /^[a-z]+:\/\//i.test(address));
  const scheme = tls === undefined ? 'http' : 'https';
  const urls = isBare ? addresses.map((address) => `${scheme}://${address}`) : addresses;
  return { urls, protocol: connection.protocol ?? (isBare ? 'grpc' : 'grpc-web'), tls };
}

/** A flag goes before cfdot's, and those before the environment. */
function said(connection: Connection, name: keyof typeof CFDOT): string | undefined {
  const given = connection as unknown as Record<string, string | true | undefined>;
  const { flags, variables } = CFDOT[name];
  const values = [given[name], ...flags.map((flag) => given[flag]), ...variables.map((variable) => process.env[variable] || undefined)];
  const value = values.find((one) => one !== undefined);
  return value === true ? 'true' : value;
}

function tlsOf(connection: Connection): CalledEndpoint['tls'] {
  const [ca, cert, key] = (['caFile', 'certFile', 'keyFile'] as const).map((name) => said(connection, name));
  if ((cert === undefined) !== (key === undefined)) {
    throw new Failure(EXIT_USAGE, 'a certificate goes with its key: give both --cert-file and --key-file, or neither');
  }
  const skipsVerify = isTrue(said(connection, 'skipCertVerify') ?? 'false');
  if (ca === undefined && cert === undefined && !skipsVerify) return undefined;
  return {
    ...(ca !== undefined && { ca: readText(ca) }),
    ...(cert !== undefined && { cert: readText(cert) }),
    ...(key !== undefined && { key: readText(key) }),
    rejectUnauthorized: !skipsVerify,
  };
}

/** As Go reads it, and so cfdot. */
function isTrue(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false;
  throw new Failure(EXIT_USAGE, `SKIP_CERT_VERIFY: expected true or false, not ${JSON.stringify(text)}`);
}

function header(given: string, previous: Record<string, string>): Record<string, string> {
  const colon = given.indexOf(':');
  if (colon <= 0) throw new InvalidArgumentError("Expected a name and a value, as in 'authorization: Bearer abc'.");
  return { ...previous, [given.slice(0, colon).trim()]: given.slice(colon + 1).trim() };
}
