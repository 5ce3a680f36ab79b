// What else to know of the jobs in manifests: versions that decide nothing, jobs that compete with other
// settings, and what Locket of that release does. Notes change no verdict.

import { LocketArgumentError } from 'locket-wasm';
import { boshFacts } from 'locket-wasm/check';
import type { BoshLocket } from 'locket-wasm/types';

import { DIEGO } from './bosh-specs.js';
import type { JobFinding } from './lint.js';
import type { FilePlace, ManifestJob, ManifestJobs, ReleaseVersion } from './manifest.js';

/** A note about a manifest. */
export interface Note extends FilePlace {
  /**
   * `instances`: one instance has no rival. `locket`: what Locket of that release does. `rivals`: jobs
   * with other settings want the same lock. `version`: the version of a release as it was taken.
   */
  kind: 'instances' | 'locket' | 'rivals' | 'version';
  /** Its instance group or addon, or `releases`. */
  group: string;
  /** The job, or the release. */
  job: string;
  message: string;
}

/** The notes about manifests and the findings in them. */
export function notesOf(manifests: readonly ManifestJobs[], findings: readonly JobFinding[]): Note[] {
  const isJudged = findings.some(({ advice }) => advice !== null);
  return [...manifests.flatMap((manifest) => [...versions(manifest), ...(isJudged ? locket(manifest) : [])]), ...lonely(manifests, findings), ...rivals(findings)];
}

/** A version that is not one of the table's form, once for each release. */
function versions({ jobs }: ManifestJobs): Note[] {
  const found = new Map<string, Note>();
  for (const { declared, release, version } of jobs) {
    if (version === null || declared !== null || version.unknown.length > 0) continue;
    const message = aboutVersion(version);
    if (message !== null) found.set(version.text, { ...version.place, kind: 'version', group: 'releases', job: release ?? '', message });
  }
  return [...found.values()];
}

/** Locket of diego in this version; `null` if the version is not understood, as the findings about its jobs say. */
function locketOf({ text }: ReleaseVersion): BoshLocket | null {
  try {
    return boshFacts(text).locket;
  } catch (error) {
    if (error instanceof LocketArgumentError) return null;
    throw error;
  }
}

function aboutVersion(release: ReleaseVersion): string | null {
  const version = locketOf(release)?.version;
  const { text } = release;
  const shown = text.slice(0, 40);
  if (version === null) return text === '' ? 'the release has no version; assumed: newest' : `the version ${shown} names no release; assumed: newest`;
  return version !== undefined && /[-+]/.test(text) ? `the version ${shown} is judged as ${version}` : null;
}

function locket({ locket: diego }: ManifestJobs): Note[] {
  const known = diego && locketOf(diego);
  if (diego === null || known === null) return [];
  const { cancels, isThere, summary } = known;
  return isThere && cancels === false ? [] : [{ ...diego.place, kind: 'locket', group: 'releases', job: DIEGO, message: summary }];
}

/** Locks that only one instance of all manifests wants. */
function lonely(manifests: readonly ManifestJobs[], findings: readonly JobFinding[]): Note[] {
  const counts = new Map<string, number | null>();
  const jobs = manifests.flatMap((one) => one.jobs);
  const add = ({ job, instances: count }: ManifestJob) => counts.set(job, count === null || counts.get(job) === null ? null : (counts.get(job) ?? 0) + count);
  jobs.forEach(add);
  const locks = findings.filter(({ job, question }) => question?.kind === 'lock' && counts.get(job) === 1);
  return locks.map(({ file, line, column, group, job }) => ({ file, line, column, kind: 'instances', group, job, message: 'only 1 instance wants this lock; it is checked as if there were 2' }));
}

/** Jobs of one name whose groups have other settings: each is checked against its own kind only. */
function rivals(findings: readonly JobFinding[]): Note[] {
  const locks = findings.filter(({ question }) => question?.kind === 'lock');
  return locks.flatMap((finding, index) => {
    const { file, line, column, group, job, question } = finding;
    const other = locks.slice(0, index).find((one) => one.job === job && JSON.stringify(one.question) !== JSON.stringify(question));
    if (other === undefined) return [];
    return [{ file, line, column, kind: 'rivals', group, job, message: `${job} of ${other.group} wants the same lock with other settings; each is checked against its own` }];
  });
}
