// The error texts of Go's net package and of the system calls under it.

import { type ErrorRow, proves, suggests } from './row.js';

export const NETWORK_ROWS: readonly ErrorRow[] = [
  proves(/operation was canceled/, 'call-cancelled', 'This side gave up before it had a connection.'),
  proves(/\blookup [^\s:]+(?: on \S+)?: ([^"\\]{1,80})/, 'name-not-resolved', 'The name of {peer} could not be resolved: $1.'),
  proves(/produced zero addresses|no children to pick from|empty address list|hostname resolving error|dns: (?:A|SRV|TXT) record lookup error|name resolver error|Temporary failure in name resolution|Name or service not known/, 'name-not-resolved', 'The name of {peer} could not be resolved.'),
  proves(/missing port in address|too many colons in address|missing address|invalid port|unknown port|dns resolver: missing|invalid target address|unknown network |could not parse target|could not get resolver for|too many connections to address/, 'bad-settings', 'The address of {peer} is malformed.'),
  proves(/address already in use|bind: Only one usage of each socket address/, 'port-in-use', 'Another program uses the port.'),
  proves(/connection refused|actively refused/, 'connection-refused', 'Nothing listened at the address of {peer}, or a firewall refused the connection.'),
  proves(/no route to host|(?:network|host) is (?:unreachable|down)|unreachable (?:network|host)/, 'unreachable', 'The network had no way to {peer}.'),
  proves(/dial[^"]{0,200}: (?:connect: )?(?:operation not permitted|permission denied)/, 'unreachable', 'This machine itself, such as its firewall, forbade the connection to {peer}.'),
  proves(/too many open files|cannot assign requested address|no buffer space available|cannot allocate memory|resource temporarily unavailable|lacked sufficient buffer space|connectex: Only one usage of each socket address/, 'limit-reached', 'The machine or process that wrote the line had no files, ports or memory left for a connection.'),
  proves(/dial (?:tcp|udp|unix)[^"]{0,200}: (?:i\/o timeout|connect: (?:connection|operation) timed out|connectex: A connection attempt failed|context deadline exceeded)|timed out when dialing|dial error: timeout/, 'unreachable', 'No answer came from the address of {peer} to the attempt to connect.'),
  proves(/connection reset by peer|forcibly closed by the remote host|\bECONNRESET\b/, 'connection-closed', 'The other side, {peer} or a device before it, reset the connection.'),
  proves(/broken pipe|software caused connection abort|connection was aborted by the software|transport endpoint is not connected|connection aborted/, 'connection-closed', 'The connection to {peer} was broken off.'),
  proves(/use of closed network connection|use of closed connection|file already closed|closed pipe/, 'connection-closed', 'This side had closed the connection to {peer}; the text does not say why.'),
  proves(/(?:read|write)[^"]{0,160}(?:: (?:connection timed out|operation timed out|i\/o timeout)|did not properly respond)/, 'connection-silent', 'No answer came on an open connection to {peer}: the network, or the other side, was silent.'),
  suggests(/connection timed out|i\/o timeout/, 'connection-silent', 'The connection to {peer} was silent for too long.'),
  proves(/\bEOF\b/, 'connection-closed', 'The other side, {peer} or a device before it, closed the connection.'),
];
