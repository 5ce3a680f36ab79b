// TLS: who the server says it is, who says so, and whether it takes the client's certificate.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { bad, type Finding, good, note } from './finding.js';

/** What is shown, and who is trusted, in PEM. */
export interface Tls {
  ca?: string;
  cert?: string;
  key?: string;
  rejectUnauthorized: boolean;
}

/** How long a server has to say that it does not take a certificate: with TLS 1.3 it does so after the handshake. */
const REFUSAL_MS = 300;

/** Shakes hands over a connection, and looks at what the server has shown. */
export async function lookAtTls(plain: Socket, host: string, tls: Tls, needsHttp2: boolean, timeoutMs: number): Promise<Finding[]> {
  const secure = connect({ ...tls, socket: plain, ALPNProtocols: [needsHttp2 ? 'h2' : 'http/1.1'], rejectUnauthorized: false, servername: isName(host) ? host : '' });
  let refused: Error | undefined;
  secure.on('error', (error) => (refused = error));
  try {
    await once(secure, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) });
    // Before the server may end it: then there is no certificate any more.
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
  return bad('it offers no HTTP/2 over TLS, which gRPC needs', 'if it is a gRPC-Web proxy, say --protocol grpc-web; otherwise give the port of Locket itself');
}

/** A URL is that of a gRPC-Web proxy unless told, and Locket itself may have been meant. */
export function noHttp1(): Finding {
  return bad('it speaks no HTTP/1.1, which gRPC-Web needs here', 'if it is the port of Locket itself, say --protocol grpc');
}

function handshakeFailed(error: Error, tls: Tls, needsHttp2: boolean): Finding {
  const { code = '', message, name } = error as NodeJS.ErrnoException;
  if (/WRONG_VERSION|packet length/i.test(`${code} ${message}`)) return bad('it speaks no TLS', 'give an address that begins with http://, or no certificates');
  if (/NO_APPLICATION_PROTOCOL|no application protocol/i.test(`${code} ${message}`)) return needsHttp2 ? noHttp2() : noHttp1();
  if (/ALERT/.test(code)) return refusal(error, tls);
  const how = name === 'AbortError' ? 'does not finish' : `fails (${code || message})`;
  return bad(`the TLS handshake ${how}`, 'check whether it is Locket that listens there, and no proxy or health port');
}

/** Whether a server takes the beginning of TLS for one, whatever comes of it. */
export async function speaksTls(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const secure = connect({ host, port, rejectUnauthorized: false });
  const failed = once(secure, 'error').then(([error]) => /ALERT|SSLV3|TLSV1/.test(String((error as NodeJS.ErrnoException).code)));
  const closed = once(secure, 'close').then(() => false, () => false);
  const shaken = once(secure, 'secureConnect').then(() => true);
  const isTls = await Promise.race([shaken, failed, closed, sleep(timeoutMs, false, { ref: false })].map((outcome) => outcome.catch(() => false)));
  secure.destroy();
  return isTls;
}

/** The server has ended the connection for the client's certificate. */
function refusal(error: Error, { cert }: Tls): Finding {
  const told = (error as NodeJS.ErrnoException).code ?? error.message;
  if (cert === undefined) return bad('it asks for a certificate of the client', 'give --cert-file and --key-file (CLIENT_CERT_FILE, CLIENT_KEY_FILE)');
  return bad(`it does not take the client's certificate (${told})`, 'check that its authority is the one that this server trusts, and that it has not expired');
}

function certificateFinding(secure: TLSSocket, host: string, { rejectUnauthorized }: Tls): Finding {
  const certificate = secure.getPeerCertificate();
  const problem = dateProblem(certificate) ?? authorityProblem(secure, certificate) ?? nameProblem(certificate, host);
  if (problem === undefined) return good(`its certificate is for ${namesOf(certificate)}, and is trusted`);
  return rejectUnauthorized ? problem : note(problem.what, 'certificates are not verified, as --skip-cert-verify says');
}

function dateProblem({ valid_from: from, valid_to: to }: PeerCertificate): Finding | undefined {
  const now = Date.now();
  if (now < Date.parse(from)) return bad(`its certificate is valid from ${from} on`, `check the clock of this machine: it shows ${new Date(now).toISOString()}`);
  if (now > Date.parse(to)) return bad(`its certificate has expired on ${to}`, 'rotate it, or check the clock of this machine');
  return undefined;
}

function authorityProblem({ authorizationError }: TLSSocket, { issuer }: PeerCertificate): Finding | undefined {
  // Node says a text where its types have an error.
  const told = authorizationError as unknown as string | null;
  if (told === null || told === undefined) return undefined;
  const by = issuer?.CN === undefined ? '' : ` by '${String(issuer.CN)}'`;
  return bad(`its certificate is signed${by}, which is not trusted (${told})`, 'give the file of that authority by --ca-file (CA_CERT_FILE)');
}

function nameProblem(certificate: PeerCertificate, host: string): Finding | undefined {
  if (checkServerIdentity(host, certificate) === undefined) return undefined;
  return bad(`its certificate is for ${namesOf(certificate)}, and not for ${host}`, 'call it by a name that its certificate has');
}

function namesOf({ subject, subjectaltname }: PeerCertificate): string {
  return subjectaltname ?? String(subject?.CN ?? 'nobody');
}
