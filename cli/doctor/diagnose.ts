// Checks an endpoint step by step, from the outside in, until a step fails, and explains the failure.

import type { LocketClient } from 'locket-wasm';

import { portOf } from '../../src/js/grpc/options.js';
import { callFindings } from './answer.js';
import { corsFindings } from './cors.js';
import type { EndpointFinding } from './finding.js';
import type { Patient, Place, Protocol } from './patient.js';
import { clearTextFinding, openPort, spokenAt } from './port.js';
import { lookAtTls } from './tls.js';

/** The findings, in the order of the checks. `protocol` is that of the client, known after a call. */
export async function diagnose(patient: Patient, timeoutMs: number, client: LocketClient, protocol: () => Protocol | undefined): Promise<EndpointFinding[]> {
  const looks = await Promise.all(patient.urls.map((url) => lookAt(url, patient, timeoutMs)));
  const isReached = looks.some((findings) => findings.every(({ verdict }) => verdict !== 'bad'));
  // One of several addresses is enough.
  const findings = looks.flatMap((some) => some.map((one): EndpointFinding => (isReached && one.verdict === 'bad' ? { ...one, verdict: 'note' } : one)));
  if (!isReached) return findings;
  findings.push(...(await callFindings(client, protocol)));
  const isForPages = protocol() === 'grpc-web' || patient.origin !== undefined;
  const isWorking = findings.every(({ verdict }) => verdict !== 'bad');
  return isForPages && isWorking ? [...findings, ...(await corsFindings(new URL(patient.urls[0] as string), patient, timeoutMs))] : findings;
}

async function lookAt(url: string, { protocol, tls }: Patient, timeoutMs: number): Promise<EndpointFinding[]> {
  const place = placeOf(url, protocol);
  const isSecure = /^https:/i.test(url);
  const { finding, socket } = await openPort(place, timeoutMs);
  if (socket === undefined) return [finding];
  if (isSecure) return [finding, ...(await lookAtTls(socket, { place, tls: tls ?? { rejectUnauthorized: true }, protocol, timeoutMs }))];
  socket.destroy();
  const spoken = await spokenAt(place, protocol === 'grpc' ? 'HTTP/2' : 'HTTP/1.1', timeoutMs);
  return [finding, clearTextFinding(spoken, protocol ?? 'grpc-web')];
}

/** The default port is that of the protocol, as for calls. */
function placeOf(given: string, protocol: Patient['protocol']): Place {
  const url = new URL(given);
  const port = protocol === 'grpc' ? portOf(given, url) : Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
}
