// The event kind of each message of Locket and its clients. This is the only place that knows the
// names of messages.

import { remembering } from './known.js';

/** The kinds of events. */
export type EventKind =
  // Of a Locket process.
  | 'locket-started'
  | 'locket-stopping'
  | 'locket-unrecoverable'
  | 'locket-failed'
  | 'locket-exited'
  | 'locket-not-listening'
  | 'health-check-failed'
  | 'inserted'
  | 'renewed'
  | 'collision'
  | 'released'
  | 'timer-fired'
  | 'timer-deleted'
  | 'expired'
  | 'timer-owner-mismatch'
  | 'timer-id-mismatch'
  | 'timer-index-mismatch'
  | 'timer-failed'
  | 'lock-failed'
  | 'scan-failed'
  | 'caller-gone'
  // Of a client.
  | 'client-started'
  | 'client-acquired'
  | 'client-failed'
  | 'client-lost'
  | 'client-signalled'
  | 'client-released'
  | 'client-completed'
  | 'client-unconnected'
  | 'client-exited'
  // Of a look at the table.
  | 'look-found'
  | 'look-missing';

const TIMERS = ['lock.register-ttl', 'burglar.register-ttl'];
const EXPIRY = TIMERS.map((timer) => `${timer}.fetch-and-release-lock`);

/** Locket's, without its name before them. */
const LOCKET = new Map<string, EventKind>([
  ['burglar.started', 'locket-started'],
  ['lock-metrics-notifier.starting', 'locket-started'],
  ['request-metrics-notifier.starting', 'locket-started'],
  ['burglar.signalled', 'locket-stopping'],
  ['burglar.complete', 'locket-stopping'],
  ['lock-metrics-notifier.completed', 'locket-stopping'],
  ['request-metrics-notifier.completed', 'locket-stopping'],
  ['unrecoverable-error', 'locket-unrecoverable'],
  ['shutting-down-due-to-unrecoverable-error', 'locket-unrecoverable'],
  ...['failed-to-open-sql', 'sql-failed-to-connect', 'failed-to-create-lock-table', 'failed-to-create-health-check-table', 'invalid-tls-config'].map((message): [string, EventKind] => [message, 'locket-failed']),
  ['grpc-server.failed-to-listen', 'locket-not-listening'],
  ['db-health-check-runner.failed-health-check', 'health-check-failed'],
  ['db-health-check-runner.health-check-attempts-exceeded', 'health-check-failed'],
  ['db-health-check-runner.database-failure-detected-restarting-locket', 'health-check-failed'],
  ['lock.lock.acquired-lock', 'inserted'],
  ['lock.register-ttl.starting', 'renewed'],
  ['lock.lock.lock-already-exists', 'collision'],
  ['release.release-lock.released-lock', 'released'],
  ...EXPIRY.flatMap((expiry): [string, EventKind][] => [
    [`${expiry}.fetched-lock`, 'timer-fired'],
    [`${expiry}.released-lock`, 'timer-deleted'],
    [`${expiry}.fetch-failed-owner-mismatch`, 'timer-owner-mismatch'],
    [`${expiry}.release-failed-id-mismatch`, 'timer-id-mismatch'],
    [`${expiry}.release-failed-index-mismatch`, 'timer-index-mismatch'],
    [`${expiry}.failed-starting-transaction`, 'timer-failed'],
  ]),
  ...TIMERS.map((timer): [string, EventKind] => [`${timer}.lock-expired`, 'expired']),
  ['lock.lock.failed-starting-transaction', 'lock-failed'],
  ['lock.lock.failed-to-fetch-lock', 'lock-failed'],
  ['lock.failed-locking-lock', 'lock-failed'],
  ['burglar.fetch-all-locks.failed-starting-transaction', 'scan-failed'],
  ['burglar.failed-fetching-locks', 'scan-failed'],
  ['context-cancelled', 'caller-gone'],
  ['context-deadline-exceeded', 'caller-gone'],
]);

/** A client's, behind the name of its session. */
const CLIENT = new Map<string, EventKind>([
  ['started', 'client-started'],
  ['acquired-lock', 'client-acquired'],
  ['failed-to-acquire-lock', 'client-failed'],
  ['lost-lock', 'client-lost'],
  ['signalled', 'client-signalled'],
  ['released-lock', 'client-released'],
  ['completed', 'client-completed'],
]);

/** Those of `locket-wasm watch --output`: a line has looks at several keys. */
export const LOOKS: ReadonlySet<string> = new Set(['watch.snapshot', 'watch.added', 'watch.removed', 'watch.changed']);

/** A line with looks has no key of its own. */
const OTHER = new Map<string, EventKind>([...LOCKET, ...[...LOOKS].map((message): [string, EventKind] => [message, 'look-found'])]);

const SESSION = 'locket-lock.';
const LOCKET_SOURCE = 'locket';
/** Of whichever program: a client that has no client of Locket ends, and the last line of a main program that failed. */
const OF_PROGRAMS = new Map<string, EventKind>([
  ['failed-to-create-locket-client', 'client-unconnected'],
  ['invalid-locket-config', 'client-unconnected'],
  ['exited-with-failure', 'client-exited'],
]);

/** The kind of a message, with or without its source before it; `undefined` if it is not about locks. */
export function kindOf(message: string, source = ''): EventKind | undefined {
  const kind = kindIn(message);
  const isLocket = source === LOCKET_SOURCE || message.startsWith(`${LOCKET_SOURCE}.`);
  return kind === 'client-exited' && isLocket ? 'locket-exited' : kind;
}

const kindIn = remembering((message): EventKind | undefined => {
  const session = message.lastIndexOf(SESSION);
  if (session >= 0) return CLIENT.get(message.slice(session + SESSION.length));
  return OF_PROGRAMS.get(message.slice(message.lastIndexOf('.') + 1)) ?? OTHER.get(message) ?? OTHER.get(message.slice(message.indexOf('.') + 1));
});
