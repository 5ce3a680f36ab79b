// The load that the jobs of deployments put on Locket and its database, as data. It counts calls
// without latency, which makes their number the largest. The names such as B39 are those of the facts
// in docs/understand/behaviour.md.

import { type BoshJob, boshJobs, boshSettings } from '../check-node.js';
import { LocketArgumentError } from '../node.js';
import { assumedProperties, CONVERGENCE, LOCKET } from './bosh-specs.js';
import { type Capacity, capacityOf, usedCapacity } from './capacity.js';
import type { Instances, JobEntry, ManifestJob, ManifestJobs } from './manifest.js';

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

/** The load of jobs with the same name and settings. */
export interface JobLoad {
  job: string;
  kind: 'lock' | 'presence';
  groups: string[];
  instances: number;
  /** Whether the number of instances is known for all groups. */
  areInstancesKnown: boolean;
  ttlMs: number;
  retryIntervalMs: number;
  /** Whether the manifest's settings can be used; otherwise these are the defaults. */
  areSettingsKnown: boolean;
  /** Whether the lease comes from a property without a published spec. */
  isTtlAssumed: boolean;
  /** The calls that write a row. Of all instances of a lock job, one holds the lock and renews it. */
  renewalsPerSecond: number;
  /** The calls of waiters, which read the row and change nothing. */
  collisionsPerSecond: number;
  callsPerSecond: number;
  /** The time from the crash of a client until its row is deleted. */
  rowDeletedMs: Range;
  /** The same until another instance holds the lock; `null` if there is no other, and for presences. */
  replacedMs: Range | null;
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

export interface Range {
  min: number;
  max: number;
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
  const known = new Map(boshJobs().map((job) => [job.job, job]));
  const used = manifests.flatMap(({ jobs }) => jobs).flatMap((entry) => usedBy(entry, known));
  const jobs = withRenewals(merged(used));
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

const isUncounted = ({ instances }: JobEntry) => instances.count === null;
const counted = ({ count }: Instances) => count ?? 1;

/** A job that uses Locket, with its settings. */
interface Used {
  entry: ManifestJob;
  settings: Pick<BoshJob, 'kind' | 'retryIntervalMs' | 'ttlMs'>;
  areSettingsKnown: boolean;
}

function usedBy(entry: ManifestJob, known: ReadonlyMap<string, BoshJob>): Used[] {
  const { job, properties, unknown } = entry;
  const defaults = known.get(job) as BoshJob;
  if (unknown.length > 0) return [{ entry, settings: defaults, areSettingsKnown: false }];
  try {
    const settings = boshSettings({ job, properties });
    return settings === null ? [] : [{ entry, settings, areSettingsKnown: true }];
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    return [{ entry, settings: defaults, areSettingsKnown: false }];
  }
}

/** One entry for each job and settings, without renewals. */
function merged(used: readonly Used[]): JobLoad[] {
  const groups = new Map<string, Used[]>();
  for (const one of used) {
    const { entry, settings, areSettingsKnown } = one;
    const name = [entry.job, settings.ttlMs, settings.retryIntervalMs, areSettingsKnown].join(' ');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return [...groups.values()].map(mergedGroup);
}

function mergedGroup(used: readonly Used[]): JobLoad {
  const entries = used.map(({ entry }) => entry);
  const [{ entry, settings, areSettingsKnown }] = used as [Used];
  const { kind, ttlMs, retryIntervalMs } = settings;
  const instances = sum(entries.map((one) => counted(one.instances)));
  return {
    job: entry.job,
    kind,
    groups: entries.map(({ group }) => group),
    instances,
    areInstancesKnown: !entries.some(isUncounted),
    ttlMs,
    retryIntervalMs,
    areSettingsKnown,
    isTtlAssumed: areSettingsKnown && entries.some(({ properties }) => assumedProperties(Object.keys(properties)).length > 0),
    renewalsPerSecond: 0,
    collisionsPerSecond: 0,
    callsPerSecond: rounded((instances * 1_000) / retryIntervalMs),
    rowDeletedMs: { min: Math.max(0, ttlMs - retryIntervalMs), max: ttlMs },
    replacedMs: null,
  };
}

/**
 * The same with renewals. All instances of a lock job compete for one key, also those in other groups.
 * If their settings differ, any of them may hold it; the one that renews most often counts.
 */
function withRenewals(jobs: readonly JobLoad[]): JobLoad[] {
  return jobs.map((job) => {
    const { kind, callsPerSecond, retryIntervalMs, ttlMs } = job;
    if (kind === 'presence') return { ...job, renewalsPerSecond: callsPerSecond };
    const rivals = jobs.filter((one) => one.job === job.job && one.instances > 0);
    const holder = rivals.reduce<JobLoad | undefined>((best, one) => (best === undefined || one.retryIntervalMs < best.retryIntervalMs ? one : best), undefined);
    const renewalsPerSecond = holder === job ? rounded(1_000 / retryIntervalMs) : 0;
    const isAlone = sum(rivals.map(({ instances }) => instances)) < 2;
    const slowest = Math.max(...rivals.map((one) => one.retryIntervalMs));
    return {
      ...job,
      renewalsPerSecond,
      collisionsPerSecond: rounded(callsPerSecond - renewalsPerSecond),
      replacedMs: isAlone ? null : { min: Math.max(0, ttlMs - retryIntervalMs), max: ttlMs + slowest },
    };
  });
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
    withinMs: Math.max(0, ...jobs.map(({ retryIntervalMs }) => retryIntervalMs)),
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
  const convergenceMs = (given.length === 0 ? CONVERGENCE.defaultSeconds : Math.max(...given)) * 1_000;
  const found = new Map<string, DeadCell>();
  for (const { job, ttlMs, retryIntervalMs, rowDeletedMs } of presences) {
    const name = `${ttlMs} ${retryIntervalMs}`;
    const jobs = [...new Set([...(found.get(name)?.jobs ?? []), job])];
    found.set(name, { jobs, rowDeletedMs, convergenceMs, isConvergenceAssumed: given.length === 0, noticedMaxMs: rowDeletedMs.max + convergenceMs });
  }
  return [...found.values()];
}

const sum = (numbers: readonly number[]) => rounded(numbers.reduce((all, one) => all + one, 0));

/** Without the noise of binary fractions. */
const rounded = (number: number) => Math.round(number * 1e6) / 1e6;
