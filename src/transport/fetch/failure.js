// The failures of an exchange that the server did not answer itself.

// gRPC's status codes, as far as a client gives or tells them apart itself.
export const OK = 0;
export const CANCELED = 1;
export const UNKNOWN = 2;
export const INVALID_ARGUMENT = 3;
export const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const RESOURCE_EXHAUSTED = 8;
export const FAILED_PRECONDITION = 9;
export const OUT_OF_RANGE = 11;
export const UNIMPLEMENTED = 12;
export const INTERNAL = 13;
export const UNAVAILABLE = 14;
export const UNAUTHENTICATED = 16;

/**
 * A failure. Its `outcome` is `refused` if Locket or a proxy said no, `no-effect` if the request was certainly not sent;
 * that does not follow from the code when a client gives it.
 */
export function failed(code, message, outcome = 'unknown', cause = undefined) {
  return { code, message, outcome, cause };
}

/** The caller does not wait any longer; `reason` is its signal's, if it has one. */
export function givenUp(reason, outcome) {
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  return timedOut ? late(outcome, reason) : failed(CANCELED, 'context canceled', outcome, reason);
}

/** The deadline has passed. */
export function late(outcome, cause) {
  return failed(DEADLINE_EXCEEDED, 'context deadline exceeded', outcome, cause);
}

/**
 * No connection, or one that broke: whatever `fetch` or the body threw. A `fetch` that knows more says so: `notSent` of its
 * error is true if the request certainly did not reach a server, and `grpcCode` is the code of what happened.
 */
export function unreachable(thrown, url) {
  // Node hides what happened in the cause; a host with several addresses has several causes.
  const texts = [thrown, thrown?.cause, thrown?.cause?.errors?.[0]].map((error) => error?.message || error?.code);
  const told = [...new Set(texts.filter((text) => typeof text === 'string'))].join(': ');
  const hint = isForeign(url) ? ' (it may not allow this origin: see CORS)' : '';
  const roots = rootsOf(thrown);
  // One side refused the certificate of the other, by the codes of Node and Bun: another attempt would fail, too.
  const isRefused = roots.every((error) => /CERT|VERIFY|UNKNOWN_CA/.test(error?.code));
  const wasNotSent = isRefused || thrown?.notSent === true || roots.every(isOfNoConnection);
  return failed(thrown?.grpcCode ?? (isRefused ? UNAUTHENTICATED : UNAVAILABLE), `no answer: ${told || String(thrown)}${hint}`, wasNotSent ? 'no-effect' : 'unknown', thrown);
}

/** The root causes of an error: one, or one for each address of a host. */
function rootsOf(error, depth = 0) {
  if (depth === CAUSES_MAX) return [undefined];
  if (error?.errors?.length > 0) return [...error.errors].flatMap((one) => rootsOf(one, depth + 1));
  return error?.cause === undefined ? [error] : rootsOf(error.cause, depth + 1);
}

const CAUSES_MAX = 8;

/** Whether there never was a connection to send anything on. Browsers do not say. */
function isOfNoConnection(error) {
  return NO_CONNECTION.test(error?.code) || ['connect', 'getaddrinfo'].includes(error?.syscall);
}

/** Codes of Node, of its fetch, and of Bun. */
const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;

/** An HTTP status without a gRPC status, by gRPC's table. */
export function httpFailure(status, statusText, protocol = WEB) {
  const said = `HTTP ${status}${statusText ? ` ${statusText}` : ''} instead of a ${protocol} answer`;
  const code = CODE_BY_HTTP_STATUS[status] ?? UNKNOWN;
  const hint = status === 404 ? `; ${adviceFor(protocol)}` : '';
  // Who asks for credentials or knows no such path has not called Locket.
  const outcome = status === 401 || status === 403 || status === 404 ? 'refused' : 'unknown';
  return failed(code, `${said}${hint}`, outcome);
}

/** An answer, as `said` describes it, that is not of the protocol that was spoken. */
export function otherProtocol(said, protocol = WEB) {
  return failed(UNKNOWN, `${said}, not a ${protocol} one; ${adviceFor(protocol)}`);
}

const WEB = 'gRPC-Web';

function adviceFor(protocol) {
  return protocol === WEB ? 'does baseUrl name the gRPC-Web proxy?' : "is this Locket's own port?";
}

/** The effect of a failed call: none if `refused` or `no-effect`, or `unknown`; `undefined` for a success. */
export function outcomeOf({ code, message, outcome }) {
  if (code === OK || outcome !== undefined) return outcome;
  // A refusal of the database arrives as Unknown, after a rollback.
  return REFUSALS.has(code) || (code === UNKNOWN && SQL_REFUSAL.test(message)) ? 'refused' : 'unknown';
}

/** An answer over the limit, in grpc-go's words, and what its caller can do. */
export function tooLarge(size, max) {
  const message = `grpc: received message larger than max (${size} vs. ${max}); raise the client's maxMessageBytes`;
  return failed(RESOURCE_EXHAUSTED, message);
}

const CODE_BY_HTTP_STATUS = {
  400: INTERNAL,
  401: UNAUTHENTICATED,
  403: PERMISSION_DENIED,
  404: UNIMPLEMENTED,
  429: UNAVAILABLE,
  502: UNAVAILABLE,
  503: UNAVAILABLE,
  504: UNAVAILABLE,
};

/** Codes that a server gives only for what it did not do. */
const REFUSALS = new Set([
  INVALID_ARGUMENT,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  UNAUTHENTICATED,
]);
// Class 22 is wrong data; other unknown ones may be a connection lost in a commit.
const SQL_REFUSAL = /^sql-(?:(?!unknown)|unknown, error code: 22)/;

function isForeign(url) {
  const here = globalThis.location?.origin;
  return typeof here === 'string' && here !== 'null' && !String(url).startsWith(`${here}/`);
}
