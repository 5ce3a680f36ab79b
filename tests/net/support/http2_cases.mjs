// What a hostile HTTP/2 server answers to Fetch, and what has to come of it: the twin of wire_cases.mjs for gRPC, in the same
// form, with these differences:
//
//   headers   content-type is gRPC's if left out
//   trailers  of HTTP/2; none are sent if left out
//   end       'close' (of the connection), 'never', a proper end if left out, or `{reset: code}` of the stream

import { constants } from 'node:http2';

import { frame, RESOURCE, utf8 } from './frames.mjs';
import { HTTP_CASES } from './wire_cases.mjs';

const OK = { ok: true };
const DONE = { 'grpc-status': '0' };
const GOOD = frame(0, RESOURCE);
const NOT_FOUND = { code: 5, outcome: 'refused', reason: 'resource-not-found' };
const REFUSED = { 'grpc-status': '5', 'grpc-message': 'resource-not-found' };
const unknown = (code, message) => ({ code, outcome: 'unknown', message });
const MiB = 1024 * 1024;

const split = (body, at) => [body.subarray(0, at), body.subarray(at)];

/** Split at every offset, and byte by byte. */
export const SPLIT_CASES = [
  ...Array.from({ length: GOOD.length + 1 }, (_, at) => ({ name: `good-split-at-${at}`, chunks: split(GOOD, at), trailers: DONE, expect: OK })),
  { name: 'good-byte-by-byte', chunks: [...GOOD].map((byte) => Uint8Array.of(byte)), trailers: DONE, expect: OK },
];

/** Every HTTP status, with a page as its body, and with nothing. */
export const STATUS_CASES = HTTP_CASES;

const RESETS = ['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'STREAM_CLOSED', 'FRAME_SIZE_ERROR', 'CANCEL', 'COMPRESSION_ERROR', 'ENHANCE_YOUR_CALM', 'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'];
const CODES = { ENHANCE_YOUR_CALM: 8, INADEQUATE_SECURITY: 7 };

/** A stream that is reset, with each code: before its headers, after them, and after the message. */
export const RESET_CASES = RESETS.flatMap((reset) => {
  const end = { reset: constants[`NGHTTP2_${reset}`] };
  const expect = unknown(CODES[reset] ?? 14, 'no answer');
  // Without an error it is an answer that has no trailers.
  const cut = reset === 'NO_ERROR' ? unknown(2, 'without a grpc-status') : expect;
  return [
    { name: `reset-at-once-${reset}`, isBare: true, end, expect },
    { name: `reset-after-headers-${reset}`, end, expect: cut },
    { name: `reset-after-message-${reset}`, chunks: [GOOD], end, expect: cut },
  ];
});

/** Everything else. */
export const ODD_CASES = [
  { name: 'good', chunks: [GOOD], trailers: DONE, expect: OK },
  { name: 'good-with-proto', headers: { 'content-type': 'application/grpc+proto' }, chunks: [GOOD], trailers: DONE, expect: OK },
  { name: 'refused-in-trailers', chunks: [], trailers: REFUSED, expect: NOT_FOUND },
  { name: 'refused-in-headers', headers: REFUSED, expect: NOT_FOUND },
  { name: 'refused-after-a-message', chunks: [GOOD], trailers: REFUSED, expect: NOT_FOUND },
  { name: 'refused-with-metadata', chunks: [], trailers: { ...REFUSED, 'x-a': '1' }, headers: { 'x-b': '2' }, expect: { ...NOT_FOUND, metadata: { 'x-b': '2', 'x-a': '1' } } },
  // Trailers that are not there, or say nothing.
  { name: 'no-trailers', chunks: [GOOD], expect: unknown(2, 'without a grpc-status') },
  { name: 'no-trailers-and-no-body', chunks: [], expect: unknown(2, 'without a grpc-status') },
  { name: 'trailers-without-a-status', chunks: [GOOD], trailers: { 'x-a': '1' }, expect: unknown(2, 'without a grpc-status') },
  { name: 'a-status-that-is-none', chunks: [GOOD], trailers: { 'grpc-status': 'fine' }, expect: unknown(2, 'unknown grpc-status "fine"') },
  { name: 'a-status-out-of-range', chunks: [GOOD], trailers: { 'grpc-status': '17' }, expect: unknown(2, 'unknown grpc-status "17"') },
  { name: 'ok-without-a-message', chunks: [], trailers: DONE, expect: { code: 12 } },
  { name: 'ok-with-two-messages', chunks: [GOOD, GOOD], trailers: DONE, expect: { code: 12 } },
  // Frames.
  { name: 'gRPC-Web-trailers-in-the-body', chunks: [GOOD, frame(0x80, utf8('grpc-status: 0\r\n'))], trailers: DONE, expect: unknown(13, 'unknown flags 0x80') },
  { name: 'compressed', chunks: [frame(1, RESOURCE)], trailers: DONE, expect: unknown(13, 'compressed') },
  { name: 'cut-in-the-head', chunks: [GOOD.subarray(0, 3)], trailers: DONE, expect: unknown(13, 'head of a frame') },
  { name: 'cut-in-the-message', chunks: [GOOD.subarray(0, 9)], trailers: DONE, expect: unknown(13, 'before its end') },
  { name: 'garbage-as-message', chunks: [frame(0, utf8('\xff\xff\xff'))], trailers: DONE, expect: unknown(13) },
  // Content types.
  { name: 'a-page', headers: { 'content-type': 'text/html' }, chunks: [utf8('<html>')], trailers: DONE, expect: unknown(2, "not a gRPC one; is this Locket's own port?") },
  { name: 'json', headers: { 'content-type': 'application/grpc+json' }, chunks: [frame(0, utf8('{}'))], trailers: DONE, expect: unknown(13, 'json') },
  // Sizes and ends.
  { name: 'message-of-4-mib-and-1', chunks: [frame(0, new Uint8Array(4 * MiB + 1))], trailers: DONE, expect: unknown(8, '(4194305 vs. 4194304)') },
  { name: 'endless', chunks: [frame(0, new Uint8Array(64 * 1024))], endless: true, expect: unknown(8, 'larger than max') },
  { name: 'trailers-of-100-kb', chunks: [GOOD], trailers: { ...DONE, ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${at}`, 'a'.repeat(10_000)])) }, expect: unknown(8) },
  { name: 'closed-at-once', isBare: true, end: 'close', expect: unknown(14, 'no answer') },
  { name: 'closed-after-headers', end: 'close', expect: unknown(14, 'no answer') },
  { name: 'closed-in-the-message', chunks: [GOOD.subarray(0, 9)], end: 'close', expect: unknown(14, 'no answer') },
  { name: 'never-answering', isBare: true, end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
  { name: 'never-going-on', chunks: [GOOD.subarray(0, 9)], end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
  { name: 'never-sending-trailers', chunks: [GOOD], end: 'never', timeout: '100ms', expect: unknown(4, 'context deadline exceeded') },
];

export const CASES = [...SPLIT_CASES, ...STATUS_CASES, ...RESET_CASES, ...ODD_CASES];
