// Checks TLS: the server's certificate, its authority, and whether the server accepts the client's.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { bad, type Finding, good, note } from './finding.js';

/** The client's certificate and the trusted authorities, in PEM. */
export interface Tls {
  ca?: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
}

/** How long to wait for a refusal of the certificate: with TLS 1.3 it comes after the handshake. */
const REFUSAL_MS = 300;

/** Does the TLS handshake, and checks the server's certificate. */
export async function lookAtTls(plain: Socket, host: string, tls: Tls, needsHttp2: boolean, timeoutMs: number): Promise<Finding[]> {
  const secure = connect({ ...tls, socket: plain, ALPNProtocols: [needsHttp2 ? 'h2' : 'http/1.1'], rejectUnauthorized: false, servername: isName(host) ? host : '' });
  let refused: Error | undefined;
  secure.on('error', (error) => (refused = error));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    // Read before the server may end the connection: the certificate is lost then.
    const findings = [good(`it speaks ${secure.getProtocol()}`), certificateFinding(secure, host, tls)];
    const closed = once(secure, 'close').then(() => new Error('it closes the connection'), (error: Error) => error);
    refused ??= await Promise.race([closed, sleep(REFUSAL_MS, undefined)]);
    if (refused !== undefined) findings.push(refusal(refused, tls));
    else if (needsHttp2 && secure.alpnProtocol !== 'h2') findings.push(noHttp2());
    return findings;
  } catch (error) {
    return [handshakeFailed(refused ?? (error as Error), tls, needsHttp2)];
  } finally {
    secure.destroy();
  }
}

const isName = (host: string): boolean => !/^[\d.]+$|:/.test(host);

function noHttp2(): Finding {
  return bad('it offers no HTTP/2 over TLS, which gRPC needs', 'for a gRPC-Web proxy, pass --protocol grpc-web; otherwise pass the port of Locket itself');
}

/** A URL means a gRPC-Web proxy by default, but the user may have meant Locket itself. */
export function noHttp1(): Finding {
  return bad('it speaks no HTTP/1.1, which gRPC-Web needs here', 'for the port of Locket itself, pass --protocol grpc');
}

function handshakeFailed(error: Error, tls: Tls, needsHttp2: boolean): Finding {
  const { code = '', message, name } = error as NodeJS.ErrnoException;
  if (/WRONG_VERSION|packet length/i.test(`${code} ${message}`)) return bad('it does not speak TLS', 'pass an address that begins with http://, or leave out the certificates');
  if (/NO_APPLICATION_PROTOCOL|no application protocol/i.test(`${code} ${message}`)) return needsHttp2 ? noHttp2() : noHttp1();
  if (/ALERT/.test(code)) return refusal(error, tls);
  const how = name === 'AbortError' ? 'does not finish' : `fails (${code || message})`;
  return bad(`the TLS handshake ${how}`, 'check that Locket listens there, and not a proxy or a health port');
}

/** Whether a server answers the start of TLS, whatever the result. */
export async function speaksTls(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const secure = connect({ host, port, rejectUnauthorized: false });
  const failed = once(secure, 'error').then(([error]) => /ALERT|SSLV3|TLSV1/.test(String((error as NodeJS.ErrnoException).code)));
  const closed = once(secure, 'close').then(() => false, () => false);
  const shaken = once(secure, 'secureConnect').then(() => true);
  const isTls = await Promise.race([shaken, failed, closed, sleep(timeoutMs, false, { ref: false })].map((outcome) => outcome.catch(() => false)));
  secure.destroy();
  return isTls;
}

/** The server ended the connection because of the client's certificate. */
function refusal(error: Error, { cert }: Tls): Finding {
  const reason = (error as NodeJS.ErrnoException).code ?? error.message;
  if (cert === undefined) return bad('it requires a client certificate', 'pass --cert-file and --key-file (CLIENT_CERT_FILE, CLIENT_KEY_FILE)');
  return bad(`it rejects the client's certificate (${reason})`, 'check that this server trusts its authority, and that it has not expired');
}

function certificateFinding(secure: TLSSocket, host: string, { rejectUnauthorized }: Tls): Finding {
  const certificate = secure.getPeerCertificate();
  const problem = dateProblem(certificate) ?? authorityProblem(secure, certificate) ?? nameProblem(certificate, host);
  if (problem === undefined) return good(`its certificate is for ${namesOf(certificate)}, and is trusted`);
  return rejectUnauthorized ? problem : note(problem.what, 'certificates are not verified, because of --skip-cert-verify');
}

function dateProblem({ valid_from: from, valid_to: to }: PeerCertificate): Finding | undefined {
  const now = Date.now();
  if (now < Date.parse(from)) return bad(`its certificate is valid only from ${from}`, `check the clock of this machine, which shows ${new Date(now).toISOString()}`);
  if (now > Date.parse(to)) return bad(`its certificate has expired on ${to}`, 'renew it, or check the clock of this machine');
  return undefined;
}

function authorityProblem({ authorizationError }: TLSSocket, { issuer }: PeerCertificate): Finding | undefined {
  // Node gives a text here, although its types say an error.
  const reason = authorizationError as unknown as string | null;
  if (reason === null || reason === undefined) return undefined;
  const by = issuer?.CN === undefined ? '' : ` by '${String(issuer.CN)}'`;
  return bad(`its certificate is signed${by}, which is not trusted (${reason})`, 'pass the file of that authority with --ca-file (CA_CERT_FILE)');
}

function nameProblem(certificate: PeerCertificate, host: string): Finding | undefined {
  if (checkServerIdentity(host, certificate) === undefined) return undefined;
  return bad(`its certificate is for ${namesOf(certificate)}, not for ${host}`, 'use a host name of its certificate');
}

function namesOf({ subject, subjectaltname }: PeerCertificate): string {
  return subjectaltname ?? String(subject?.CN ?? 'nobody');
}
