// The trailers of a gRPC answer, wherever they stand, as plain records with names in lower case.

import { OK, UNAUTHENTICATED, UNKNOWN } from './failure.js';

/** Reads a frame of trailers. Repeated names are joined, as `Headers` does; what is no trailer is left out. */
export function parseTrailers(frame) {
  const trailers = {};
  for (const line of new TextDecoder().decode(frame).split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!NAME.test(name)) continue;
    const value = line.slice(colon + 1).trim();
    trailers[name] = Object.hasOwn(trailers, name) ? `${trailers[name]}, ${value}` : value;
  }
  return trailers;
}

/** The status that headers or trailers carry: `{code, message}`; `undefined` if they carry none. */
export function statusOf(record) {
  if (!Object.hasOwn(record, 'grpc-status')) return undefined;
  const text = record['grpc-status'];
  const message = decodeMessage(record['grpc-message'] ?? '');
  const code = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (code !== undefined && code >= OK && code <= UNAUTHENTICATED) return { code, message };
  const problem = `the answer has the unknown grpc-status ${JSON.stringify(text)}`;
  return { code: UNKNOWN, message: message === '' ? problem : message };
}

/** The entries that are neither gRPC's own nor HTTP's. */
export function metadataOf(record) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !ORDINARY.has(name) && !ORDINARY_PREFIX.test(name)));
}

/** Percent-decoding that leaves alone what is not percent-encoded. */
function decodeMessage(text) {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (encoded) => {
    const bytes = encoded.slice(1).split('%');
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const ORDINARY_PREFIX = /^(?:access-control|content|cross-origin|locket-wasm|proxy|sec)-/;
const ORDINARY = new Set([
  ...['grpc-status', 'grpc-message', 'grpc-encoding', 'grpc-accept-encoding', 'accept-ranges', 'age', 'allow', 'alt-svc'],
  ...['cache-control', 'connection', 'date', 'etag', 'expires', 'keep-alive', 'last-modified', 'link', 'nel'],
  ...['permissions-policy', 'pragma', 'referrer-policy', 'report-to', 'server', 'server-timing', 'set-cookie'],
  ...['strict-transport-security', 'te', 'timing-allow-origin', 'trailer', 'transfer-encoding', 'upgrade', 'vary', 'via'],
  ...['x-content-type-options', 'x-frame-options', 'x-powered-by', 'x-xss-protection'],
]);
