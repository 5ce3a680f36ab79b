// Checks an endpoint step by step, from the outside in, until a step fails, and explains the failure.

import { type LocketClient, LocketError } from '../../node.js';
import { bad, type Finding, good, note } from './finding.js';
import { openPort, speaksHttp2 } from './port.js';
import { lookAtTls, noHttp1, type Tls } from './tls.js';

/** The endpoint to check. */
export interface Patient {
  urls: readonly string[];
  protocol: 'grpc' | 'grpc-web';
  tls: Tls | undefined;
}

/** A larger clock difference makes logs hard to compare. */
const CLOCK_MS_MAX = 5_000;

/** The findings, in the order of the checks. */
export async function diagnose(patient: Patient, timeoutMs: number, client: LocketClient): Promise<Finding[]> {
  const looks = await Promise.all(patient.urls.map((url) => lookAt(new URL(url), patient, timeoutMs)));
  const isReached = looks.some((findings) => findings.every(({ verdict }) => verdict !== 'bad'));
  // One of several addresses is enough.
  const findings = looks.flatMap((some) => some.map((one): Finding => (isReached && one.verdict === 'bad' ? { ...one, verdict: 'note' } : one)));
  return isReached ? [...findings, ...(await call(client, patient))] : findings;
}

async function lookAt({ protocol: scheme, hostname, port }: URL, { protocol, tls }: Patient, timeoutMs: number): Promise<Finding[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const { finding, socket } = await openPort(host, Number(port) || (scheme === 'https:' ? 443 : 80), timeoutMs);
  if (socket === undefined) return [finding];
  if (scheme === 'https:') return [finding, ...(await lookAtTls(socket, host, tls ?? { rejectUnauthorized: true }, protocol === 'grpc', timeoutMs))];
  if (protocol === 'grpc') return [finding, await speaksHttp2(socket, timeoutMs)];
  socket.destroy();
  return [finding];
}

/** A call that Locket can answer in any state. */
async function call(client: LocketClient, { protocol }: Patient): Promise<Finding[]> {
  let headers: Record<string, string> = {};
  const onHeader = (given: Record<string, string>): void => void (headers = given);
  const error = await client.fetch(`doctor-${Date.now()}`, { onHeader }).then(() => undefined, (thrown: unknown) => thrown);
  if (error !== undefined && !(error instanceof LocketError)) throw error;
  const isLocket = error === undefined || error.reason === 'resource-not-found';
  const verdict = isLocket ? good('Locket answers') : answerFinding(error, protocol);
  return [...proxyNotes(headers), verdict, ...clockNotes(headers)];
}

function answerFinding({ codeName, rawMessage, message, cause }: LocketError, protocol: Patient['protocol']): Finding {
  const other = protocol === 'grpc' ? 'grpc-web' : 'grpc';
  if (/^HPE_/.test(String((cause as NodeJS.ErrnoException | undefined)?.code))) return noHttp1();
  switch (codeName) {
    case 'Unimplemented':
      return bad(`it has no service models.Locket (${rawMessage})`, 'it is another gRPC server, or a proxy that does not forward to Locket; check the port and the path');
    case 'Unauthenticated':
    case 'PermissionDenied':
      return bad(`it refuses this client (${rawMessage})`, 'a proxy asks for credentials; pass them with --header');
    case 'Unavailable':
      return bad(`a proxy answers, but Locket behind it does not (${rawMessage})`, 'check whether Locket and its database run');
    case 'Unknown':
      if (/content-type|HTTP \d/.test(rawMessage)) return bad(`it is not Locket: ${rawMessage}`, `check the port and the path, or pass --protocol ${other}`);
      return bad(`Locket answers with an error (${rawMessage})`, "read Locket's log; sql- messages come from its database");
    default:
      return bad(message, "read Locket's log");
  }
}

function proxyNotes({ server, via }: Record<string, string>): Finding[] {
  const name = via ?? server;
  return name === undefined ? [] : [note(`a proxy is in between (${name})`, 'errors and deadlines may come from the proxy')];
}

/** Only proxies send the time of their clock; Locket does not. */
function clockNotes({ date }: Record<string, string>): Finding[] {
  const offMs = date === undefined ? 0 : Date.parse(date) - Date.now();
  if (Number.isNaN(offMs) || Math.abs(offMs) < CLOCK_MS_MAX) return [];
  const how = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'ahead of' : 'behind'}`;
  return [note(`its clock is ${how} the clock of this machine`, 'leases still work, but logs and certificates suffer; synchronize the clocks')];
}
