// The unary gRPC-Web client cases of the public Connect conformance suite (github.com/connectrpc/conformance, the test
// suites grpc_web_client_*, client_http_to_rpc_code and client_unexpected), as data in our own words: what a server
// answers, and which codes a client may give.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Code, LocketClient } from 'locket-wasm';

import { frame, join, RESOURCE, trailers } from './support/frames.mjs';

const WEB = { 'content-type': 'application/grpc-web' };
const DETAILS = 'grpc-status: 9\r\ngrpc-message: error\r\nx-custom-trailer: bing\r\n';
const message = frame(0, RESOURCE);
const ok = trailers('grpc-status: 0\r\n');

// name, status, headers, body, allowed codes (none: success), metadata
const CASES = [
  ['trailers in body', 200, { ...WEB, 'x-custom-header': 'foo' }, trailers(DETAILS), [9], { 'x-custom-header': 'foo', 'x-custom-trailer': 'bing' }],
  ['trailers in body, names in mixed case', 200, WEB, trailers('Grpc-Status: 9\r\ngRPC-Message: error\r\nx-Custom-Trailer: bing\r\n'), [9], { 'x-custom-trailer': 'bing' }],
  ['trailers in body, repeated metadata', 200, [...Object.entries(WEB), ['x-custom-header', 'foo'], ['x-custom-header', 'bar']], trailers(`${DETAILS}x-custom-trailer: quuz\r\n`), [9], { 'x-custom-header': 'foo, bar', 'x-custom-trailer': 'bing, quuz' }],
  ['trailers in headers', 200, { ...WEB, 'x-custom-header': 'foo', 'x-custom-trailer': 'bing', 'grpc-status': '9', 'grpc-message': 'error' }, undefined, [9], { 'x-custom-header': 'foo', 'x-custom-trailer': 'bing' }],
  ['trailers in headers, repeated metadata', 200, [...Object.entries(WEB), ['x-custom-trailer', 'bing'], ['x-custom-trailer', 'quuz'], ['grpc-status', '9'], ['grpc-message', 'error']], undefined, [9], { 'x-custom-trailer': 'bing, quuz' }],
  ['trailers in body without a status', 200, WEB, trailers('grpc-message: error\r\n'), [Code.Unknown, Code.Internal]],
  ['trailers in body, OK but no message', 200, WEB, ok, [Code.Unimplemented]],
  ['trailers in body, several messages', 200, WEB, join(message, message, ok), [Code.Unimplemented]],
  ['trailers in headers without a status', 200, { ...WEB, 'grpc-message': 'error' }, undefined, [Code.Unknown, Code.Internal]],
  ['trailers in headers, OK but no message', 200, { ...WEB, 'grpc-status': '0' }, undefined, [Code.Unimplemented]],
  ['a status in the headers is ignored if there is a body', 200, { ...WEB, 'grpc-status': '8' }, trailers('grpc-status: 9\r\n'), [9]],
  ['unexpected content type', 200, { 'content-type': 'image/jpeg' }, undefined, [Code.Unknown, Code.Internal, Code.Unimplemented]],
  ['unexpected codec', 200, { 'content-type': 'application/grpc-web+json' }, join(frame(0, new TextEncoder().encode('{}')), ok), [Code.Internal, Code.Unknown, Code.Unimplemented]],
  ['unexpected compression', 200, { ...WEB, 'grpc-encoding': 'foo' }, join(frame(1, RESOURCE), ok), [Code.Internal]],
  ['unexpected compressed message', 200, { ...WEB, 'grpc-encoding': 'identity' }, join(frame(1, RESOURCE), ok), [Code.Internal]],
  ['empty message', 200, { ...WEB, 'x-custom-header': 'foo' }, join(frame(0, new Uint8Array()), trailers('grpc-status: 0\r\nx-custom-trailer: bing\r\n')), []],
  ['with the proto sub-format', 200, { 'content-type': 'application/grpc-web+proto' }, join(message, ok), []],
  ['without the proto sub-format', 200, WEB, join(message, ok), []],
  ...[[400, 13], [401, 16], [403, 7], [404, 12], [409, 2], [412, 2], [413, 2], [415, 2], [418, 2], [429, 14], [431, 2], [502, 14], [503, 14], [504, 14], [505, 2]]
    .map(([status, code]) => [`HTTP ${status}`, status, {}, undefined, [code]]),
];

for (const [name, status, headers, body, codes, metadata] of CASES) {
  test(`Connect conformance: ${name}`, async () => {
    const fetch = async () => new Response(body ?? null, { status, headers });
    const call = new LocketClient({ baseUrl: 'http://locket.test', fetch }).fetch('k');
    if (codes.length === 0) return void (await call);
    const error = await call.then(() => assert.fail('succeeded'), (thrown) => thrown);
    assert.ok(codes.includes(error.code), `${error.code}: ${error.message}`);
    if (metadata !== undefined) assert.deepEqual([error.rawMessage, error.metadata], ['error', metadata]);
  });
}
