// The meaning of a proxy's error for its connection to Locket.

import { bad, type EndpointFinding } from './finding.js';

/** The words of Envoy, of Go's programs and of Node's, and their meaning; the first that fits counts. */
const MEANINGS: readonly { words: RegExp; what: string; advice: string }[] = [
  {
    words: /ALERT_CERTIFICATE_REQUIRED|remote error: tls: certificate required/i,
    what: 'Locket requires a client certificate from the proxy',
    advice: 'give the proxy a certificate and its key for its connection to Locket',
  },
  {
    words: /ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)|remote error: tls: (?:.*certificate|access denied)|alert (?:bad certificate|certificate|unknown ca)/i,
    what: "Locket rejects the proxy's certificate",
    advice: "check the authority, the dates and the usage (clientAuth) of the proxy's certificate",
  },
  {
    words: /CERTIFICATE_VERIFY_FAILED|x509:|failed to verify certificate|self-?signed certificate|unable to (?:get|verify)|certificate (?:has expired|is not (?:yet )?valid)|altnames?/i,
    what: "the proxy rejects Locket's certificate",
    advice: "check the authority and the name that the proxy expects, and the dates of Locket's certificate",
  },
  {
    words: /WRONG_VERSION_NUMBER|first record does not look like a TLS handshake|wrong version number|packet length too long/i,
    what: 'the proxy speaks TLS to a port that does not',
    advice: "check the proxy's address of Locket, and whether it should use TLS there",
  },
  {
    words: /TLS_error|TLS error|SSL routines|handshake failed|tls:/i,
    what: 'the TLS handshake between the proxy and Locket fails',
    advice: "check the proxy's certificates and its address of Locket",
  },
  {
    words: /connection refused|delayed connect error: 111|ECONNREFUSED/i,
    what: 'nothing listens where the proxy expects Locket',
    advice: "check that Locket runs, and the proxy's address of Locket",
  },
  {
    // Envoy says no more to a client, for every failure before there is a connection.
    words: /remote connection failure|connection timeout/i,
    what: 'it gets no connection to Locket, because nothing listens there, or because TLS between them fails',
    advice: "the proxy's log has the reason (Envoy: %UPSTREAM_TRANSPORT_FAILURE_REASON% in its access log); check its address of Locket, its certificate and its authorities",
  },
  {
    words: /connection termination|reset reason: (?:protocol error|connection)|upstream prematurely closed|socket hang up|ECONNRESET|error reading server preface/i,
    what: "the proxy's connection to Locket ends before an answer",
    advice: "check that the proxy speaks TLS and HTTP/2 to Locket's port",
  },
];

/** The finding about a proxy whose connection to Locket fails; `undefined` if the text says nothing of it. */
export function upstreamFinding(text: string): EndpointFinding | undefined {
  const meaning = MEANINGS.find(({ words }) => words.test(text));
  return meaning && bad(`a proxy answers, but does not reach Locket: ${meaning.what} (${shortened(text)})`, meaning.advice);
}

const QUOTED_MAX = 300;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > QUOTED_MAX ? `${line.slice(0, QUOTED_MAX)}…` : line;
}
