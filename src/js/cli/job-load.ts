// The calls of the jobs in manifests: who renews, who collides, and when a crash shows. Counted without
// latency, which makes their number the largest.

import { type BoshJob, boshJobs, boshSettings } from '../check-node.js';
import { LocketArgumentError } from '../node.js';
import { assumedProperties } from './bosh-specs.js';
import type { Instances, JobEntry, ManifestJob } from './manifest.js';

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

/** Milliseconds. */
export interface Range {
  min: number;
  max: number;
}

/** A job that uses Locket, with its settings. */
export interface Used {
  entry: ManifestJob;
  settings: Pick<BoshJob, 'kind' | 'retryIntervalMs' | 'ttlMs'>;
  areSettingsKnown: boolean;
}

/** The jobs that keep a lock or presence with their settings. */
export function usedJobs(entries: readonly ManifestJob[]): Used[] {
  const known = new Map(boshJobs().map((job) => [job.job, job]));
  return entries.flatMap((entry) => usedBy(entry, known));
}

/** The load of these jobs, one entry for each job and settings. */
export const jobLoads = (used: readonly Used[]): JobLoad[] => withRenewals(merged(used));

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
    const slowest = largest(rivals.map((one) => one.retryIntervalMs));
    return {
      ...job,
      renewalsPerSecond,
      collisionsPerSecond: rounded(callsPerSecond - renewalsPerSecond),
      replacedMs: isAlone ? null : { min: Math.max(0, ttlMs - retryIntervalMs), max: ttlMs + slowest },
    };
  });
}

/** Whether the number of instances is unknown. */
export const isUncounted = ({ instances }: JobEntry) => instances.count === null;

/** The number that counts: 1 if it is unknown. */
export const counted = ({ count }: Instances) => count ?? 1;

/** A sum without the noise of binary fractions. */
export const sum = (numbers: readonly number[]) => rounded(numbers.reduce((all, one) => all + one, 0));

/** The largest number, or 0; a call with all of them would fail for very many. */
export const largest = (numbers: readonly number[]) => numbers.reduce((most, one) => Math.max(most, one), 0);

const rounded = (number: number) => Math.round(number * 1e6) / 1e6;
