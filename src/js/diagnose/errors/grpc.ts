// The error texts of grpc-go, of Go's HTTP/2 and HTTP, and of proxies, as a client of Locket gets them.

import { type ErrorRow, proves, suggests } from './row.js';

/** Texts that say how a connection or call ended. They may quote a text of the network, which says less. */
export const GRPC_ROWS: readonly ErrorRow[] = [
  proves(/too_many_pings|too many pings/, 'limit-reached', 'The other side ended the connection after too many keepalive pings: the keepalive time of the client is shorter than the server permits.'),
  proves(/keepalive ping (?:failed to receive ACK|not acked)|client connection lost/, 'connection-silent', 'No answer came to a keepalive ping: the network, {peer} or a proxy before it was silent.'),
  proves(/received goaway with/, 'protocol-error', 'The two sides broke off the connection over the protocol.'),
  proves(/connection closed before server preface/, 'connection-closed', 'The other side, {peer} or a proxy before it, closed the connection before HTTP/2 had begun.'),
  proves(/goaway: code: (?!NO_ERROR)([A-Z_]+)|GOAWAY[^]{0,80}ErrCode=(?!NO_ERROR)([A-Z_]+)/, 'connection-closed', 'The other side, {peer} or a proxy before it, ended the connection with the code $1.'),
  proves(/\bgo_?away\b|graceful_stop|server is draining|connection is (?:draining|drained)|server has been stopped|Server\.Stop called|no active streams/i, 'connection-closed', 'The other side, {peer} or a proxy before it, announced the end of the connection.'),
  proves(/due to channel idleness/, 'connection-closed', 'The client had closed a connection that was idle.'),
  proves(/the client connection is closing|SubConn is closing|transport closed by client|balancer is being closed|client transport shutdown/, 'call-cancelled', 'The client itself was closing its connection.'),
  proves(/transport is closing|transport is no longer valid|connection is closing|client connection (?:force closed|not usable)|server closed idle connection|connection broken|persistConn|http: server closed|finished serving streams|stream is done/, 'connection-closed', 'The connection to {peer} was closing; the text does not say why.'),
  proves(/unexpected HTTP status code|unexpected content-type|malformed header: missing|missing content-type|HTTP status code \d{3}; transport|malformed http-status|malformed grpc-status|looked like an HTTP\/1\.1 header|frame too large|malformed HTTP response|is not a settings frame|bogus greeting|http_1_1_required/i, 'not-locket', 'The answer was no gRPC: it came from a proxy or another program.'),
  proves(/reset reason: (?:connection termination|remote reset|local reset|remote refused stream reset)/, 'connection-closed', 'The connection between a proxy and {peer} broke.'),
  proves(/reset reason: overflow|envoy overloaded/, 'limit-reached', 'A proxy before {peer} reached a limit of its own.'),
  proves(/upstream connect error|no healthy upstream|upstream_reset|no_healthy_upstream|delayed connect error/, 'no-connection', 'A proxy before {peer} had no connection to it.'),
  proves(/failed to do connect handshake/, 'no-connection', 'An HTTP proxy of the client refused the way to {peer}.'),
  proves(/code = Internal desc = unexpected EOF/, 'call-reset', 'The answer ended before it was complete.'),
  proves(/upstream request timeout|stream timeout|request timeout/, 'timeout', 'A proxy before {peer} had no answer in its own time.'),
  proves(/RST_STREAM with error code: ENHANCE_YOUR_CALM|stream ID \d+; ENHANCE_YOUR_CALM/, 'limit-reached', 'The other side, {peer} or a proxy before it, limited the load of the client.'),
  proves(/(?:RST_STREAM with (?:error )?code:? |stream error: stream ID \d+; |stream was reset[^A-Z]{0,20})((?:unknown error code )?\w+)/, 'call-reset', 'The other side, {peer} or a proxy before it, reset the call with the code $1; the text does not say why.'),
  proves(/closed the stream without sending trailers/, 'call-reset', 'The other side, {peer} or a proxy before it, ended the call without a result.'),
  proves(/larger than max|message too large|header list size|flow control|data exceeding the limit|list size exceeded|exceeded flow control/, 'limit-reached', 'A message was larger than one side accepts.'),
  proves(/marshal|Decompressor|[Cc]ompressor|decompress|compressing|cardinality violation|unexpected payload format|compressed flag|malformed (?:binary metadata|grpc-timeout)|invalid gRPC request|No codec|no codec|transport: malformed|HEADERS frame cannot appear|received invalid frame|DATA frame|pad size|peer compressed/, 'protocol-error', 'The two sides did not agree on the form of the messages.'),
  proves(/connection error: (?!desc)([A-Z_]{3,})/, 'protocol-error', 'The two sides broke off the connection over the protocol ($1).'),
  proves(/service config|config selector|illegal BalancerConfig|no transport security set|credentials require transport level|insecure connection/, 'bad-settings', 'The settings of the gRPC client are wrong.'),
];

/** Texts that say only that something did not end. A text of the network in the same line says more. */
export const WAITING_ROWS: readonly ErrorRow[] = [
  proves(/while waiting for connections to become ready|waiting for connection|SubConn state is not Ready|connection is unavailable|SubConns are in TransientFailure|failed to connect to all addresses|there is no (?:address|connection) available|timed out trying to connect|no connection established|error while dialing$/i, 'no-connection', 'The client had no connection to {peer}; the text does not say why.'),
  proves(/failed to start in time/, 'timeout', 'A lock of a joint lock was not acquired in time.'),
  proves(/context deadline exceeded|request timed out|timeout awaiting response headers|Client\.Timeout/, 'timeout', 'No answer came before the deadline.'),
  suggests(/request canceled|context canceled/, 'call-cancelled', 'The call was cancelled, most likely by the client itself.'),
];
