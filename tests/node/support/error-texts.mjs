// Error texts as libraries write them, each with the file of the library in which it stands and the cause that it proves.
// `unknown` is the right reading of a text that proves none.

const TRANSPORT = 'grpc-go internal/transport/http2_client.go';
const CLIENTCONN = 'grpc-go clientconn.go';
const RPC = 'grpc-go rpc_util.go';
const ALERT = 'go crypto/tls/alert.go';
const X509 = 'go crypto/x509/verify.go';
const ERRNO = 'go syscall/zerrors_linux_amd64.go';
const WINDOWS = 'windows system messages, of WSA codes';
const HTTP2 = 'go golang.org/x/net/http2/errors.go';

const rpc = (code, description) => `rpc error: code = ${code} desc = ${description}`;
const unavailable = (description) => rpc('Unavailable', description);
const dialing = (text) => unavailable(`connection error: desc = "transport: Error while dialing: ${text}"`);
const handshake = (text) => unavailable(`connection error: desc = "transport: authentication handshake failed: ${text}"`);
const waiting = (text) => rpc('DeadlineExceeded', `latest balancer error: connection error: desc = "transport: ${text}"`);
const reset = (code, status = 'Internal') => rpc(status, `stream terminated by RST_STREAM with error code: ${code}`);

/** What a client gets of its call: text, kind of the cause, source. */
export const CALLS = [
  // The connection ended.
  [unavailable('error reading from server: EOF'), 'connection-closed', TRANSPORT],
  [unavailable('error reading from server: unexpected EOF'), 'connection-closed', TRANSPORT],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: read: connection reset by peer'), 'connection-closed', TRANSPORT],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: use of closed network connection'), 'connection-closed', TRANSPORT],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: read: connection timed out'), 'connection-silent', TRANSPORT],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: i/o timeout'), 'connection-silent', TRANSPORT],
  [unavailable('keepalive ping failed to receive ACK within timeout'), 'connection-silent', TRANSPORT],
  [unavailable('closing transport due to: connection error: desc = "error reading from server: EOF", received prior goaway: code: NO_ERROR, debug data: "graceful_stop"'), 'connection-closed', TRANSPORT],
  [unavailable('closing transport due to: connection error: desc = "error reading from server: EOF", received prior goaway: code: NO_ERROR, debug data: "max_age"'), 'connection-closed', TRANSPORT],
  [unavailable('closing transport due to: connection error: desc = "error reading from server: connection reset by peer", received prior goaway: code: ENHANCE_YOUR_CALM, debug data: "too_many_pings"'), 'limit-reached', TRANSPORT],
  [unavailable('the stream is rejected because server is draining the connection'), 'connection-closed', 'grpc-go internal/transport/transport.go'],
  [unavailable('the connection is draining'), 'connection-closed', 'grpc-go internal/transport/transport.go'],
  [unavailable('transport is closing'), 'connection-closed', 'grpc-go internal/transport/transport.go'],
  [unavailable('received goaway and there are no active streams'), 'connection-closed', TRANSPORT],
  [rpc('Canceled', 'grpc: the client connection is closing'), 'call-cancelled', CLIENTCONN],
  [rpc('Canceled', 'the provided transport is no longer valid to use'), 'connection-closed', CLIENTCONN],
  [unavailable('error reading server preface: EOF'), 'connection-closed', TRANSPORT],
  [unavailable('connection error: desc = "error reading server preface: http2: frame too large, note that the frame header looked like an HTTP/1.1 header"'), 'not-locket', TRANSPORT],
  [unavailable('write tcp 10.0.0.5:43210->10.0.0.9:8891: write: broken pipe'), 'connection-closed', ERRNO],
  [unavailable('write tcp 10.0.0.5:43210->10.0.0.9:8891: write: connection timed out'), 'connection-silent', ERRNO],

  // There was no connection.
  [dialing('dial tcp 10.0.0.9:8891: connect: connection refused'), 'connection-refused', ERRNO],
  [waiting('Error while dialing: dial tcp 127.0.0.1:8891: connect: connection refused"'), 'connection-refused', TRANSPORT],
  [dialing('dial tcp 10.0.0.9:8891: connect: no route to host'), 'unreachable', ERRNO],
  [dialing('dial tcp 10.0.0.9:8891: connect: network is unreachable'), 'unreachable', ERRNO],
  [dialing('dial tcp 10.0.0.9:8891: connect: connection timed out'), 'unreachable', ERRNO],
  [dialing('dial tcp 10.0.0.9:8891: connect: operation not permitted'), 'unreachable', ERRNO],
  [dialing('dial tcp 10.0.0.9:8891: i/o timeout'), 'unreachable', 'go net/net.go'],
  [dialing('dial tcp 10.0.0.9:8891: socket: too many open files'), 'limit-reached', ERRNO],
  [dialing('dial tcp 10.0.0.9:8891: connect: cannot assign requested address'), 'limit-reached', ERRNO],
  [dialing('dial tcp: lookup locket.service.cf.internal on 169.254.0.2:53: no such host'), 'name-not-resolved', 'go net/net.go'],
  [dialing('dial tcp: lookup locket.service.cf.internal on 169.254.0.2:53: server misbehaving'), 'name-not-resolved', 'go net/dnsclient_unix.go'],
  [dialing('dial tcp: lookup locket.service.cf.internal on 169.254.0.2:53: read udp 10.0.0.5:39211->169.254.0.2:53: i/o timeout'), 'name-not-resolved', 'go net/dnsclient_unix.go'],
  [dialing('dial tcp: lookup locket.service.cf.internal: Temporary failure in name resolution'), 'name-not-resolved', 'go net/cgo_unix.go'],
  [dialing('dial tcp: lookup locket.service.cf.internal: operation was canceled'), 'call-cancelled', 'go net/net.go'],
  [dialing('dial tcp: address locket: missing port in address'), 'bad-settings', 'go net/ipsock.go'],
  [unavailable('name resolver error: produced zero addresses'), 'name-not-resolved', 'grpc-go balancer/pickfirst/pickfirst.go'],
  [unavailable('dns: A record lookup error: lookup locket on 10.0.0.2:53: server misbehaving'), 'name-not-resolved', 'grpc-go internal/resolver/dns/dns_resolver.go'],
  [unavailable('last connection error: connection error: desc = "transport: Error while dialing: dial tcp 10.0.0.9:8891: connect: connection refused"'), 'connection-refused', 'grpc-go balancer/base/balancer.go'],
  [rpc('DeadlineExceeded', 'context deadline exceeded while waiting for connections to become ready'), 'no-connection', 'grpc-go picker_wrapper.go'],

  // As older versions of grpc-go wrote it.
  [unavailable('all SubConns are in TransientFailure'), 'no-connection', 'grpc-go 1.13 picker_wrapper.go'],
  [unavailable('all SubConns are in TransientFailure, latest connection error: connection error: desc = "transport: Error while dialing dial tcp 10.0.0.9:8891: connect: connection refused"'), 'connection-refused', 'grpc-go 1.20 picker_wrapper.go'],
  [unavailable('there is no address available'), 'no-connection', 'grpc-go 1.2 balancer.go'],
  ['grpc: timed out trying to connect', 'no-connection', 'grpc-go 1.2 clientconn.go'],
  [unavailable('connection closed before server preface received'), 'connection-closed', 'grpc-go internal/transport/http2_client.go'],
  [rpc('Internal', 'stream terminated by RST_STREAM with code 8'), 'call-reset', 'grpc-go 1.2 transport/http2_client.go'],
  [rpc('Unavailable', 'Service Unavailable: HTTP status code 503; transport: missing content-type field'), 'not-locket', 'grpc-go 1.30 internal/transport/http_util.go'],
  [rpc('Internal', 'received 70000-bytes data exceeding the limit 65535 bytes'), 'limit-reached', 'grpc-go internal/transport/flowcontrol.go'],

  // On Windows, where cells run, too, and on macOS.
  [dialing('dial tcp 10.0.0.9:8891: connectex: No connection could be made because the target machine actively refused it.'), 'connection-refused', WINDOWS],
  [dialing('dial tcp 10.0.0.9:8891: connectex: A connection attempt failed because the connected party did not properly respond after a period of time, or established connection failed because connected host has failed to respond.'), 'unreachable', WINDOWS],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: wsarecv: A connection attempt failed because the connected party did not properly respond after a period of time, or established connection failed because connected host has failed to respond.'), 'connection-silent', WINDOWS],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: wsarecv: An existing connection was forcibly closed by the remote host.'), 'connection-closed', WINDOWS],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: wsarecv: An established connection was aborted by the software in your host machine.'), 'connection-closed', WINDOWS],
  [dialing('dial tcp 10.0.0.9:8891: connectex: A socket operation was attempted to an unreachable network.'), 'unreachable', WINDOWS],
  [dialing('dial tcp 10.0.0.9:8891: connectex: Only one usage of each socket address (protocol/network address/port) is normally permitted.'), 'limit-reached', WINDOWS],
  [dialing('dial tcp: lookup locket.service.cf.internal: getaddrinfow: No such host is known.'), 'name-not-resolved', WINDOWS],
  [dialing('dial tcp 10.0.0.9:8891: connect: operation timed out'), 'unreachable', 'go syscall/zerrors_darwin_amd64.go'],
  [unavailable('error reading from server: read tcp 10.0.0.5:43210->10.0.0.9:8891: read: operation timed out'), 'connection-silent', 'go syscall/zerrors_darwin_amd64.go'],
  [handshake('tls: failed to verify certificate: x509: “locket” certificate is not trusted'), 'tls-failed', 'go crypto/x509/root_darwin.go'],

  // TLS.
  [handshake('remote error: tls: expired certificate'), 'tls-failed', ALERT],
  [handshake('remote error: tls: handshake failure'), 'tls-failed', ALERT],
  [handshake('tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-25T04:00:00Z is after 2026-11-24T00:00:00Z'), 'tls-failed', X509],
  [handshake('tls: first record does not look like a TLS handshake'), 'not-locket', 'go crypto/tls/conn.go'],
  [handshake('credentials: cannot check peer: missing selected ALPN property. If you upgraded'), 'tls-failed', 'grpc-go credentials/tls.go'],
  [handshake('EOF'), 'connection-closed', 'grpc-go credentials/tls.go'],
  [handshake('read tcp 10.0.0.5:43210->10.0.0.9:8891: read: connection reset by peer'), 'connection-closed', 'grpc-go credentials/tls.go'],
  [handshake('context deadline exceeded'), 'no-connection', 'grpc-go credentials/tls.go'],
  [waiting('authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"'), 'tls-failed', X509],

  // The call ended, and not its connection.
  [reset('INTERNAL_ERROR'), 'call-reset', HTTP2],
  [reset('PROTOCOL_ERROR'), 'call-reset', HTTP2],
  [reset('NO_ERROR'), 'call-reset', HTTP2],
  [reset('REFUSED_STREAM', 'Unavailable'), 'call-reset', HTTP2],
  [reset('CANCEL', 'Canceled'), 'call-reset', HTTP2],
  [reset('CANCEL', 'DeadlineExceeded'), 'slow-requests', HTTP2],
  [reset('ENHANCE_YOUR_CALM', 'ResourceExhausted'), 'limit-reached', HTTP2],
  [reset('HTTP_1_1_REQUIRED'), 'not-locket', HTTP2],
  [reset('unknown error code 0x63', 'Unknown'), 'call-reset', HTTP2],
  [rpc('Internal', 'server closed the stream without sending trailers'), 'call-reset', TRANSPORT],
  [rpc('DeadlineExceeded', 'context deadline exceeded'), 'slow-requests', 'go context/context.go'],
  [rpc('Canceled', 'context canceled'), 'call-cancelled', 'go context/context.go'],
  [rpc('ResourceExhausted', 'grpc: received message larger than max (5242880 vs. 4194304)'), 'limit-reached', RPC],
  [rpc('ResourceExhausted', 'trying to send message larger than max (5242880 vs. 4194304)'), 'limit-reached', 'grpc-go stream.go'],
  [rpc('Internal', 'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data'), 'protocol-error', RPC],
  [rpc('Internal', 'cardinality violation: received no response message from non-server-streaming RPC'), 'protocol-error', 'grpc-go stream.go'],

  // Another program answered.
  [rpc('Unavailable', 'unexpected HTTP status code received from server: 503 (Service Unavailable); transport: received unexpected content-type "text/plain"'), 'not-locket', TRANSPORT],
  [rpc('Unknown', 'unexpected HTTP status code received from server: 200 (OK); transport: received unexpected content-type "text/html"'), 'not-locket', TRANSPORT],
  [rpc('Unimplemented', 'unknown service models.Locket'), 'not-locket', 'grpc-go server.go'],
  [rpc('Unimplemented', 'unknown method Lock for service models.Locket'), 'not-locket', 'grpc-go server.go'],
  [unavailable('upstream connect error or disconnect/reset before headers. reset reason: connection termination'), 'connection-closed', 'envoy source/common/http/utility.cc'],
  [unavailable('no healthy upstream'), 'no-connection', 'envoy source/common/router/router.cc'],
  [unavailable('envoy overloaded'), 'limit-reached', 'envoy source/common/http/conn_manager_impl.cc'],
  [unavailable('delayed connect error: Connection refused'), 'no-connection', 'envoy source/common/network/connection_impl.cc'],
  [unavailable('upstream connect error or disconnect/reset before headers. reset reason: overflow'), 'limit-reached', 'envoy source/common/http/utility.cc'],
  [rpc('Internal', 'unexpected EOF'), 'call-reset', 'grpc-go rpc_util.go'],
  [unavailable('received goaway with non-zero even-numbered stream id: 2'), 'protocol-error', TRANSPORT],
  [rpc('PermissionDenied', 'RBAC: access denied'), 'access-denied', 'envoy source/extensions/filters/http/rbac/rbac_filter.cc'],
  [rpc('Unauthenticated', 'transport: per-RPC creds failed due to error: no token'), 'access-denied', TRANSPORT],
  [unavailable('SubConn state is not Ready'), 'no-connection', 'grpc-go balancer_wrapper.go'],

  // Locket's answers, and those of its database behind it.
  [rpc('AlreadyExists', 'lock-collision'), 'unknown', 'locket models/models.go'],
  [rpc('InvalidArgument', 'invalid-ttl'), 'refused-settings', 'locket models/models.go'],
  [rpc('InvalidArgument', 'invalid-owner'), 'refused-settings', 'locket models/models.go'],
  [rpc('NotFound', 'resource-not-found'), 'unknown', 'locket models/models.go'],
  [rpc('Unknown', 'sql-deadlock'), 'database-error', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unrecoverable'), 'table-dropped', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unknown, error code: 57P01, flavor: postgres'), 'database-outage', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unknown, error code: 53300, flavor: postgres'), 'database-error', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unknown, error code: 57014, flavor: postgres'), 'database-slow', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unknown, error code: 1040, flavor: mysql'), 'database-error', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'sql-unknown, error code: 1205, flavor: mysql'), 'database-slow', 'diego-db-helpers sqldb/helpers/errors.go'],
  [rpc('Unknown', 'failed to connect to `user=locket database=locket`: 10.0.0.7:5432 (db): dial error: dial tcp 10.0.0.7:5432: connect: connection refused'), 'database-outage', 'pgx pgconn/pgconn.go'],
  [rpc('Unknown', 'failed to connect to `user=locket database=locket`: hostname resolving error: lookup db.internal on 10.0.0.2:53: no such host'), 'database-outage', 'pgx pgconn/pgconn.go'],
  [rpc('Unknown', 'unexpected EOF'), 'database-outage', 'go io/io.go'],
  [rpc('Unknown', 'driver: bad connection'), 'database-outage', 'go database/sql/driver/driver.go'],
  [rpc('Unknown', 'invalid connection'), 'database-outage', 'go-sql-driver/mysql errors.go'],
  [rpc('DeadlineExceeded', 'timeout: context deadline exceeded'), 'database-slow', 'pgx pgconn/errors.go'],

  // Texts that name no cause.
  [rpc('Unavailable', 'a text of tomorrow'), 'unknown', 'none'],
  [rpc('Internal', 'Unexpected error from context packet: strange'), 'unknown', 'grpc-go internal/transport/transport.go'],
  [rpc('Unknown', 'a text of tomorrow'), 'unknown', 'none'],
];

