// What a hostile server answers to Fetch, and what has to come of it. Plain data, for Node and for a page.
//
//   name      also the path under which the hostile server answers it
//   status    of HTTP, 200 if left out; headers: content-type is gRPC-Web's if left out, none if null
//   chunks    the body in the pieces in which it is sent; `end` says what happens then: 'close' (of the connection, in
//             the middle of the body), 'never', or a proper end if left out; `endless` repeats the last piece for ever
//   expect    `{ok: true}`, or what the error has to have; a `message` may be a part of it

import { base64, frame, GOOD, join, RESOURCE, trailers, utf8 } from './frames.mjs';

const OK = { ok: true };
const STATUS_5 = trailers('grpc-status: 5\r\ngrpc-message: resource-not-found\r\n');
const NOT_FOUND = { code: 5, outcome: 'refused', reason: 'resource-not-found' };
const unknown = (code, message) => ({ code, outcome: 'unknown', message });
const MiB = 1024 * 1024;

const split = (body, at) => [body.subarray(0, at), body.subarray(at)];
const offsets = (body) => Array.from({ length: body.length + 1 }, (_, at) => at);
const inHeaders = (status, more = {}) => ({ 'content-type': 'application/grpc-web+proto', 'grpc-status': status, ...more });

/** Split at every offset, and byte by byte. */
export const SPLIT_CASES = [
  ...offsets(GOOD).map((at) => ({ name: `good-split-at-${at}`, chunks: split(GOOD, at), expect: OK })),
  ...offsets(STATUS_5).map((at) => ({ name: `error-split-at-${at}`, chunks: split(STATUS_5, at), expect: NOT_FOUND })),
  { name: 'good-byte-by-byte', chunks: [...GOOD].map((byte) => Uint8Array.of(byte)), expect: OK },
  { name: 'error-byte-by-byte', chunks: [...STATUS_5].map((byte) => Uint8Array.of(byte)), expect: NOT_FOUND },
];

const TEXT = base64(GOOD);
const TEXT_TYPE = { 'content-type': 'application/grpc-web-text+proto' };
const PADDED = join(base64(frame(0, RESOURCE.subarray(0, 19))), base64(trailers('grpc-status: 0\r\n')));

/** Text mode: base64, padded in the middle, split at every offset. */
export const TEXT_CASES = [
  ...offsets(TEXT).map((at) => ({ name: `text-split-at-${at}`, headers: TEXT_TYPE, chunks: split(TEXT, at), expect: OK })),
  { name: 'text-padded-in-the-middle', headers: TEXT_TYPE, chunks: [base64(frame(0, RESOURCE)), base64(trailers('grpc-status: 0'))], expect: OK },
  { name: 'text-each-byte-padded', headers: TEXT_TYPE, chunks: [join(...[...GOOD].map((byte) => base64(Uint8Array.of(byte))))], expect: OK },
  { name: 'text-that-is-not-base64', headers: TEXT_TYPE, chunks: [utf8('<html>!')], expect: unknown(13, 'base64') },
  { name: 'text-cut-short', headers: TEXT_TYPE, chunks: [TEXT.subarray(0, 9)], expect: unknown(13) },
  { name: 'text-of-a-cut-message', headers: TEXT_TYPE, chunks: [PADDED.subarray(0, 16)], expect: unknown(13) },
  { name: 'binary-called-text', headers: TEXT_TYPE, chunks: [GOOD], expect: unknown(13) },
];

const HTTP_CODES = { 400: 13, 401: 16, 403: 7, 404: 12, 429: 14, 502: 14, 503: 14, 504: 14 };
const PAGE = { 'content-type': 'text/html' };

