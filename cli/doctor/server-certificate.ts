// Checks a server's certificate as a client does: its dates, its usage, its authority and its names.

import { checkServerIdentity, type PeerCertificate, type TLSSocket } from 'node:tls';

import { ownFault, type OwnFault } from '../../src/js/grpc/certificate.js';
import { verdictOn } from '../../src/js/grpc/refusal.js';
import { bad, type EndpointFinding, good, note } from './finding.js';
import type { Tls } from './patient.js';

/** Everything that is wrong with it, or that nothing is. */
export function certificateFindings(secure: TLSSocket, host: string, { rejectUnauthorized }: Tls): EndpointFinding[] {
  const certificate = secure.getPeerCertificate();
  const own = ownFindings(secure);
  const problems = [...own, ...chainFindings(secure, certificate, own.length > 0), ...nameFindings(certificate, host)];
  if (problems.length === 0) return [good(`its certificate is for ${namesOf(certificate)}, and is trusted`)];
  return rejectUnauthorized ? problems : problems.map(({ what }) => note(what, 'certificates are not verified, because of --skip-cert-verify'));
}

function ownFindings(secure: TLSSocket): EndpointFinding[] {
  const certificate = secure.getPeerX509Certificate();
  const fault = certificate && ownFault(certificate, 'serverAuth');
  return fault === undefined ? [] : [bad(`this client refuses the server's certificate: ${fault.words}`, adviceOn(fault))];
}

function adviceOn({ why }: OwnFault): string {
  if (why === 'usage') return 'have it issued with the extended key usage serverAuth';
  const shown = `the clock of this machine, which shows ${new Date().toISOString()}`;
  return why === 'expired' ? `renew it, or check ${shown}` : `check ${shown}`;
}

/** Node's verdict on the chain, as far as it is about something else than the certificate itself. */
function chainFindings({ authorizationError }: TLSSocket, { issuer }: PeerCertificate, hasOwnFault: boolean): EndpointFinding[] {
  // Node gives a text here, although its types say an error.
  const code = authorizationError as unknown as string | null | undefined;
  if (code === null || code === undefined || /ALTNAME/.test(code)) return [];
  const { why } = verdictOn({ code, message: code });
  const by = issuer?.CN === undefined ? '' : ` by '${String(issuer.CN)}'`;
  if (why === 'authority') return [bad(`its certificate is signed${by}, which is not trusted (${code})`, 'pass the file of that authority with --ca-file (CA_CERT_FILE)')];
  if (hasOwnFault) return [];
  return [bad(`this client refuses the certificate of an authority of the server (${code})`, 'check the dates and the usage of the authorities in --ca-file (CA_CERT_FILE)')];
}

function nameFindings(certificate: PeerCertificate, host: string): EndpointFinding[] {
  if (checkServerIdentity(host, certificate) === undefined) return [];
  return [bad(`its certificate is for ${namesOf(certificate)}, not for ${host}`, 'use a host name of its certificate')];
}

function namesOf({ subject, subjectaltname }: PeerCertificate): string {
  return subjectaltname ?? String(subject?.CN ?? 'nobody');
}
