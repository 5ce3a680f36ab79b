// The lives of Locket's processes, and the times in which they were down.

import type { Case } from '../case.js';
import { errorOf } from '../errors/error.js';
import { isFailure, type LogEvent, type Machine } from '../evidence.js';
import { between, type Instant } from '../instant.js';
import type { Circumstance } from './circumstance.js';
import { type Cause, certainly, found, likely, quoted, span, unknown } from './finding.js';

/** One for each time. */
export function lockets(whole: Case): Circumstance[] {
  const { machines, clocks, failures } = whole;
  const downtimes = machines.filter(({ isLocket }) => isLocket).flatMap((machine) => downtimesOf(machine).map((downtime) => ({ machine, downtime })));
  const stops = downtimes.filter(({ downtime: { reason } }) => reason !== 'crash');
  const isOfStop = (event: LogEvent) => stops.some(({ downtime: { since, until } }) => isWithin(clocks.instantOf(event), clocks.instantOf(since), until === undefined ? FOREVER : clocks.instantOf(until)));
  const refused = failures.filter((event) => isFailure(event) && errorOf(event.error).kind === 'connection-refused');
  // A call that a stopped process explains shows nothing of another that may have crashed.
  const ofCrashes = refused.filter((event) => !isOfStop(event));
  return downtimes.map(({ machine, downtime }) => ofDowntime(machine, downtime, downtime.reason === 'crash' ? ofCrashes : refused, whole));
}

const FOREVER: Instant = { ms: Infinity, earliestMs: null, latestMs: null };

/** Why a process was down: it was stopped, stopped itself, crashed or was killed. */
type Reason = 'crash' | 'database' | 'failed' | 'stopped' | 'table-missing';

/** From the last line of a life, or the first of its stop, to the first of the next. */
interface Downtime {
  since: LogEvent;
  until: LogEvent | undefined;
  reason: Reason;
}

/** What is known of a life of a process. */
interface Life {
  starts: Set<string>;
  stop: LogEvent | undefined;
  last: LogEvent | undefined;
  reason: Reason;
}

/** Lines of one start are so near. */
const TOGETHER_MS = 10_000;
/** What only a process writes that has come up, though the lines of its start are missing. */
const UP: ReadonlySet<LogEvent['kind']> = new Set(['inserted', 'renewed', 'collision']);
const messageOf = ({ text }: LogEvent) => /"message"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? text;
const unborn = (): Life => ({ starts: new Set(), stop: undefined, last: undefined, reason: 'stopped' });

function downtimesOf({ events }: Machine): Downtime[] {
  const downtimes: Downtime[] = [];
  let life = unborn();
  for (const event of events) {
    const isStart = event.kind === 'locket-started';
    const { last, stop, starts } = life;
    // Each start writes each of its lines once.
    const isSame = last?.kind === 'locket-started' && event.atMs - last.atMs < TOGETHER_MS && !starts.has(messageOf(event));
    if (isStart ? !isSame : UP.has(event.kind) && stop !== undefined) {
      if (last !== undefined && (stop !== undefined || starts.size > 0)) downtimes.push({ since: stop ?? last, until: event, reason: stop === undefined ? 'crash' : life.reason });
      life = unborn();
    }
    if (isStart) life.starts.add(messageOf(event));
    if (event.kind === 'locket-stopping') life.stop ??= event;
    if (event.kind === 'locket-unrecoverable') life.reason = 'table-missing';
    if (event.kind === 'health-check-failed') life.reason = 'database';
    if (event.kind === 'locket-exited' && life.reason === 'stopped') life.reason = 'failed';
    life.last = event;
  }
  return life.stop === undefined ? downtimes : [...downtimes, { since: life.stop, until: undefined, reason: life.reason }];
}

function ofDowntime({ name }: Machine, { since, until, reason }: Downtime, refused: readonly LogEvent[], whole: Case): Circumstance {
  const isCrash = reason === 'crash';
  const kind = isCrash ? 'locket-crash' : 'locket-restart';
  const began = whole.clocks.instantOf(since);
  const ended = until === undefined ? undefined : whole.clocks.instantOf(until);
  const to = ended === undefined ? { ms: Math.max(whole.endMs, began.ms), earliestMs: began.earliestMs, latestMs: null } : between(began, ended, ended.ms);
  const first = isCrash ? between(began, to, (began.ms + to.ms) / 2) : began;
  const shown = refused.filter((event) => isWithin(whole.clocks.instantOf(event), first, to));
  const from = isCrash ? shown.reduce((at, event) => beforeCall(at, event, whole), first) : first;
  const [ending, cause] = ENDED[reason];
  const told = () => ({
    processes: [name],
    summary: `Locket ${quoted(name)} ${ending}${until === undefined ? '' : ` and started again ${span(Math.max(0, to.ms - from.ms))} later`}.`,
    cause,
    lines: [since, until, ...shown.slice(0, 3)],
  });
  const because = likely(kind, isCrash ? `Locket ${quoted(name)} was down: it crashed or was killed.` : `Locket ${quoted(name)} was stopped and started again.`);
  return found(reason === 'stopped' ? 'note' : 'warning', kind, isCrash ? 'likely' : 'certain', { from, to, isOpen: until === undefined }, told, because);
}

/** How a process ended, in words, and why. */
const ENDED: Record<Reason, readonly [string, Cause]> = {
  crash: ['ended without a log line: it crashed or was killed', unknown('Its log ends without the lines of a stop; check its stderr log and its supervisor.')],
  database: ['stopped itself because its database failed the health check,', likely('database-outage', 'Its health check of the database failed.')],
  failed: ['ended with a failure', unknown('The line of its exit has the error.')],
  'table-missing': ['stopped itself because its table was missing,', certainly('table-dropped', 'The locks table was dropped.')],
  stopped: ['stopped in order', certainly('planned-stop', 'Locket was stopped.')],
};

/** A call without a reply was sent to a process that was down, at about the time of its line minus the time it took. */
function beforeCall(first: Instant, event: LogEvent, { clocks }: Case): Instant {
  const sent = clocks.instantOf(event, event.tookMs);
  if (sent.latestMs === null || sent.latestMs > (first.latestMs ?? Infinity)) return first;
  return { ms: Math.max(first.earliestMs ?? -Infinity, sent.ms - (event.tookMs ?? 0) / 2), earliestMs: first.earliestMs, latestMs: sent.latestMs };
}

/** True if a moment is in a time, as far as its bounds show. */
export function isWithin(at: Instant, from: Instant, to: Instant): boolean {
  return at.ms >= (from.earliestMs ?? from.ms) && at.ms <= (to.latestMs ?? Infinity);
}
