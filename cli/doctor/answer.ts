// Makes a call that Locket can answer in any state, and explains the answer.

import { type LocketClient, LocketError } from 'locket-wasm';

import { bad, type EndpointFinding, good, note } from './finding.js';
import type { Protocol } from './patient.js';
import { noHttp1 } from './port.js';
import { upstreamFinding } from './upstream.js';

/** A larger clock difference makes logs hard to compare. */
const CLOCK_MS_MAX = 5_000;

/** The findings about a call; `protocol` is asked after it. */
export async function callFindings(client: LocketClient, protocol: () => Protocol | undefined): Promise<EndpointFinding[]> {
  let headers: Record<string, string> = {};
  const onHeader = (given: Record<string, string>): void => void (headers = given);
  const error = await client.fetch(`doctor-${Date.now()}`, { onHeader }).then(() => undefined, (thrown: unknown) => thrown);
  if (error !== undefined && !(error instanceof LocketError)) throw error;
  const isLocket = error === undefined || error.reason === 'resource-not-found';
  const over = protocol() === 'grpc-web' ? 'gRPC-Web' : 'gRPC';
  const verdict = isLocket ? good(`Locket answers over ${over}`) : answerFinding(error, protocol() ?? 'grpc');
  return [...proxyNotes(headers), verdict, ...clockNotes(headers)];
}

function answerFinding(error: LocketError, protocol: Protocol): EndpointFinding {
  const { codeName, rawMessage, message, cause } = error;
  const other = protocol === 'grpc' ? 'grpc-web' : 'grpc';
  if (/^HPE_/.test(String((cause as NodeJS.ErrnoException | undefined)?.code))) return noHttp1();
  if (isWithoutAnswer(error)) return bad(`the call gets no answer (${rawMessage})`, 'try again; if it stays, read the log of the server');
  switch (codeName) {
    case 'Unimplemented':
      return bad(`it has no service models.Locket (${rawMessage})`, 'it is another gRPC server, or a proxy that does not forward to Locket; check the port and the path');
    case 'Unauthenticated':
    case 'PermissionDenied':
      return bad(`it refuses this client (${rawMessage})`, 'if a proxy asks for credentials, pass them with --header; otherwise check the port');
    case 'Unavailable':
      return upstreamFinding(rawMessage) ?? bad(`a proxy answers, but Locket behind it does not (${rawMessage})`, 'check whether Locket and its database run');
    case 'Unknown':
      if (/content-type|HTTP \d/.test(rawMessage)) return bad(`it is not Locket: ${rawMessage}`, `check the port and the path, or pass --protocol ${other}`);
      return bad(`Locket answers with an error (${rawMessage})`, "read Locket's log; sql- messages come from its database");
    default:
      return upstreamFinding(rawMessage) ?? bad(message, "read Locket's log");
  }
}

/** True if the call ended on this machine: by its deadline, or with its connection. */
function isWithoutAnswer({ rawMessage, codeName }: LocketError): boolean {
  return rawMessage.startsWith('no answer:') || (codeName === 'DeadlineExceeded' && rawMessage === 'context deadline exceeded');
}

function proxyNotes({ server, via }: Record<string, string>): EndpointFinding[] {
  const name = via ?? server;
  return name === undefined ? [] : [note(`a proxy is in between (${name})`, 'errors and deadlines may come from the proxy')];
}

/** Only proxies send the time of their clock; Locket does not. */
function clockNotes({ date }: Record<string, string>): EndpointFinding[] {
  const offMs = date === undefined ? 0 : Date.parse(date) - Date.now();
  if (Number.isNaN(offMs) || Math.abs(offMs) < CLOCK_MS_MAX) return [];
  const how = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'ahead of' : 'behind'}`;
  return [note(`its clock is ${how} the clock of this machine`, 'locks still work, but logs and certificates suffer; synchronize the clocks')];
}
