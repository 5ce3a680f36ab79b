// The event kind of each message of Locket and its clients. This is the only place that knows the
// names of messages.

import { remembering } from './known.js';

/** Locket's, without its name before them. Those of timers stand here without that which has set the timer: a request or a scan. */
const LOCKET = {
  'burglar.started': 'locket-started',
  'lock-metrics-notifier.starting': 'locket-started',
  'request-metrics-notifier.starting': 'locket-started',
  'burglar.signalled': 'locket-stopping',
  'burglar.complete': 'locket-stopping',
  'lock-metrics-notifier.completed': 'locket-stopping',
  'request-metrics-notifier.completed': 'locket-stopping',
  'unrecoverable-error': 'locket-unrecoverable',
  'shutting-down-due-to-unrecoverable-error': 'locket-unrecoverable',
  'failed-to-open-sql': 'locket-failed',
  'sql-failed-to-connect': 'locket-failed',
  'failed-to-create-lock-table': 'locket-failed',
  'failed-to-create-health-check-table': 'locket-failed',
  'grpc-server.failed-to-listen': 'locket-not-listening',
  'invalid-tls-config': 'locket-not-listening',
  'db-health-check-runner.failed-health-check': 'health-check-failed',
  'db-health-check-runner.health-check-attempts-exceeded': 'health-check-failed',
  'db-health-check-runner.database-failure-detected-restarting-locket': 'health-check-failed',
  'lock.lock.acquired-lock': 'inserted',
  'lock.register-ttl.starting': 'renewed',
  'lock.lock.lock-already-exists': 'collision',
  'release.release-lock.released-lock': 'released',
  'fetch-and-release-lock.fetched-lock': 'timer-fired',
  'fetch-and-release-lock.released-lock': 'timer-deleted',
  'fetch-and-release-lock.fetch-failed-owner-mismatch': 'timer-owner-mismatch',
  'fetch-and-release-lock.release-failed-id-mismatch': 'timer-id-mismatch',
  'fetch-and-release-lock.release-failed-index-mismatch': 'timer-index-mismatch',
  'fetch-and-release-lock.failed-starting-transaction': 'timer-failed',
  'lock-expired': 'expired',
  'lock.lock.failed-starting-transaction': 'lock-failed',
  'lock.lock.failed-to-fetch-lock': 'lock-failed',
  'lock.failed-locking-lock': 'lock-failed',
  'burglar.fetch-all-locks.failed-starting-transaction': 'scan-failed',
  'burglar.failed-fetching-locks': 'scan-failed',
  'context-cancelled': 'caller-gone',
  'context-deadline-exceeded': 'caller-gone',
} as const;

/** What is said of a timer, whatever has set it. */
const OF_TIMER = /^(?:lock|burglar)\.register-ttl\.(?=fetch-and-release-lock\.|lock-expired$)/;

/** A client's, behind the name of its session. */
const CLIENT = {
  started: 'client-started',
  'acquired-lock': 'client-acquired',
  'failed-to-acquire-lock': 'client-failed',
  'lost-lock': 'client-lost',
  signalled: 'client-signalled',
  'released-lock': 'client-released',
  completed: 'client-completed',
} as const;

/** Of whichever program: a client that has no client of Locket ends, and the last line of a main program that failed. */
const PROGRAM = {
  'failed-to-create-locket-client': 'client-unconnected',
  'failed-to-open-tls-config': 'client-unconnected',
  'invalid-locket-config': 'client-unconnected',
  'exited-with-failure': 'client-exited',
} as const;

/** Those of `locket-wasm watch --output`: a line has looks at several keys, and no key of its own. */
const LOOK = { 'watch.snapshot': 'look-found', 'watch.added': 'look-found', 'watch.removed': 'look-found', 'watch.changed': 'look-found' } as const;

/** The kinds of events. A loop of the Cloud Controller is refused whether it held its lock or not. */
export type EventKind = 'client-refused' | 'locket-exited' | 'look-missing' | ValueOf<typeof CLIENT> | ValueOf<typeof LOCKET> | ValueOf<typeof LOOK> | ValueOf<typeof PROGRAM>;
type ValueOf<T> = T[keyof T];

const LOCKETS = new Map<string, EventKind>(Object.entries({ ...LOCKET, ...LOOK }));
const CLIENTS = new Map<string, EventKind>(Object.entries(CLIENT));
const PROGRAMS = new Map<string, EventKind>(Object.entries(PROGRAM));

/** Whether a line is one of a record of polls. */
export const isOfRecord = ({ message }: { message: string }): boolean => message in LOOK;

const SESSION = 'locket-lock.';
const LOCKET_SOURCE = 'locket';

/** The kind of a message, with or without its source before it; `undefined` if it is not about locks. */
export function kindOf(message: string, source = ''): EventKind | undefined {
  const kind = kindIn(message);
  const isLocket = source === LOCKET_SOURCE || message.startsWith(`${LOCKET_SOURCE}.`);
  return kind === 'client-exited' && isLocket ? 'locket-exited' : kind;
}

const kindIn = remembering((message): EventKind | undefined => {
  const session = message.lastIndexOf(SESSION);
  if (session >= 0) return CLIENTS.get(message.slice(session + SESSION.length));
  if (message.startsWith('Acquired lock ')) return 'client-acquired';
  if (message.startsWith('Failed to acquire lock ')) return 'client-refused';
  const own = message.slice(message.indexOf('.') + 1);
  return PROGRAMS.get(message.slice(message.lastIndexOf('.') + 1)) ?? LOCKETS.get(message.replace(OF_TIMER, '')) ?? LOCKETS.get(own.replace(OF_TIMER, ''));
});
