// Jobs and properties in manifests that are not known, but may matter to Locket.

import { type BoshJob, boshFacts, boshSettings } from 'locket-wasm/check';
import type { BoshInput } from 'locket-wasm/types';

import { boshJob, looksLikeSetting, WITHOUT_LOCK } from './bosh-specs.js';
import { EXIT_UNFINISHED, EXIT_USAGE, Failure } from './command.js';
import type { JobEntry, ManifestJob, ManifestJobs, FilePlace } from './manifest.js';
import { contained, meant, nearest } from './spelling.js';

/** A name in a manifest that is not known. */
export interface Unknown extends FilePlace {
  kind: 'job' | 'property' | 'release';
  group: string;
  job: string;
  /** The job, the property or the release. */
  name: string;
  /** The known name that was probably meant; `null` if none is near. */
  nearest: string | null;
  message: string;
}

/** The unknown names in manifests. */
export function unknownNames(manifests: readonly ManifestJobs[]): Unknown[] {
  const known = boshFacts().jobs;
  return manifests.flatMap(({ jobs, others }) => [
    ...others.flatMap((entry) => unknownJob(entry, known)),
    ...jobs.flatMap((job) => [...foreignRelease(job, known), ...unknownProperties(job, known)]),
  ]);
}

/** A job of a release without other locks is named only if its name is near a known one: manifests have many jobs. */
function unknownJob({ place, group, job, release }: JobEntry, known: readonly BoshJob[]): Unknown[] {
  const names = known.map(({ job: name }) => name);
  const without = WITHOUT_LOCK[release ?? ''];
  if (job === '' || without?.has(job)) return [];
  const near = nearest(job, names) ?? (without === undefined ? null : contained(job, names));
  if (near === null && without === undefined) return [];
  const message = `the job ${job}${without === undefined ? '' : ` of the release ${release}`} is not known, so it is not checked${meant(near)}`;
  return [{ ...place, kind: 'job', group, job, name: job, nearest: near, message }];
}

function foreignRelease({ place, group, job, release, declared }: ManifestJob, known: readonly BoshJob[]): Unknown[] {
  if (declared !== null) return [];
  const own = known.find(({ job: name }) => name === job)?.release ?? '';
  if (release === null || release === own || release.includes('((')) return [];
  const message = `the release ${release} is not known; checked as ${job} of the newest release ${own}`;
  return [{ ...place, kind: 'release', group, job, name: release, nearest: own, message }];
}

/** Only the job's own properties: those of a group or of all are also for other jobs. */
function unknownProperties({ group, job, own, declared }: ManifestJob, known: readonly BoshJob[]): Unknown[] {
  if (declared !== null) return [];
  const names = known.find(({ job: name }) => name === job)?.properties ?? [];
  return own.flatMap(({ name, place }) => {
    if (names.includes(name)) return [];
    const isLike = looksLikeSetting(name);
    const near = nearest(name, names, isLike ? 3 : undefined);
    if (near === null && !isLike) return [];
    return [{ ...place, kind: 'property' as const, group, job, name, nearest: near, message: `the property ${name} is not known, so it is ignored${meant(near)}` }];
  });
}

/** Refuses a property of a job that is not known: a caller who names it means it. */
export function checkProperty(job: string, name: string): void {
  const names = boshJob(job)?.properties;
  if (names === undefined || names.includes(name)) return;
  const own = names.length === 0 ? 'no property sets them' : `it has ${names.join(', ')}`;
  throw new Failure(EXIT_USAGE, `--job-property: ${name} does not affect the settings of ${job}; ${own}${meant(nearest(name, names, 3))}`);
}

/** Refuses a job that keeps nothing in Locket. */
export function checkJob(job: string): void {
  const names = boshFacts().jobs.map(({ job: name }) => name);
  if (names.includes(job)) return;
  throw new Failure(EXIT_USAGE, `--job: ${job} is no job that keeps something in Locket; there are ${names.join(', ')}${meant(nearest(job, names, 3))}`);
}

/** Refuses a job that in this release and with these properties keeps nothing in Locket, or of which it is not known how. */
export function checkKept(bosh: BoshInput): void {
  const settings = boshSettings(bosh);
  if (settings.state === 'kept') return;
  const { state, summary } = settings;
  throw new Failure(state === 'unknown' ? EXIT_UNFINISHED : EXIT_USAGE, `--job: ${summary}`);
}
