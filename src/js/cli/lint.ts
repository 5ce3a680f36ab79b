// `locket-wasm advise --manifest`: a verdict on each job of a manifest that uses Locket.

import { type Advice, type AdviseQuestion, boshSettings } from '../check-node.js';
import { LocketArgumentError } from '../node.js';
import { type FilePlace, type ManifestJob, manifestJobs } from './manifest.js';
import type { Judgement } from './verdict-look.js';

/** The verdict on a job in a manifest. */
export interface Finding extends FilePlace {
  group: string;
  job: string;
  /**
   * Whether its settings are safe and owners keep their locks. `invalid`: the job cannot work with
   * them. `unset`: a variable has no value.
   */
  verdict: Judgement;
  /** The verdict in one line. */
  message: string;
  /** The full advice, if the job could be checked. */
  advice: Advice | null;
}

/** A manifest, with its name in findings. */
export interface ManifestText {
  file: string;
  text: string;
}

/** Checks every job in manifests with `ask`. Jobs with the same settings are checked once. */
export async function lint(
  manifests: readonly ManifestText[],
  variables: ReadonlyMap<string, string>,
  ask: (bosh: AdviseQuestion) => Promise<Advice>,
): Promise<Finding[]> {
  const known = new Map<string, Promise<Advice>>();
  const findings: Finding[] = [];
  // All manifests are read before the first check, so that errors come at once.
  const jobs = manifests.flatMap(({ file, text }) => manifestJobs(file, text, variables));
  for (const job of jobs) findings.push(...(await judge(job, known, ask)));
  return findings;
}

async function judge(
  { place, group, job, properties, places, unknown }: ManifestJob,
  known: Map<string, Promise<Advice>>,
  ask: (bosh: AdviseQuestion) => Promise<Advice>,
): Promise<Finding[]> {
  const finding = { ...place, group, job, advice: null };
  const [variable] = unknown;
  if (variable !== undefined) {
    const { name, place: there } = variable;
    return [{ ...finding, ...there, verdict: 'unset', message: `unknown: the variable ((${name})) has no value; pass --set ${name}=VALUE` }];
  }
  try {
    const bosh = { job, properties };
    const settings = boshSettings(bosh);
    if (settings === null) return [];
    const { summary, ignored } = settings;
    const [decides] = Object.keys(places).filter((name) => !ignored.includes(name));
    const asked = known.get(summary) ?? ask({ bosh });
    known.set(summary, asked);
    const advice = await asked;
    const there = decides === undefined ? place : places[decides];
    return [{ ...finding, ...there, verdict: advice.overall, message: advice.summary, advice }];
  } catch (error) {
    if (!(error instanceof LocketArgumentError) || !error.field.startsWith('properties.')) throw error;
    const property = error.field.slice('properties.'.length);
    const message = `invalid: ${error.message.slice('properties.'.length)}`;
    return [{ ...finding, ...places[property], verdict: 'invalid', message }];
  }
}
