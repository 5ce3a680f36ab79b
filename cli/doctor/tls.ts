// Checks TLS: the server's certificate, its authority, and whether the server accepts the client's.

import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { wantedAuthorities } from '../../src/js/grpc/certificate-request.js';
import { alertOf, type Refusal, refusalOf } from '../../src/js/grpc/refusal.js';
import { bad, type EndpointFinding, good } from './finding.js';
import type { Patient, Place, Tls } from './patient.js';
import { FIRST_BYTES_MS, HTTP2_BEGIN, noHttp1, noTlsFinding, spokenAt } from './port.js';
import { certificateFindings } from './server-certificate.js';
import { speaksTls } from './speaks-tls.js';

/** The endpoint, and how to check it. */
interface Check {
  place: Place;
  tls: Tls;
  protocol: Patient['protocol'];
  timeoutMs: number;
}

const PROTOCOLS = { grpc: ['h2'], 'grpc-web': ['http/1.1'], either: ['h2', 'http/1.1'] };
/** How long to wait for a refusal of the certificate: with TLS 1.3 it comes after the handshake. */
const REFUSAL_MS = 300;
/** The program does not wait for the end of such a sleep. */
const UNWAITED = { ref: false };

/** Does the TLS handshake, and checks the server's certificate. */
export async function lookAtTls(plain: Socket, check: Check): Promise<EndpointFinding[]> {
  const { place, tls, protocol, timeoutMs } = check;
  const name = isIP(place.host) === 0 ? place.host : '';
  const secure = connect({ ...tls, socket: plain, ALPNProtocols: PROTOCOLS[protocol ?? 'either'], rejectUnauthorized: false, servername: name });
  let error: Error | undefined;
  secure.on('error', (thrown) => (error ??= thrown));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    // Read before the server may end the connection: the certificate is lost then.
    const findings = [good(`it speaks ${secure.getProtocol()}`), ...certificateFindings(secure, place.host, tls)];
    const isOver = await isOverSoon(secure, timeoutMs);
    if (isOver || error !== undefined) return [...findings, await ended(secure, error, check)];
    return [...findings, ...protocolFindings(secure, protocol)];
  } catch (thrown) {
    return [await handshakeFailed(secure, error ?? (thrown as Error), check)];
  } finally {
    secure.destroy();
  }
}

/** True if the server ends the connection instead of speaking; one of HTTP/2 begins to speak. */
async function isOverSoon(secure: TLSSocket, timeoutMs: number): Promise<boolean> {
  const closed = new Promise<true>((resolve) => secure.once('close', () => resolve(true)));
  if (secure.alpnProtocol !== 'h2') return Promise.race([closed, sleep(REFUSAL_MS, false, UNWAITED)]);
  const spoken = new Promise<false>((resolve) => secure.once('data', () => resolve(false)));
  secure.write(HTTP2_BEGIN);
  return Promise.race([closed, spoken, sleep(Math.min(timeoutMs, FIRST_BYTES_MS), false, UNWAITED)]);
}

function protocolFindings({ alpnProtocol }: TLSSocket, protocol: Check['protocol']): EndpointFinding[] {
  if (alpnProtocol === 'h2') return [good('it speaks HTTP/2')];
  return protocol === 'grpc' ? [noHttp2()] : [];
}

function noHttp2(): EndpointFinding {
  return bad('it offers no HTTP/2 over TLS, which gRPC needs', 'for a gRPC-Web proxy, pass --protocol grpc-web; otherwise pass the port of Locket itself');
}

async function handshakeFailed(secure: TLSSocket, error: Error, check: Check): Promise<EndpointFinding> {
  const { place, protocol, timeoutMs } = check;
  const { code = '', message, name } = error as NodeJS.ErrnoException;
  const alert = alertOf(error);
  if (alert === 'NO_APPLICATION_PROTOCOL') return protocol === 'grpc-web' ? noHttp1() : noHttp2();
  if (alert !== undefined) return ended(secure, error, check);
  const isTls = await speaksTls(place, Math.min(timeoutMs, FIRST_BYTES_MS));
  if (!isTls) return noTlsFinding(await spokenAt(place, protocol === 'grpc-web' ? 'HTTP/1.1' : 'HTTP/2', timeoutMs));
  if (code === 'ECONNRESET') return ended(secure, error, check);
  const how = name === 'AbortError' ? `does not finish within ${timeoutMs / 1000} s` : `fails (${code || message})`;
  return bad(`the TLS handshake ${how}`, 'check that Locket listens there, and not a proxy or a health port');
}

/** The server ended the connection, because of the client's certificate or for another reason. */
async function ended(secure: TLSSocket, error: Error | undefined, { place, tls, timeoutMs }: Check): Promise<EndpointFinding> {
  const asked = { ip: place.host, port: place.port, name: place.host };
  const closed = error ?? new Error('it closes the connection');
  const isSilent = alertOf(closed) === undefined;
  const refusal = await refusalOf({ error: closed, socket: secure, cert: tls.cert, isSilent }, asked, timeoutMs);
  if (refusal !== undefined) return refusalFinding(refusal);
  const wants = isSilent && tls.cert === undefined ? await wantedAuthorities(asked, timeoutMs) : undefined;
  if (Array.isArray(wants)) return refusalFinding({ by: 'server', why: 'missing', words: '' });
  const how = isSilent ? 'closes the connection after the TLS handshake, without a reason' : `ends the TLS handshake (alert ${alertOf(closed)})`;
  return bad(`it ${how}`, 'read its log; a proxy may not reach Locket');
}

function refusalFinding({ why, words }: Refusal): EndpointFinding {
  if (why === 'missing') return bad('it requires a client certificate', 'pass --cert-file and --key-file (CLIENT_CERT_FILE, CLIENT_KEY_FILE)');
  return bad(`it rejects the client's certificate: ${words}`, ADVICE[why] ?? "read the server's log");
}

const ADVICE: Partial<Record<Refusal['why'], string>> = {
  authority: 'pass a certificate of an authority that this server trusts',
  expired: 'renew the certificate, or check the clocks of this machine and the server',
  'not-yet-valid': 'check the clocks of this machine and the server',
  usage: 'have it issued with the extended key usage clientAuth',
};
