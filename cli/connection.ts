// How commands find a Locket: the same options and environment variables for all, including cfdot's.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Duration, LocketClient } from 'locket-wasm';
import { GrpcChannel, GrpcWebChannel } from 'locket-wasm/grpc';

import { duration, EXIT_USAGE, Failure, nonEmpty, PROGRAM } from './command.js';
import { EitherChannel } from './either-channel.js';
import { readText } from './files.js';

/** The options, with commander's names; cfdot's have other names for the same. */
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

/** Part of the help of each of these commands. */
export const CONNECTION_HELP = `
An address such as locket.service.cf.internal:8891 means Locket's own port:
calls use gRPC, with TLS if certificates are given. Several addresses are
separated by commas; the first that accepts a connection is used. A URL with
https:// means Locket or a gRPC-Web proxy in front of it, such as Envoy: the
first call tries gRPC, and then gRPC-Web. A URL with http:// or with a path
means a proxy. --protocol overrides this. cfdot's environment variables and
options work too.
`;

/** The names of each setting: cfdot's options, today's and those before 2024, and variables. */
const CFDOT = {
  url: { flags: ['locketAPILocation'], variables: ['LOCKET_API_LOCATION'] },
  caFile: { flags: ['caCertFile', 'locketCACertFile'], variables: ['CA_CERT_FILE', 'LOCKET_CA_CERT_FILE'] },
  certFile: { flags: ['clientCertFile', 'locketCertFile'], variables: ['CLIENT_CERT_FILE', 'LOCKET_CERT_FILE'] },
  keyFile: { flags: ['clientKeyFile', 'locketKeyFile'], variables: ['CLIENT_KEY_FILE', 'LOCKET_KEY_FILE'] },
  skipCertVerify: { flags: ['skipCertVerify', 'locketSkipCertVerify'], variables: ['SKIP_CERT_VERIFY', 'LOCKET_SKIP_CERT_VERIFY'] },
} as const;

/** Adds the options for the connection to Locket. */
export function connecting(command: Command): Command {
  command
    .addOption(new Option('--url <address>', 'the address of Locket (env: LOCKET_API_LOCATION)').argParser(nonEmpty))
    .addOption(new Option('--protocol <name>', 'the protocol, if the address does not imply it').choices(['grpc', 'grpc-web']))
    .option('--timeout <duration>', 'how long to wait for an answer', duration, '10s')
    .addOption(new Option('--header <name:value>', 'send this header; repeatable').argParser(header).default({}, 'none'))
    .option('--ca-file <file>', 'the authority of the server certificate, in PEM (env: CA_CERT_FILE)')
    .option('--cert-file <file>', 'the client certificate, in PEM (env: CLIENT_CERT_FILE)')
    .option('--key-file <file>', 'the key of the client certificate (env: CLIENT_KEY_FILE)')
    .option('--skip-cert-verify', 'accept any server certificate (env: SKIP_CERT_VERIFY)');
  for (const [name, { flags }] of Object.entries(CFDOT)) {
    for (const flag of flags) command.addOption(new Option(`--${flag} ${name === 'skipCertVerify' ? '[bool]' : '<value>'}`).hideHelp());
  }
  return command;
}

/** Calls a Locket, and closes the connections. */
export async function callLocket<T>(
  command: string,
  connection: Connection,
  call: (locket: LocketClient, protocol: () => Protocol | undefined) => Promise<T>,
): Promise<T> {
  const { client, protocol, close } = connect(command, connection);
  try {
    return await call(client, protocol);
  } finally {
    await close();
  }
}

/** The option of each argument. */
export const CONNECTION_FIELDS = { baseUrl: '--url', timeout: '--timeout', ttl: '--ttl', url: '--url', tls: '--cert-file' };

/** A long list must not be refused. */
const MESSAGE_BYTES_MAX = 1024 ** 3;

/** A client for the options. */
export interface Connected {
  client: LocketClient;
  /** The protocol, as far as it is known. */
  protocol: () => Protocol | undefined;
  /** Closes its connections. */
  close: () => Promise<void>;
}

/** Connects at the first call. */
export function connect(command: string, connection: Connection): Connected {
  const options = { timeout: connection.timeout, headers: connection.header, maxMessageBytes: MESSAGE_BYTES_MAX };
  const endpoint = endpointOf(command, connection);
  const channel = channelTo(endpoint);
  const protocol = (): Protocol | undefined => (channel instanceof EitherChannel ? channel.protocol : endpoint.protocol);
  return { client: new LocketClient({ ...options, ...channel.clientOptions }), protocol, close: () => channel.close() };
}

function channelTo({ urls, protocol, tls: given }: CalledEndpoint): EitherChannel | GrpcChannel | GrpcWebChannel {
  const [url, ...others] = urls as [string];
  const tls = given && /^https:/i.test(url) ? { tls: given } : {};
  if (protocol === 'grpc') return new GrpcChannel({ url: urls, ...tls });
  if (others.length > 0) throw new Failure(EXIT_USAGE, '--url: expected one gRPC-Web proxy; for several Lockets pass --protocol grpc');
  return protocol === undefined ? new EitherChannel({ url, ...tls }) : new GrpcWebChannel({ url, ...tls });
}

/** The addresses of Locket, and the protocol. */
export interface CalledEndpoint {
  urls: string[];
  /** `undefined` is the one that the endpoint speaks. */
  protocol: Protocol | undefined;
  tls: { ca?: string; cert?: string; key?: string; rejectUnauthorized: boolean } | undefined;
}

/** The endpoint that the options and the environment name. */
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
  return { urls, protocol: connection.protocol ?? (isBare ? 'grpc' : impliedBy(urls)), tls };
}

/** Only proxies have a path, and only Lockets are several. A URL with http: has always meant a proxy. */
function impliedBy(urls: readonly string[]): Protocol | undefined {
  if (!urls.every((url) => URL.canParse(url) && isRoot(new URL(url)))) return 'grpc-web';
  return urls.length > 1 ? 'grpc' : undefined;
}

const isRoot = ({ protocol, pathname, search }: URL): boolean => protocol === 'https:' && pathname === '/' && search === '';

/** An option wins over cfdot's, and that over the environment. */
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
    throw new Failure(EXIT_USAGE, 'a certificate needs its key; pass both --cert-file and --key-file, or neither');
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

/** Parsed as in Go, and so as in cfdot. */
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
