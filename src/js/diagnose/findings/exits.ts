// Processes that ended with a failure, by the last line of their main program. Ends that follow each
// other without a success between them are one state: the process does not come up.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import { endOf } from '../errors/error.js';
import type { LogEvent, Machine } from '../evidence.js';
import { between, type Instant } from '../instant.js';
import { type Circumstance, explanationOf } from './circumstance.js';
import { about, type Cause, causeOf, certainly, found, likely, quoted, span } from './finding.js';

const ENDS = new Set(['client-exited', 'client-unconnected', 'locket-exited', 'locket-failed', 'locket-not-listening']);
/** Lines of a process that has come up. */
const GOOD = new Set(['client-acquired', 'locket-started', 'inserted', 'renewed', 'collision']);
/** Lines about one end. */
const TOGETHER_MS = 2_000;
/** A loss that a client logs explains its end. */
const EXPLAINED_MS = 10_000;

/** One for each end, or for ends that follow each other. */
export function exits(whole: Case, circumstances: readonly Circumstance[]): Circumstance[] {
  return whole.machines.flatMap((machine) => runsOf(machine).flatMap((run) => ofRun(run, machine, whole, circumstances)));
}

/** Ends in a row, with the lines before and after them that show that the process was up. */
interface Run {
  before: LogEvent | undefined;
  ends: LogEvent[];
  after: LogEvent | undefined;
}

/** All of a machine, in their order. */
export function runsOf({ events }: Machine): Run[] {
  const runs: Run[] = [];
  let run: Run = { before: undefined, ends: [], after: undefined };
  for (const event of events) {
    const last = run.ends[run.ends.length - 1];
    if (ENDS.has(event.kind) && isOfLocks(event)) {
      if (last === undefined || event.atMs - last.atMs > TOGETHER_MS) run.ends.push(event);
    } else if (last === undefined) run.before = event;
    else if (GOOD.has(event.kind) || event.otherOwner !== '') {
      runs.push({ ...run, after: event });
      run = { before: event, ends: [], after: undefined };
    }
  }
  return run.ends.length === 0 ? runs : [...runs, run];
}

/** A program that has to do with no lock has other reasons to end. */
function isOfLocks({ kind, machine, error }: LogEvent): boolean {
  return kind !== 'client-exited' || /\block|rpc error|locket/i.test(error) || machine.events.some((event) => event.kind !== 'client-exited');
}

function ofRun({ before, ends, after }: Run, machine: Machine, whole: Case, circumstances: readonly Circumstance[]): Circumstance[] {
  const [first] = ends as [LogEvent];
  const isLoop = ends.length > 1;
  // The end of a belief is a finding of its own.
  if (!isLoop && (isExplained(first, machine) || whole.clients.some(({ beliefs }) => beliefs.some(({ lost }) => lost === first)))) return [];
  const { clocks, endMs } = whole;
  const [own, ...others] = whole.clients.filter((one) => one.machine === machine);
  const client = others.length === 0 ? own : undefined;
  const name = machine.isLocket ? `Locket ${quoted(machine.name)}` : machine.name;
  const since = clocks.instantOf(first);
  const last = clocks.instantOf(ends.at(-1) ?? first);
  const from = isLoop ? between(before === undefined ? null : clocks.instantOf(before), since, since.ms) : since;
  const until = after === undefined ? { ms: Math.max(endMs, last.ms), earliestMs: last.earliestMs, latestMs: null } : between(last, clocks.instantOf(after), clocks.instantOf(after).ms);
  const to = isLoop ? until : since;
  const length = after === undefined ? `until the end of the logs, at least ${span(last.ms - since.ms)}` : `for ${about(to.ms - from.ms)}`;
  const kind = isLoop ? 'restart-loop' : 'process-exited';
  const told = () => ({
    key: client?.key ?? null,
    owners: client === undefined ? [] : [client.owner],
    processes: [machine.name],
    summary: isLoop ? `${name} did not come up ${length}: it ended ${counted(ends.length, 'time')} with a failure.` : `${name} ended with a failure.`,
    cause: causeOfExit(first, since, circumstances),
    lines: [...ends.slice(0, 4), ...ends.slice(-2), after],
  });
  return [found(first.kind === 'client-exited' && first.isOfOther ? 'warning' : 'incident', kind, 'certain', { from, to, isOpen: isLoop && after === undefined }, told, likely(kind, `${name} ended with a failure.`))];
}

/** True if another line says why the process ended. */
function isExplained(end: LogEvent, { events, isLocket }: Machine): boolean {
  const kinds = isLocket ? ['locket-unrecoverable', 'health-check-failed'] : ['client-lost'];
  return end.kind !== 'client-unconnected' && events.some(({ kind, atMs }) => kinds.includes(kind) && atMs <= end.atMs && end.atMs - atMs < EXPLAINED_MS);
}

function causeOfExit(event: LogEvent, at: Instant, circumstances: readonly Circumstance[]): Cause {
  const meaning = endOf(event);
  const explanation = event.machine.isLocket ? undefined : explanationOf(meaning.kind, circumstances, at);
  if (explanation !== undefined) return explanation;
  return meaning.kind === 'timeout' && event.kind === 'client-unconnected' ? certainly('no-connection', 'It had no connection to Locket in time.') : causeOf(meaning);
}
