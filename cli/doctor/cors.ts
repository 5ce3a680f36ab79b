// Checks CORS: whether a browser lets a page of another origin call a gRPC-Web endpoint, and read a refusal.

import { bad, type EndpointFinding, good, note } from './finding.js';
import type { Patient, Tls } from './patient.js';
import { ask, type RawAnswer } from './raw-request.js';

/** The answers to a preflight request and to a call. */
type Answers = [preflight: RawAnswer, answer: RawAnswer];

/** A page that most servers for tests allow, for an endpoint whose pages are unknown. */
const ANY_ORIGIN = 'http://localhost:5173';
/** The headers that every gRPC-Web client sends, and this one's. */
const SENT = ['content-type', 'x-grpc-web', 'grpc-timeout', 'uuid'];
/** A refusal has headers only, and a page sees only those that are exposed. */
const READ = ['grpc-status', 'grpc-message'];
/** The frame of a request without a key. */
const FETCH = new Uint8Array(5);

/**
 * The findings for pages of an origin. Without a given one they are about the pages that the endpoint itself allows; that it
 * allows none is a note, since none may be meant to call.
 */
export async function corsFindings(url: URL, { tls, origin: given }: Pick<Patient, 'origin' | 'tls'>, timeoutMs: number): Promise<EndpointFinding[]> {
  const fetchUrl = new URL(`${url.href.replace(/\/$/, '')}/models.Locket/Fetch`);
  const asked = (origin: string) => answersTo(fetchUrl, origin, tls, timeoutMs);
  const first = await asked(given ?? ANY_ORIGIN);
  if (first === undefined) return [];
  if (given !== undefined) return findingsFor(given, first);
  const allowed = first.map(({ headers }) => headers['access-control-allow-origin']).find((header) => header !== undefined);
  if (allowed === undefined) return [note('CORS: it allows no page of another origin that was tried', 'pages behind the same origin may call it; --origin checks the pages of yours')];
  const origin = URL.canParse(allowed) ? allowed : ANY_ORIGIN;
  const second = origin === ANY_ORIGIN ? first : await asked(origin);
  return second === undefined ? [] : findingsFor(origin, second);
}

function findingsFor(origin: string, [preflight, answer]: Answers): EndpointFinding[] {
  const problems = [...preflightProblems(preflight, origin), ...answerProblems(answer, origin)];
  return problems.length === 0 ? [good(`pages of ${origin} may call it`)] : problems;
}

/** The answers to a preflight request and to a call; `undefined` if one has none. */
async function answersTo(url: URL, origin: string, tls: Tls | undefined, timeoutMs: number): Promise<Answers | undefined> {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': SENT.join(',') };
  const called = { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' };
  const [preflight, answer] = await Promise.all([
    ask(url, tls, timeoutMs, { method: 'OPTIONS', headers: { origin, ...asked } }),
    ask(url, tls, timeoutMs, { method: 'POST', headers: { origin, ...called }, body: FETCH }),
  ]);
  return preflight instanceof Error || answer instanceof Error ? undefined : [preflight, answer];
}

function preflightProblems({ status, headers }: RawAnswer, origin: string): EndpointFinding[] {
  if (status < 200 || status > 299 || !isAllowed(headers['access-control-allow-origin'], origin)) {
    return [bad(`it does not answer the preflight request of a page of ${origin} (HTTP ${status})`, "allow the page's origin, the method POST and the headers of gRPC-Web")];
  }
  const missing = missingIn(headers['access-control-allow-headers'], SENT);
  return missing.length === 0 ? [] : [bad(`a page may not send ${missing.join(', ')}`, `add ${missing.join(', ')} to access-control-allow-headers`)];
}

function answerProblems({ headers }: RawAnswer, origin: string): EndpointFinding[] {
  if (!isAllowed(headers['access-control-allow-origin'], origin)) {
    return [bad(`its answers do not allow pages of ${origin}`, 'send access-control-allow-origin with each answer')];
  }
  const missing = missingIn(headers['access-control-expose-headers'], READ);
  if (missing.length === 0) return [];
  return [bad(`a page cannot read a refusal: access-control-expose-headers lacks ${missing.join(', ')}`, `send access-control-expose-headers: ${READ.join(', ')}`)];
}

const isAllowed = (allowed: string | undefined, origin: string): boolean => allowed === '*' || allowed === origin;

function missingIn(list: string | undefined, names: readonly string[]): string[] {
  const given = new Set((list ?? '').toLowerCase().split(',').map((name) => name.trim()));
  return given.has('*') ? [] : names.filter((name) => !given.has(name));
}
