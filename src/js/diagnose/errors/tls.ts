// The error texts of Go's crypto/tls and crypto/x509, and of what calls them. An alert with "remote error" is of the other side,
// which has rejected something of this side; an x509 error is of this side.

import { type ErrorRow, proves, suggests } from './row.js';

export const TLS_ROWS: readonly ErrorRow[] = [
  proves(/remote error: tls: close notify/, 'connection-closed', 'The other side, {peer} or a proxy before it, closed the connection.'),
  proves(/(?:remote error: tls:|SSL alert) ([\w ()]{1,40})/, 'tls-failed', 'The other side, {peer} or a proxy before it, ended TLS with the alert "$1".'),
  proves(/local error: tls: ([\w ()]{1,40})/, 'tls-failed', 'This side ended TLS with the alert "$1".'),
  proves(/x509: failed to load system roots/, 'bad-settings', 'This side could not load the authorities that it trusts.'),
  proves(/x509: ([^"\\]{1,200})/, 'tls-failed', 'This side could not accept a certificate: $1.'),
  proves(/first record does not look like a TLS handshake|server gave HTTP response to HTTPS client|oversized record received/, 'not-locket', 'The other side does not speak TLS at this address.'),
  proves(/certificate has expired: validity ended at ([\d-]{10} [\d:]{8} UTC)/, 'bad-settings', 'A certificate of this side has expired: its validity ended at $1.'),
  proves(/failed to load keypair|failed to read certificate|failed to parse certificate in|no valid certificates read|failed to find any PEM data|private key does not match public key|unexpected PEM block|failed to add certificate|unable to (?:read|load|decrypt) (?:CA file|cert|key|sslkey)/, 'bad-settings', 'This side could not use a certificate or key file of its own.'),
  proves(/TLS handshake timeout|authentication handshake failed: (?:context deadline exceeded|.*i\/o timeout)/, 'no-connection', 'The other side did not finish the TLS handshake in time.'),
  proves(/(?:SSL is not enabled on the server|server refused TLS connection|TLS requested but server does not support TLS)/, 'tls-failed', 'The database server does not offer TLS.'),
  proves(/authentication handshake failed: (?:[^"]{0,120}\bEOF|[^"]{0,120}(?:connection reset|broken pipe|connection aborted))/, 'connection-closed', 'The other side, {peer} or a proxy before it, closed the connection in the TLS handshake.'),
  proves(/authentication handshake failed: context canceled|authentication handshake failed: operation was canceled/, 'call-cancelled', 'This side gave up in the TLS handshake.'),
  suggests(/\btls: ([^"\\]{1,100})/, 'tls-failed', 'TLS failed: $1.'),
  suggests(/authentication handshake failed: ([^"\\]{1,100})/, 'tls-failed', 'The handshake failed: $1.'),
];
