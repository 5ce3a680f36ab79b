// Checks the name and the port, and what the port speaks in clear text.

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { bad, type EndpointFinding, good } from './finding.js';
import type { Place, Protocol } from './patient.js';
import { speaksTls } from './speaks-tls.js';

/** A connection, or the finding that explains its failure. */
export async function openPort({ host, port }: Place, timeoutMs: number): Promise<{ finding: EndpointFinding; socket?: Socket }> {
  const place = `${host}:${port}`;
  const address = await lookup(host).catch((error: NodeJS.ErrnoException) => error);
  if (address instanceof Error) {
    return { finding: bad(`${host} has no address (${address.code})`, 'check the name; on a Cloud Foundry VM, check that BOSH DNS knows it') };
  }
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return { finding: good(`${place} accepts connections`), socket };
  } catch (error) {
    socket.destroy();
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED') return { finding: bad(`${place} refuses connections: nothing listens there`, 'check that Locket runs there and listens on this port') };
    const how = name === 'AbortError' ? `does not answer within ${timeoutMs / 1000} s` : `cannot be reached (${code})`;
    return { finding: bad(`${place} ${how}`, 'check the address, and firewalls and security groups on the way') };
  }
}

/** The protocol of a port. */
export type Spoken = 'another protocol' | 'HTTP/1.1' | 'HTTP/2' | 'nothing' | 'TLS';

/** The start of an HTTP/2 client: its preface and empty settings. */
export const HTTP2_BEGIN = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]);
/** A server answers the start of its protocol at once. */
export const FIRST_BYTES_MS = 2_000;
const SETTINGS = 4;

/** The protocol of a port; it is first asked in the protocol that it should speak. */
export async function spokenAt(place: Place, expected: 'HTTP/1.1' | 'HTTP/2', timeoutMs: number): Promise<Spoken> {
  const ask = (protocol: 'HTTP/1.1' | 'HTTP/2'): Promise<Spoken> => answerTo(protocol, place, timeoutMs);
  const first = await ask(expected);
  if (first === expected) return expected;
  const [second, isTls] = await Promise.all([ask(expected === 'HTTP/2' ? 'HTTP/1.1' : 'HTTP/2'), speaksTls(place, Math.min(timeoutMs, FIRST_BYTES_MS))]);
  // A server of TLS may answer other bytes with an error of HTTP/1.1.
  if (isTls) return 'TLS';
  const heard = [second, first].find((one) => one.startsWith('HTTP')) ?? [first, second].find((one) => one !== 'nothing');
  return heard ?? 'nothing';
}

/** The answer to the start of a protocol; an error of HTTP/1.1 is no answer of it. */
async function answerTo(protocol: 'HTTP/1.1' | 'HTTP/2', { host, port }: Place, timeoutMs: number): Promise<Spoken> {
  const socket = connect({ host, port });
  const bytes = await new Promise<Buffer>((resolve) => {
    const nothing = (): void => resolve(Buffer.alloc(0));
    socket.on('error', nothing).once('close', nothing).once('data', resolve);
    socket.setTimeout(Math.min(timeoutMs, FIRST_BYTES_MS), nothing);
    socket.write(protocol === 'HTTP/2' ? HTTP2_BEGIN : `HEAD / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  });
  socket.destroy();
  if (bytes.length === 0) return 'nothing';
  if (bytes.length > 3 && bytes[3] === SETTINGS) return 'HTTP/2';
  return bytes.toString('latin1').startsWith('HTTP/1.') ? 'HTTP/1.1' : 'another protocol';
}

/** The finding about a port that is asked in clear text. */
export function clearTextFinding(spoken: Spoken, protocol: Protocol): EndpointFinding {
  const isGrpc = protocol === 'grpc';
  switch (spoken) {
    case 'TLS':
      return bad('it speaks TLS', isGrpc ? 'pass --ca-file, --cert-file and --key-file, or an address that begins with https://' : 'pass an address that begins with https://');
    case 'HTTP/1.1':
      if (!isGrpc) return good('it speaks HTTP/1.1');
      return bad('it speaks HTTP/1.1 only, but gRPC needs HTTP/2', 'for a gRPC-Web proxy, pass --protocol grpc-web; otherwise pass the port of Locket itself');
    case 'HTTP/2':
      return isGrpc ? good('it speaks HTTP/2') : noHttp1();
    case 'nothing':
      return bad(`it does not answer ${isGrpc ? 'HTTP/2' : 'HTTP/1.1'}`, PORT_ADVICE);
    default:
      return bad('it speaks another protocol, neither HTTP nor TLS', PORT_ADVICE);
  }
}

const PORT_ADVICE = 'check the port: Locket listens on 8891; its health and debug ports differ';

/** A URL may mean a gRPC-Web proxy where the user meant Locket itself. */
export function noHttp1(): EndpointFinding {
  return bad('it speaks no HTTP/1.1, only HTTP/2, as a gRPC server does; gRPC-Web needs HTTP/1.1 here', 'for the port of Locket itself, pass --protocol grpc');
}

/** The finding about a port that is asked with TLS and has none. */
export function noTlsFinding(spoken: Spoken): EndpointFinding {
  const what = spoken === 'nothing' || spoken === 'TLS' ? '' : `, but ${spoken}${spoken.startsWith('HTTP') ? ' in clear text' : ''}`;
  const advice: Partial<Record<Spoken, string>> = {
    'HTTP/1.1': 'pass an address that begins with http://',
    'HTTP/2': 'leave out https:// and the certificates, or pass an address that begins with http:// and --protocol grpc',
  };
  return bad(`it does not speak TLS${what}`, advice[spoken] ?? PORT_ADVICE);
}
