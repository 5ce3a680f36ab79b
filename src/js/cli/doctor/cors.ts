// Checks CORS: whether a browser lets a page of another origin call a gRPC-Web endpoint, and read a refusal.

import { bad, type Finding, good, note } from './finding.js';
import type { Patient, Tls } from './patient.js';
import { ask, type RawAnswer } from './raw-request.js';

/** A page that most servers for tests allow, for an endpoint whose pages are unknown. */
const ANY_ORIGIN = 'http://localhost:5173';
/** The headers that every gRPC-Web client sends, and this one's. */
const SENT = ['content-type', 'x-grpc-web', 'grpc-timeout', 'uuid'];
/** A refusal is nothing but headers, of which a page sees those that are exposed. */
const READ = ['grpc-status', 'grpc-message'];
/** The frame of a request without a key. */
const FETCH = new Uint8Array(5);

/** The findings for a page; without a given origin they are notes, since no page may be meant to call. */
export async function corsFindings(url: URL, { tls, origin: given }: Pick<Patient, 'origin' | 'tls'>, timeoutMs: number): Promise<Finding[]> {
  const origin = given ?? ANY_ORIGIN;
  const fetchUrl = new URL(`${url.href.replace(/\/$/, '')}/models.Locket/Fetch`);
  const [preflight, answer] = await answersTo(fetchUrl, origin, tls, timeoutMs);
  if (preflight instanceof Error || answer instanceof Error) return [];
  const problems = [...preflightProblems(preflight, origin), ...answerProblems(answer, origin)];
  if (problems.length === 0) return [good(`pages of ${origin} may call it`)];
  if (given !== undefined) return problems;
  return problems.slice(0, 1).map(({ what, advice = '' }) => note(`CORS: ${what}`, `${advice}; this matters only to pages of other origins, and --origin checks yours`));
}

function answersTo(url: URL, origin: string, tls: Tls | undefined, timeoutMs: number): Promise<[Error | RawAnswer, Error | RawAnswer]> {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': SENT.join(',') };
  const called = { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' };
  return Promise.all([
    ask(url, tls, timeoutMs, { method: 'OPTIONS', headers: { origin, ...asked } }),
    ask(url, tls, timeoutMs, { method: 'POST', headers: { origin, ...called }, body: FETCH }),
  ]);
}

function preflightProblems({ status, headers }: RawAnswer, origin: string): Finding[] {
  if (status < 200 || status > 299 || !isAllowed(headers['access-control-allow-origin'], origin)) {
    return [bad(`it does not answer the preflight request of a page of ${origin} (HTTP ${status})`, "allow the page's origin, the method POST and the headers of gRPC-Web")];
  }
  const missing = missingIn(headers['access-control-allow-headers'], SENT);
  return missing.length === 0 ? [] : [bad(`a page may not send ${missing.join(', ')}`, `add ${missing.join(', ')} to access-control-allow-headers`)];
}

function answerProblems({ headers }: RawAnswer, origin: string): Finding[] {
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
