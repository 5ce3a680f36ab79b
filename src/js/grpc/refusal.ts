// Why a TLS handshake failed: which side refused which certificate.

import type { TLSSocket } from 'node:tls';

import { chainOf, type Fault, issuersOf, ownFault } from './certificate.js';
import { type Asked, type Wanted, wantedAuthorities } from './certificate-request.js';

/** A refused certificate. */
export interface Refusal {
  /** The side that refused the certificate of the other. */
  by: 'client' | 'server';
  why: Fault;
  /** The problem of the certificate. */
  words: string;
}

/** A side refused the certificate of the other. If it `isLasting`, another attempt fails in the same way. */
export class RefusedCertificate extends Error {
  constructor(
    readonly refusal: Refusal,
    cause: unknown,
    readonly isLasting: boolean,
  ) {
    super(sentenceOf(refusal), { cause });
  }
}

function sentenceOf({ by, why, words }: Refusal): string {
  if (why === 'missing') return 'the server requires a client certificate';
  return by === 'client' ? `this client refuses the server's certificate: ${words}` : `the server refuses the client's certificate: ${words}`;
}

/** A handshake that failed. */
export interface Handshake {
  error: Error;
  socket: TLSSocket;
  /** The certificate that the client has shown, in PEM. */
  cert: string | Uint8Array | undefined;
  /** True if the connection ended without an alert, before the server sent anything over it. */
  isSilent: boolean;
}

/** The refusal behind a failed handshake; `undefined` if it failed for another reason, or for an unknown one. */
export async function refusalOf(handshake: Handshake, server: Asked, timeoutMs?: number): Promise<Refusal | undefined> {
  const { error, socket, cert, isSilent } = handshake;
  if (isRefusedHere(socket, error)) return { by: 'client', ...verdictOn(error as NodeJS.ErrnoException) };
  const alert = alertOf(error);
  if (cert === undefined) return isAboutMissing(alert, socket) ? { by: 'server', why: 'missing', words: 'there is none' } : undefined;
  if (alert === undefined && !isSilent) return undefined;
  if (alert !== undefined && !ABOUT_CERTIFICATES.test(alert)) return undefined;
  const wanted = alert === 'UNKNOWN_CA' ? undefined : await wantedAuthorities(server, timeoutMs);
  return serverRefusal(cert, alert, wanted);
}

/** Node's verdict on a server's certificate, with which it ends a connection. */
function isRefusedHere({ authorizationError }: TLSSocket, error: Error): boolean {
  // Node gives a text here, although its types say an error.
  const verdict = authorizationError as unknown as string | undefined;
  return Boolean(verdict) && ((error as NodeJS.ErrnoException).code === verdict || error.message.includes(String(verdict)));
}

/** By the codes of Node's verdicts. */
const VERDICTS: readonly [RegExp, Fault][] = [
  [/^ERR_TLS_CERT_ALTNAME|^HOSTNAME_MISMATCH/, 'name'],
  [/^CERT_HAS_EXPIRED/, 'expired'],
  [/^CERT_NOT_YET_VALID/, 'not-yet-valid'],
  [/^INVALID_PURPOSE/, 'usage'],
  [/SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|^CERT_(?:SIGNATURE_FAILURE|UNTRUSTED)|^INVALID_CA/, 'authority'],
];

/** The problem of a certificate in Node's verdict. */
export function verdictOn({ code = '', message }: { code?: string | undefined; message: string }): { why: Fault; words: string } {
  const why = VERDICTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'unknown';
  return { why, words: code === '' || message.includes(code) ? message : `${message} (${code})` };
}

/** The alert that the server sent, in capitals, such as UNKNOWN_CA. */
export function alertOf(error: Error): string | undefined {
  return /ALERT_(\w+)$/.exec(String((error as NodeJS.ErrnoException).code))?.[1];
}

const ABOUT_CERTIFICATES = /CERTIFICATE|^UNKNOWN_CA$|^ACCESS_DENIED$/;

/** Up to TLS 1.2 some servers say only that the handshake failed; they have shown their own certificate by then. */
function isAboutMissing(alert: string | undefined, socket: TLSSocket): boolean {
  if (alert === undefined) return false;
  return ABOUT_CERTIFICATES.test(alert) || (alert === 'HANDSHAKE_FAILURE' && Object.keys(socket.getPeerCertificate() ?? {}).length > 0);
}

function serverRefusal(cert: string | Uint8Array, alert: string | undefined, wanted: Wanted): Refusal | undefined {
  const by = 'server';
  const chain = chainOf(cert);
  const [own] = chain;
  // A server that asks for no certificate has another reason.
  if (own === undefined || wanted === 'none') return undefined;
  const issuer = own.issuer.replaceAll('\n', ', ');
  if (alert === 'UNKNOWN_CA') return { by, why: 'authority', words: `it does not trust its authority, ${issuer}` };
  const fault = ownFault(own, 'clientAuth');
  if (fault !== undefined) return { by, ...fault };
  const issuers = issuersOf(chain);
  const isWanted = wanted === undefined || wanted.length === 0 || issuers.some((one) => wanted.some((name) => name.equals(one)));
  if (!isWanted) return { by, why: 'authority', words: `it wants one of another authority than ${issuer}` };
  // Without an alert the connection may have ended for any reason.
  return alert === undefined ? undefined : { by, why: 'unknown', words: `its alert is ${alert.toLowerCase().replaceAll('_', ' ')}` };
}
