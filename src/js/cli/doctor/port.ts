// Checks the name, the port, and its protocol without TLS.

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { bad, type Finding, good } from './finding.js';
import { speaksTls } from './tls.js';

/** A connection, or the finding that explains its failure. */
export async function openPort(host: string, port: number, timeoutMs: number): Promise<{ finding: Finding; socket?: Socket }> {
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
    if (code === 'ECONNREFUSED') return { finding: bad(`${place} refuses connections`, 'check that Locket runs there and listens on this port') };
    const how = name === 'AbortError' ? `does not answer within ${timeoutMs / 1000} s` : `cannot be reached (${code})`;
    return { finding: bad(`${place} ${how}`, 'check the address, and firewalls and security groups on the way') };
  }
}

/** The start of an HTTP/2 client: its preface and empty settings. */
const HTTP2_BEGIN = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])]);
/** An HTTP/2 server sends its settings at once. */
const FIRST_BYTES_MS = 2_000;
const SETTINGS = 4;
const TLS_ALERT = 0x15;

/** Checks the answer to the start of HTTP/2. */
export async function speaksHttp2(socket: Socket, timeoutMs: number): Promise<Finding> {
  // An ended socket emits no further events.
  const { remoteAddress = '', remotePort = 0 } = socket;
  socket.on('error', () => {});
  socket.write(HTTP2_BEGIN);
  const bytes = await new Promise<Buffer>((resolve) => {
    const nothing = (): void => resolve(Buffer.alloc(0));
    socket.once('data', resolve).once('close', nothing).setTimeout(Math.min(timeoutMs, FIRST_BYTES_MS), nothing);
  });
  socket.destroy();
  if (bytes[3] === SETTINGS) return good('it speaks HTTP/2');
  const text = bytes.toString('latin1');
  const isTls = bytes[0] === TLS_ALERT || /HTTPS server/i.test(text) || (bytes.length === 0 && (await speaksTls(remoteAddress, remotePort, timeoutMs)));
  if (isTls) return bad('it speaks TLS', 'pass --ca-file, --cert-file and --key-file, or an address that begins with https://');
  if (text.startsWith('HTTP/1.')) return bad('it speaks HTTP/1.1 only, but gRPC needs HTTP/2', 'for a gRPC-Web proxy, pass --protocol grpc-web; otherwise pass the port of Locket itself');
  const what = bytes.length === 0 ? 'it does not answer HTTP/2' : 'it speaks another protocol';
  return bad(what, 'check the port: Locket listens on 8891; its health and debug ports differ');
}
