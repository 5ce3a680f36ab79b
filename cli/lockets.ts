// The Lockets of deployments: which manifests share one, and how many processes it has.

import { LOCKET } from './bosh-specs.js';
import type { ManifestJobs } from './manifest.js';

/**
 * The number of Locket processes by manifest; a manifest without an entry does not say it. Manifests
 * belong to one Locket, unless several of them have the job locket: then each has its own.
 */
export function locketProcesses(manifests: readonly ManifestJobs[]): Map<string, number> {
  const isOne = manifests.filter((one) => locketJobs([one]).some(({ instances }) => instances !== 0)).length < 2;
  const groups = isOne ? [manifests] : manifests.map((one) => [one]);
  return new Map(groups.flatMap((group) => processesOf(group)));
}

function processesOf(manifests: readonly ManifestJobs[]): [file: string, processes: number][] {
  const counts = locketJobs(manifests).map(({ instances }) => instances);
  const processes = counts.reduce<number>((sum, count) => sum + (count ?? Number.NaN), 0);
  return processes > 0 ? manifests.map(({ file }) => [file, processes]) : [];
}

const locketJobs = (manifests: readonly ManifestJobs[]) => manifests.flatMap(({ others }) => others.filter(({ job }) => job === LOCKET));