/** Every HTTP status that has a body or may lack one, with a page as its body, and with nothing. */
export const HTTP_CASES = Array.from({ length: 400 }, (_, index) => index + 200)
  .filter((status) => ![200, 204, 205, 301, 302, 303, 304, 307, 308, 407].includes(status))
  .flatMap((status) => {
    const code = status < 300 ? 2 : (HTTP_CODES[status] ?? 2);
    const expect = { code, outcome: [401, 403, 404].includes(status) ? 'refused' : 'unknown' };
    return [
      { name: `http-${status}-page`, status, headers: PAGE, chunks: [utf8('<html>no</html>')], expect },
      { name: `http-${status}-empty`, status, headers: { 'content-type': null }, chunks: [], expect },
    ];
  });

/** Everything else. */
export const ODD_CASES = [
  { name: 'good', chunks: [GOOD], expect: OK },
  // Content types.
  ...['application/grpc-web', 'application/grpc', 'APPLICATION/GRPC-WEB+PROTO', 'application/grpc-web+proto;charset=utf-8',
    'Application/Grpc-Web ; q=1', 'application/grpc+proto'].map((type, index) => ({
    name: `content-type-good-${index}`, headers: { 'content-type': type }, chunks: [GOOD], expect: OK })),
  { name: 'content-type-missing', headers: { 'content-type': null }, chunks: [GOOD], expect: unknown(2, 'without a content-type') },
  { name: 'content-type-html', headers: PAGE, chunks: [utf8('<html>')], expect: unknown(2, 'text/html') },
  { name: 'content-type-json', headers: { 'content-type': 'application/grpc-web+json' }, chunks: [GOOD], expect: unknown(13, 'json') },
  { name: 'content-type-longer', headers: { 'content-type': 'application/grpc-website' }, chunks: [GOOD], expect: unknown(2) },
  { name: 'content-type-html-with-status', headers: { ...PAGE, 'grpc-status': '6', 'grpc-message': 'lock-collision' }, chunks: [utf8('<html>')], expect: { code: 6, reason: 'lock-collision', outcome: 'refused' } },
  // Frames.
  { name: 'compressed-message', chunks: [frame(1, RESOURCE), trailers('grpc-status: 0\r\n')], expect: unknown(13, 'compressed') },
  { name: 'compressed-trailers', chunks: [frame(0, RESOURCE), trailers('grpc-status: 0\r\n', 0x81)], expect: unknown(13, 'compressed') },
  { name: 'unknown-flag', chunks: [frame(2, RESOURCE), trailers('grpc-status: 0\r\n')], expect: unknown(13, 'flags') },
  { name: 'two-messages', chunks: [frame(0, RESOURCE), frame(0, RESOURCE), trailers('grpc-status: 0\r\n')], expect: unknown(12, '2 messages') },
  { name: 'no-message', chunks: [trailers('grpc-status: 0\r\n')], expect: unknown(12, 'no message') },
  { name: 'no-message-status-in-headers', headers: inHeaders('0'), chunks: [], expect: unknown(12, 'no message') },
  { name: 'message-then-error', chunks: [frame(0, RESOURCE), STATUS_5], expect: NOT_FOUND },
  { name: 'empty-message', chunks: [frame(0, new Uint8Array()), trailers('grpc-status: 0\r\n')], expect: OK },
  { name: 'message-that-is-no-protobuf', chunks: [frame(0, Uint8Array.of(255, 255, 255)), trailers('grpc-status: 0\r\n')], expect: unknown(13) },
  { name: 'message-of-the-wrong-type', chunks: [frame(0, Uint8Array.of(8, 1)), trailers('grpc-status: 0\r\n')], expect: unknown(13) },
  { name: 'message-with-text-that-is-not-utf-8', chunks: [frame(0, Uint8Array.of(10, 3, 10, 1, 255)), trailers('grpc-status: 0\r\n')], expect: unknown(13) },
  { name: 'nothing', chunks: [], expect: unknown(2, "without a grpc-status; frequent causes: access-control-expose-headers lacks grpc-status") },
  { name: 'message-only', chunks: [frame(0, RESOURCE)], expect: unknown(2, 'grpc-message; a native gRPC port') },
  { name: 'data-after-trailers', chunks: [GOOD, frame(0, RESOURCE)], expect: unknown(13, 'goes on after') },
  { name: 'two-frames-of-trailers', chunks: [GOOD, trailers('grpc-status: 0\r\n')], expect: unknown(13, 'goes on after') },
  ...offsets(GOOD).slice(1, -1).filter((at) => at !== 5 + RESOURCE.length).map((at) => ({
    name: `truncated-at-${at}`, chunks: [GOOD.subarray(0, at)], expect: unknown(13, 'the answer ends') })),
  { name: 'length-of-4-gigabytes', chunks: [frame(0, RESOURCE, 0xffffffff)], expect: unknown(13, 'the answer ends') },
  { name: 'random-bytes', chunks: [Uint8Array.from({ length: 4096 }, (_, index) => (index * 197 + 13) & 0x7f)], expect: unknown(13) },
  // Trailers.
  { name: 'no-final-newline', chunks: [frame(0, RESOURCE), trailers('grpc-status: 0')], expect: OK },
  { name: 'bare-newlines', chunks: [trailers('grpc-status: 5\ngrpc-message: resource-not-found\n')], expect: NOT_FOUND },
  { name: 'blank-line-at-the-end', chunks: [trailers('grpc-status: 5\r\ngrpc-message: resource-not-found\r\n\r\n')], expect: NOT_FOUND },
  { name: 'no-space-after-the-colon', chunks: [trailers('grpc-status:5\r\ngrpc-message:resource-not-found\r\n')], expect: NOT_FOUND },
  { name: 'upper-case-names', chunks: [trailers('GRPC-STATUS: 5\r\nGrpc-Message: resource-not-found\r\n')], expect: NOT_FOUND },
  { name: 'colon-in-the-message', chunks: [trailers('grpc-status: 2\r\ngrpc-message: a: b:c\r\n')], expect: unknown(2, 'a: b:c') },
  { name: 'percent-encoded-message', chunks: [trailers('grpc-status: 2\r\ngrpc-message: %C3%BC%0A100%25 sure\r\n')], expect: unknown(2, 'ü\n100% sure') },
  { name: 'broken-percent-encoding', chunks: [trailers('grpc-status: 2\r\ngrpc-message: 100% %zz %C3\r\n')], expect: unknown(2, '100% %zz \ufffd') },
  { name: 'message-in-utf-8', chunks: [trailers('grpc-status: 2\r\ngrpc-message: grüß\r\n')], expect: unknown(2, 'grüß') },
  { name: 'a-hundred-trailers', chunks: [frame(0, RESOURCE), trailers(`${Array.from({ length: 100 }, (_, n) => `x-${n}: ${n}\r\n`).join('')}grpc-status: 0\r\n`)], expect: OK },
  { name: 'repeated-trailers', chunks: [trailers('grpc-status: 5\r\ngrpc-message: resource-not-found\r\nx-a: 1\r\nx-a: 2\r\n')], expect: { ...NOT_FOUND, metadata: { 'x-a': '1, 2' } } },
  { name: 'lines-that-are-no-trailers', chunks: [frame(0, RESOURCE), trailers('hello\r\n: 1\r\n\0: 2\r\na b: 3\r\ngrpc-status: 0\r\n')], expect: OK },
  { name: 'trailers-with-control-characters', chunks: [frame(0, RESOURCE), trailers('x-a: \0\x01\x7f\r\ngrpc-status: 0\r\n')], expect: OK },
  { name: 'empty-trailers', chunks: [frame(0, RESOURCE), trailers('')], expect: unknown(2, 'without a grpc-status') },
  ...['', 'x', '-1', '5x', '1e1', '999', '17', '99999999999999999999'].map((status, index) => ({
    name: `bad-status-${index}`, chunks: [trailers(`grpc-status: ${status}\r\n`)], expect: unknown(2, 'unknown grpc-status') })),
  { name: 'two-statuses', chunks: [frame(0, RESOURCE), trailers('grpc-status: 0\r\ngrpc-status: 5\r\n')], expect: unknown(2, 'unknown grpc-status') },
  ...Array.from({ length: 16 }, (_, index) => index + 1).map((code) => ({
    name: `status-${code}`, chunks: [trailers(`grpc-status: ${code}\r\ngrpc-message: m\r\n`)], expect: { code, message: 'm' } })),
  // Headers and trailers.
  { name: 'status-in-headers', headers: inHeaders('5', { 'grpc-message': 'resource-not-found' }), chunks: [], expect: NOT_FOUND },
  { name: 'status-in-headers-without-type', headers: { ...inHeaders('5', { 'grpc-message': 'resource-not-found' }), 'content-type': null }, chunks: [], expect: NOT_FOUND },
  { name: 'trailers-overrule-headers', headers: inHeaders('8'), chunks: [STATUS_5], expect: NOT_FOUND },
  { name: 'headers-ok-trailers-not', headers: inHeaders('0'), chunks: [frame(0, RESOURCE), STATUS_5], expect: NOT_FOUND },
  { name: 'headers-and-trailers-ok', headers: inHeaders('0'), chunks: [GOOD], expect: OK },
  { name: 'headers-refuse-what-trailers-grant', headers: inHeaders('6'), chunks: [GOOD], expect: unknown(13, 'contradicts') },
  { name: 'status-in-headers-garbage-in-body', headers: inHeaders('14', { 'grpc-message': 'no upstream' }), chunks: [utf8('no upstream')], expect: { code: 14, outcome: 'unknown', message: 'no upstream' } },
  { name: 'http-503-with-a-status', status: 503, headers: inHeaders('8', { 'grpc-message': 'overloaded' }), chunks: [], expect: { code: 8, message: 'overloaded' } },
  { name: 'http-503-with-trailers', status: 503, chunks: [STATUS_5], expect: NOT_FOUND },
  { name: 'http-503-with-a-good-answer', status: 503, chunks: [GOOD], expect: unknown(14, 'HTTP 503') },
  { name: 'http-503-with-status-0', status: 503, headers: inHeaders('0'), chunks: [], expect: unknown(14, 'HTTP 503') },
  { name: 'http-500-grpc-web-empty', status: 500, chunks: [], expect: unknown(2, 'HTTP 500') },
  { name: 'http-204', status: 204, headers: { 'content-type': null }, chunks: [], expect: unknown(2) },
  // Sizes and ends.
  { name: 'message-of-4-mib', chunks: [frame(0, new Uint8Array(4 * MiB)), trailers('grpc-status: 0\r\n')], expect: unknown(13) },
  { name: 'message-of-4-mib-and-1', chunks: [frame(0, new Uint8Array(4 * MiB + 1)), trailers('grpc-status: 0\r\n')], expect: unknown(8, '(4194305 vs. 4194304)') },
  { name: 'message-of-5-mib', chunks: [frame(0, new Uint8Array(5 * MiB)), trailers('grpc-status: 0\r\n')], expect: unknown(8, '(5242880 vs. 4194304)') },
  { name: 'message-of-9-mib', chunks: [frame(0, new Uint8Array(9 * MiB)), trailers('grpc-status: 0\r\n')], expect: unknown(8, '(9437184 vs. 4194304)') },
  { name: 'endless', chunks: [frame(0, new Uint8Array(64 * 1024))], endless: true, expect: unknown(8, 'larger than max') },
  { name: 'reset-at-once', chunks: [], end: 'close', expect: unknown(14, 'no answer') },
  { name: 'reset-in-the-message', chunks: [GOOD.subarray(0, 9)], end: 'close', expect: unknown(14, 'no answer') },
  { name: 'reset-in-the-trailers', chunks: [GOOD.subarray(0, GOOD.length - 4)], end: 'close', expect: unknown(14, 'no answer') },
  { name: 'never-answering', silent: true, end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
  { name: 'never-going-on', chunks: [GOOD.subarray(0, 9)], end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
  { name: 'never-ending', chunks: [GOOD], end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
];

export const CASES = [...SPLIT_CASES, ...TEXT_CASES, ...HTTP_CASES, ...ODD_CASES];