/** What Locket logs of its database. */
export const QUERIES = [
  ['FATAL: sorry, too many clients already (SQLSTATE 53300)', 'database-error', 'postgres src/backend/storage/lmgr/proc.c'],
  ['ERROR: relation "locket_health_check" does not exist (SQLSTATE 42P01)', 'database-error', 'postgres src/backend/parser/parse_relation.c'],
  ['FATAL: the database system is shutting down (SQLSTATE 57P03)', 'database-outage', 'postgres src/backend/postmaster/postmaster.c'],
  ['FATAL: terminating connection due to administrator command (SQLSTATE 57P01)', 'database-outage', 'postgres src/backend/tcop/postgres.c'],
  ['ERROR: canceling statement due to lock timeout (SQLSTATE 55P03)', 'database-slow', 'postgres src/backend/tcop/postgres.c'],
  ['ERROR: canceling statement due to conflict with recovery (SQLSTATE 40001)', 'database-error', 'postgres src/backend/tcop/postgres.c'],
  ['pq: canceling statement due to conflict with recovery', 'database-error', 'lib/pq error.go'],
  ['FATAL: query_wait_timeout (SQLSTATE 08P01)', 'database-outage', 'pgbouncer src/janitor.c'],
  ['Error 9001 (HY000): Max connect timeout reached while reaching hostgroup 0 after 10000ms', 'database-error', 'proxysql lib/MySQL_Session.cpp'],
  ['pq: sorry, too many clients already', 'database-error', 'lib/pq error.go'],
  ['pq: the database system is starting up', 'database-outage', 'lib/pq error.go'],
  ['pq: canceling statement due to user request', 'database-slow', 'lib/pq error.go'],
  ['pq: SSL is not enabled on the server', 'database-outage', 'lib/pq conn.go'],
  ['Error 1040 (08004): Too many connections', 'database-error', 'go-sql-driver/mysql errors.go'],
  ['Error 1205 (HY000): Lock wait timeout exceeded; try restarting transaction', 'database-slow', 'go-sql-driver/mysql errors.go'],
  ['Error while reading the pool', undefined, 'no code of MySQL, though it stands where one does'],
  ['dial tcp 10.0.0.7:3306: connect: connection refused', 'database-outage', ERRNO],
  ['dial tcp 10.0.0.7:3306: i/o timeout', 'database-outage', 'go net/net.go'],
  ['read tcp 10.0.0.5:40000->10.0.0.7:5432: read: connection reset by peer', 'database-outage', ERRNO],
  ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'database-outage', X509],
  ['context deadline exceeded', 'database-slow', 'go context/context.go'],
  ['timed out after 5s while executing DB health check', 'database-slow', 'locket cmd/locket/db_health_check_runner.go'],
  ['conn closed', 'database-outage', 'pgx pgconn/errors.go'],
  ['a text of tomorrow', undefined, 'none'],
  ['sql-bad-request', 'database-error', 'diego-db-helpers sqldb/helpers/errors.go'],
];
