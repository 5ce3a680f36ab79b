// The load that the jobs of deployments put on Locket and its database, as data. The names such as B39
// are those of the facts in docs/understand/behaviour.md.

import { boshJobs } from '../check-node.js';
import { CONVERGENCE, LOCKET } from './bosh-specs.js';
import { type Capacity, capacityOf, usedCapacity } from './capacity.js';
import { counted, isUncounted, type JobLoad, jobLoads, largest, type Range, sum, usedJobs } from './job-load.js';
import type { ManifestJobs } from './manifest.js';

/** The load on one Locket: its processes and their database. */
export interface Load {
  /** The manifests whose jobs use it. */
  files: string[];
  /** The number of Locket processes; `null` if it is unknown. */
  processes: number | null;
  /** The jobs; those with the same settings are one. */
  jobs: JobLoad[];
  /** The groups whose number of instances is unknown; each counts as 1 instance. */
  uncounted: { file: string; line: number; column: number; group: string; job: string; reason: string }[];
  /** The instances that call Locket. */
  clients: number;
  /** The keys of locks, and the presences. */
  locks: number;
  presences: number;
  callsPerSecond: number;
  renewalsPerSecond: number;
  collisionsPerSecond: number;
  database: DatabaseLoad;
  restart: Restart;
  deadCells: DeadCell[];
  capacity: Capacity;
}

/** The work of the database. A call is one transaction (B39), and so is a poll (B76). */
export interface DatabaseLoad {
  transactionsPerSecond: number;
  /** Those of polls; `null` if the number of processes is unknown. */
  pollsPerSecond: number | null;
  /** Reads of one row with a lock on it. */
  lockedReadsPerSecond: number;
  writesPerSecond: number;
  /** Rows that the polls of all processes read (B76); `null` if their number is unknown. */
  polledRowsPerSecond: number | null;
}

/** The calls after a restart of all Locket processes or of the database. */
export interface Restart {
  /** All clients call within the longest retry interval. */
  withinMs: number;
  /** The most calls in one second: retries have no jitter (S46). */
  peakCallsPerSecond: number;
  lockCalls: number;
  /** A waiter that starts again fetches the owner (C4). */
  fetchCallsMax: number;
  /** How long Locket takes for these calls at its capacity. */
  servedMs: number;
  /** The shortest deadline of an attempt, and its job; `null` if no attempt has one (C7). */
  deadline: { job: string; ms: number } | null;
}

/** The time until BBS notices a dead cell. */
export interface DeadCell {
  jobs: string[];
  rowDeletedMs: Range;
  convergenceMs: number;
  /** Whether no manifest sets the time between two convergences. */
  isConvergenceAssumed: boolean;
  noticedMaxMs: number;
}

/** A process lists all rows in this interval (B76). */
const POLL_MS = 5_000;

/**
 * The load on each Locket of these manifests. Manifests belong to one Locket, unless several of them
 * have the job locket: then each of those is a Locket, and so is any other, whose Locket is unknown.
 */
export function loadsOf(manifests: readonly ManifestJobs[], capacity?: number): Load[] {
  const isOne = manifests.filter(hasLocket).length < 2;
  const groups = isOne ? [manifests] : manifests.map((one) => [one]);
  return groups.map((group) => loadOf(group, capacity)).filter(({ jobs }) => jobs.length > 0);
}

const locketJobs = ({ others }: ManifestJobs) => others.filter(({ job }) => job === LOCKET);
const hasLocket = (manifest: ManifestJobs) => locketJobs(manifest).some(({ instances }) => instances.count !== 0);

function loadOf(manifests: readonly ManifestJobs[], capacity: number | undefined): Load {
  const used = usedJobs(manifests.flatMap(({ jobs }) => jobs));
  const jobs = jobLoads(used);
  const lockets = manifests.flatMap(locketJobs);
  const processes = lockets.length === 0 || lockets.some(isUncounted) ? null : sum(lockets.map(({ instances }) => counted(instances)));
  const held = jobs.filter(({ instances }) => instances > 0);
  const of = (kind: JobLoad['kind']) => held.filter((job) => job.kind === kind);
  const locks = new Set(of('lock').map(({ job }) => job)).size;
  const presences = sum(of('presence').map(({ instances }) => instances));
  const [callsPerSecond, renewalsPerSecond] = [sum(jobs.map((job) => job.callsPerSecond)), sum(jobs.map((job) => job.renewalsPerSecond))];
  const pollsPerSecond = processes === null ? null : (processes * 1_000) / POLL_MS;
  const restart = restartOf(held, usedCapacity(capacity));
  return {
    files: manifests.map(({ file }) => file),
    processes,
    jobs,
    uncounted: [...used.map(({ entry }) => entry), ...lockets].filter(isUncounted).map(({ place, group, job, instances }) => ({ ...place, group, job, reason: instances.reason })),
    clients: sum(held.map(({ instances }) => instances)),
    locks,
    presences,
    callsPerSecond,
    renewalsPerSecond,
    collisionsPerSecond: sum(jobs.map((job) => job.collisionsPerSecond)),
    database: {
      transactionsPerSecond: sum([callsPerSecond, pollsPerSecond ?? 0]),
      pollsPerSecond,
      lockedReadsPerSecond: callsPerSecond,
      writesPerSecond: renewalsPerSecond,
      polledRowsPerSecond: pollsPerSecond === null ? null : pollsPerSecond * (locks + presences),
    },
    restart,
    deadCells: deadCellsOf(of('presence'), manifests),
    capacity: capacityOf(callsPerSecond, capacity, restart),
  };
}

function restartOf(jobs: readonly JobLoad[], callsMax: number): Restart {
  const runners = new Map(boshJobs().map(({ job, runner }) => [job, runner]));
  const upstream = jobs.filter(({ job }) => runners.get(job) === 'upstream');
  const lockCalls = sum(jobs.map(({ instances }) => instances));
  const contenders = upstream.filter(({ kind }) => kind === 'lock');
  const fetchCallsMax = sum(contenders.map(({ instances }) => instances)) - new Set(contenders.map(({ job }) => job)).size;
  const [first] = [...upstream].sort((a, b) => a.retryIntervalMs - b.retryIntervalMs);
  const peakCallsPerSecond = lockCalls + fetchCallsMax;
  return {
    withinMs: largest(jobs.map(({ retryIntervalMs }) => retryIntervalMs)),
    peakCallsPerSecond,
    lockCalls,
    fetchCallsMax,
    servedMs: Math.ceil((peakCallsPerSecond * 1_000) / callsMax),
    deadline: first === undefined ? null : { job: first.job, ms: first.retryIntervalMs },
  };
}

function deadCellsOf(presences: readonly JobLoad[], manifests: readonly ManifestJobs[]): DeadCell[] {
  const bbs = manifests.flatMap(({ jobs }) => jobs).filter(({ job }) => job === CONVERGENCE.job);
  const given = bbs.map((job) => Number(job.property(CONVERGENCE.property))).filter((seconds) => seconds > 0);
  const convergenceMs = (given.length === 0 ? CONVERGENCE.defaultSeconds : largest(given)) * 1_000;
  const found = new Map<string, DeadCell>();
  for (const { job, ttlMs, retryIntervalMs, rowDeletedMs } of presences) {
    const name = `${ttlMs} ${retryIntervalMs}`;
    const jobs = [...new Set([...(found.get(name)?.jobs ?? []), job])];
    found.set(name, { jobs, rowDeletedMs, convergenceMs, isConvergenceAssumed: given.length === 0, noticedMaxMs: rowDeletedMs.max + convergenceMs });
  }
  return [...found.values()];
}
