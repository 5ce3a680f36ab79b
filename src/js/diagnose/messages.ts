// The messages of Locket and its clients, by the kind of their events. This is the only place that knows the
// names of messages.

import { remembering } from './known.js';

/** Locket's, without its name before them. Those of timers stand here without that which has set the timer: a request or a scan. */
const LOCKET = {
  'locket-started': ['burglar.started', 'lock-metrics-notifier.starting', 'request-metrics-notifier.starting'],
  'locket-stopping': ['burglar.signalled', 'burglar.complete', 'lock-metrics-notifier.completed', 'request-metrics-notifier.completed'],
  'locket-unrecoverable': ['unrecoverable-error', 'shutting-down-due-to-unrecoverable-error'],
  'locket-failed': ['failed-to-open-sql', 'sql-failed-to-connect', 'failed-to-create-lock-table', 'failed-to-create-health-check-table'],
  'locket-not-listening': ['grpc-server.failed-to-listen', 'invalid-tls-config'],
  'health-check-failed': [
    'db-health-check-runner.failed-health-check',
    'db-health-check-runner.health-check-attempts-exceeded',
    'db-health-check-runner.database-failure-detected-restarting-locket',
  ],
  inserted: ['lock.lock.acquired-lock'],
  renewed: ['lock.register-ttl.starting'],
  collision: ['lock.lock.lock-already-exists'],
  released: ['release.release-lock.released-lock'],
  'timer-fired': ['fetch-and-release-lock.fetched-lock'],
  'timer-deleted': ['fetch-and-release-lock.released-lock'],
  'timer-owner-mismatch': ['fetch-and-release-lock.fetch-failed-owner-mismatch'],
  'timer-mismatch': ['fetch-and-release-lock.release-failed-id-mismatch', 'fetch-and-release-lock.release-failed-index-mismatch'],
  'timer-failed': ['fetch-and-release-lock.failed-starting-transaction'],
  expired: ['lock-expired'],
  'lock-failed': ['lock.lock.failed-starting-transaction', 'lock.lock.failed-to-fetch-lock', 'lock.failed-locking-lock'],
  'scan-failed': ['burglar.fetch-all-locks.failed-starting-transaction', 'burglar.failed-fetching-locks'],
  'caller-gone': ['context-cancelled', 'context-deadline-exceeded'],
};

/** What is said of a timer, whatever has set it. */
const OF_TIMER = /^(?:lock|burglar)\.register-ttl\.(?=fetch-and-release-lock\.|lock-expired$)/;

/** A client's, behind the name of its session. */
const CLIENT = {
  'client-started': ['started'],
  'client-acquired': ['acquired-lock'],
  'client-failed': ['failed-to-acquire-lock'],
  'client-lost': ['lost-lock'],
  'client-signalled': ['signalled'],
  'client-released': ['released-lock'],
  'client-completed': ['completed'],
};

/** Of whichever program: a client that has no client of Locket ends, and the last line of a main program that failed. */
const PROGRAM = {
  'client-unconnected': ['failed-to-create-locket-client', 'failed-to-open-tls-config', 'invalid-locket-config'],
  'client-exited': ['exited-with-failure'],
};

/** Those of `locket-wasm watch --output`: a line has looks at several keys, and no key of its own. */
const LOOK = { 'look-found': ['watch.snapshot', 'watch.added', 'watch.removed', 'watch.changed'] };

/** The kinds of events. A loop of the Cloud Controller is refused whether it held its lock or not. */
export type EventKind = 'client-refused' | 'locket-exited' | 'look-missing' | keyof typeof CLIENT | keyof typeof LOCKET | keyof typeof LOOK | keyof typeof PROGRAM;

const kindsOf = (messages: Partial<Record<EventKind, string[]>>) => new Map(Object.entries(messages).flatMap(([kind, own]) => own.map((message) => [message, kind as EventKind])));
const LOCKETS = kindsOf({ ...LOCKET, ...LOOK });
const CLIENTS = kindsOf(CLIENT);
const PROGRAMS = kindsOf(PROGRAM);

/** True if a line is one of a record of polls. */
export const isOfRecord = ({ message }: { message: string }): boolean => LOOK['look-found'].includes(message);

const SESSION = 'locket-lock.';

/** The kind of a message, with or without its source before it; `undefined` if it is not about locks. */
export function kindOf(message: string, source = ''): EventKind | undefined {
  const kind = kindIn(message);
  const isLocket = source === 'locket' || message.startsWith('locket.');
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
