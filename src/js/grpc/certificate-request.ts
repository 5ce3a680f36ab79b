// Asks a server from which authorities it accepts client certificates.
//
// Some servers close a connection without a word if they do not trust the authority of a client's certificate. In TLS
// 1.2 a server names those that it trusts before anything is encrypted, so a handshake without a certificate tells.

import { connect as connectTcp, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { connect as connectTls } from 'node:tls';

/** The names of authorities in DER; `none` if it asks for no certificate, `undefined` if it does not tell. */
export type Wanted = Buffer[] | 'none' | undefined;

/** The server to ask. */
export interface Asked {
  ip: string;
  port: number;
  /** The name that a client of it uses. */
  name: string;
}

/** A server names them at once, or not at all. */
const NAMES_WITHIN_MS = 2_000;

/** Begins a handshake, and reads what the server asks for. Never rejects. */
export function wantedAuthorities({ ip, port, name }: Asked, timeoutMs = NAMES_WITHIN_MS): Promise<Wanted> {
  return new Promise((resolve) => {
    const plain = connectTcp({ host: ip, port });
    const received: Buffer[] = [];
    const copied = new Duplex({
      read: () => {},
      write: (chunk: Buffer, _, done) => void plain.write(chunk, done),
      final: (done) => void plain.end(done),
    });
    const secure = connectTls({
      socket: copied,
      maxVersion: 'TLSv1.2',
      // Nothing is sent to it, and no word of it is believed.
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(isIP(name) === 0 && { servername: name }),
    });
    const end = (): void => {
      clearTimeout(timer);
      secure.destroy();
      copied.destroy();
      plain.destroy();
      resolve(wantedIn(Buffer.concat(received)));
    };
    const timer = setTimeout(end, Math.min(timeoutMs, NAMES_WITHIN_MS));
    plain.on('data', (chunk: Buffer) => (received.push(chunk), copied.push(chunk)));
    for (const one of [plain, secure, copied]) one.on('error', end).once('close', end);
    secure.once('secureConnect', end);
  });
}

const HANDSHAKE = 22;
const RECORD_HEADER_SIZE = 5;
const MESSAGE_HEADER_SIZE = 4;
const CERTIFICATE_REQUEST = 13;
const HELLO_DONE = 14;

/** The authorities in the bytes of a server. */
function wantedIn(bytes: Buffer): Wanted {
  let isDone = false;
  for (const { type, body } of messagesOf(handshakeOf(bytes))) {
    if (type === CERTIFICATE_REQUEST) return namesIn(body);
    isDone ||= type === HELLO_DONE;
  }
  return isDone ? 'none' : undefined;
}

/** The content of the records until something else comes. */
function handshakeOf(bytes: Buffer): Buffer {
  const contents: Buffer[] = [];
  for (let rest = bytes; rest.length >= RECORD_HEADER_SIZE && rest[0] === HANDSHAKE; ) {
    const end = RECORD_HEADER_SIZE + rest.readUInt16BE(3);
    contents.push(rest.subarray(RECORD_HEADER_SIZE, end));
    rest = rest.subarray(end);
  }
  return Buffer.concat(contents);
}

function messagesOf(handshake: Buffer): { type: number; body: Buffer }[] {
  const messages: { type: number; body: Buffer }[] = [];
  for (let rest = handshake; rest.length >= MESSAGE_HEADER_SIZE; ) {
    const end = MESSAGE_HEADER_SIZE + rest.readUIntBE(1, 3);
    if (end > rest.length) break;
    messages.push({ type: rest[0] as number, body: rest.subarray(MESSAGE_HEADER_SIZE, end) });
    rest = rest.subarray(end);
  }
  return messages;
}

/** Two lists come before the names: kinds of certificates, and algorithms. A server may send anything. */
function namesIn(body: Buffer): Wanted {
  const names: Buffer[] = [];
  try {
    const algorithmsAt = 1 + body.readUInt8(0);
    const namesAt = algorithmsAt + 2 + body.readUInt16BE(algorithmsAt);
    for (let rest = body.subarray(namesAt + 2); rest.length > 0; ) {
      const end = 2 + rest.readUInt16BE(0);
      names.push(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
  } catch {
    return undefined;
  }
  return names;
}
