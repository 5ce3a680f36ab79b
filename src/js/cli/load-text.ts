// A load on Locket in words and as a table, for terminals and reports.

import { columns, counted, number, printable } from '../base/text.js';
import { length } from '../picture.js';
import type { JobLoad, Range } from './job-load.js';
import type { Load } from './load.js';
import type { Paint } from './terminal.js';

/** The name of a load: its manifests. */
export const loadName = ({ files }: Load): string => `Load on Locket: ${files.join(', ')}`;

/** The look of a load: the one of its capacity. */
export const LOAD_LOOKS = {
  exceeded: { mark: '✗', colour: 'red', section: 'unsafe' },
  fits: { mark: '✓', colour: 'green', section: 'safe' },
  warning: { mark: '!', colour: 'yellow', section: 'unknown' },
} as const;

export const LOAD_HEADS = ['job', 'kind', 'instances', 'TTL', 'retry', 'calls/s', 'renewals/s', 'collisions/s', 'after a crash'];

/** The jobs of a load, a line each, and their sum. */
export function loadRows(load: Load): string[][] {
  const { jobs, clients, callsPerSecond, renewalsPerSecond, collisionsPerSecond } = load;
  const calls = (one: Pick<Load, 'callsPerSecond' | 'collisionsPerSecond' | 'renewalsPerSecond'>) =>
    [one.callsPerSecond, one.renewalsPerSecond, one.collisionsPerSecond].map(number);
  const rows = jobs.map((job) => [job.job, job.kind, instancesOf(job), ttlOf(job), length(job.retryIntervalMs), ...calls(job), afterCrash(job)]);
  return jobs.length === 1 ? rows : [...rows, ['all', '', number(clients), '', '', ...calls({ callsPerSecond, renewalsPerSecond, collisionsPerSecond }), '']];
}

const instancesOf = ({ instances, areInstancesKnown }: JobLoad) => `${number(instances)}${areInstancesKnown ? '' : ' (unknown)'}`;

function ttlOf({ ttlMs, areSettingsKnown, isTtlAssumed }: JobLoad): string {
  return `${length(ttlMs)}${areSettingsKnown ? (isTtlAssumed ? ' (assumed)' : '') : ' (default)'}`;
}

function afterCrash({ kind, rowDeletedMs, replacedMs, instances }: JobLoad): string {
  if (instances === 0) return '';
  if (kind === 'presence') return `row deleted in ${range(rowDeletedMs)}`;
  return replacedMs === null ? 'no other instance' : `next holder in ${range(replacedMs)}`;
}

/** Facts about a load, a sentence or two each. */
export function loadLines(load: Load): string[] {
  const contended = contendedJobs(load);
  return [
    `Resources: ${counted(load.locks, 'lock')} and ${counted(load.presences, 'presence')}, kept by ${counted(load.clients, 'client')}.`,
    ...(contended.length === 0 ? [] : [`Contention: the instances of ${contended.join(', ')} compete for one key each. One renews it, the others collide.`]),
    databaseLine(load),
    restartLine(load),
    ...load.deadCells.map(({ jobs, rowDeletedMs, convergenceMs, isConvergenceAssumed, noticedMaxMs }) => {
      const source = isConvergenceAssumed ? `Assumed: bbs converges every ${length(convergenceMs)}, its default` : `bbs converges every ${length(convergenceMs)}`;
      return `A dead cell (${jobs.join(', ')}): Locket deletes its row ${range(rowDeletedMs)} after the crash; bbs notices at most ${length(noticedMaxMs)} after it. ${source}.`;
    }),
    ...load.uncounted.map(({ file, line, column, group, job, reason }) => `Instances unknown, counted as 1: ${file}:${line}:${column}: ${group}/${job}: ${reason}.`),
    capacityLine(load),
  ];
}

/** The whole, for a terminal. */
export function loadText(load: Load, paint: Paint): string {
  const { mark, colour } = LOAD_LOOKS[load.capacity.verdict];
  const lines = [...columns([LOAD_HEADS, ...loadRows(load)]), ...loadLines(load).map(printable)];
  return [`${paint(colour, mark)} ${printable(loadName(load))}`, ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** The verdict on the capacity. */
export function capacityLine({ capacity, callsPerSecond, uncounted }: Load): string {
  const { callsPerSecond: most, isMeasured, share, verdict, reasons } = capacity;
  const source = isMeasured ? ', measured on one process with PostgreSQL 15 and 2 cores; pass --capacity for yours' : '';
  const why = reasons.length === 0 ? '' : ` ${verdict === 'exceeded' ? 'Failed' : 'Warning'}: ${reasons.join('; ')}.`;
  return `Capacity: ${uncounted.length === 0 ? '' : 'at least '}${number(callsPerSecond)} of ${number(most)} calls/s (${percent(share)})${source}.${why}`;
}

function contendedJobs({ jobs }: Load): string[] {
  const locks = [...new Set(jobs.filter(({ kind }) => kind === 'lock').map(({ job }) => job))];
  const instances = (name: string) => jobs.filter(({ job }) => job === name).reduce((all, one) => all + one.instances, 0);
  return locks.filter((name) => instances(name) > 1).map((name) => `${name} (${instances(name)})`);
}

function databaseLine({ database, processes, locks, presences }: Load): string {
  const { transactionsPerSecond, pollsPerSecond, lockedReadsPerSecond, writesPerSecond, polledRowsPerSecond } = database;
  const rows = counted(locks + presences, 'row');
  const calls = `${counted(lockedReadsPerSecond, 'read')}/s with a row lock and ${counted(writesPerSecond, 'write')}/s`;
  const total = `Database: ${counted(transactionsPerSecond, 'transaction')}/s`;
  if (pollsPerSecond === null || polledRowsPerSecond === null) return `${total} of calls: ${calls}. Each Locket process also lists ${rows} every 5 s; the number of processes is unknown.`;
  const polls = `${counted(processes ?? 0, 'Locket process', 'Locket processes')} ${processes === 1 ? 'lists' : 'list'} ${rows} every 5 s`;
  return `${total}, of which ${number(pollsPerSecond)} are polls. Calls make ${calls}. ${polls}: ${number(polledRowsPerSecond)} rows/s.`;
}

function restartLine({ restart, clients }: Load): string {
  const { withinMs, peakCallsPerSecond, lockCalls, fetchCallsMax, servedMs } = restart;
  const fetches = fetchCallsMax === 0 ? '' : `: ${number(lockCalls)} Lock, and ${number(fetchCallsMax)} Fetch if waiters start again`;
  return `After a restart of all Locket processes or of the database: ${clients === 1 ? 'the client calls' : `all ${number(clients)} clients call`} within ${length(withinMs)}. Up to ${counted(peakCallsPerSecond, 'call')} can come in the same second${fetches}. At this capacity they take ${servedMs < 100 ? `${servedMs} ms` : length(servedMs)}.`;
}

const range = ({ min, max }: Range) => `${min / 1_000} to ${length(max)}`;

/** At least two digits. */
function percent(share: number): string {
  return share < 0.001 ? 'under 0.1 %' : `${(share * 100).toPrecision(share < 1 ? 2 : 3)} %`;
}
