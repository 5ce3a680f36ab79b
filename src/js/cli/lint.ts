// `locket-wasm advise --manifest`: a verdict on each job of a manifest that uses Locket.

import { type Advice, type AdviseQuestion, boshSettings } from '../check-node.js';
import { LocketArgumentError } from '../node.js';
import { assumedProperties } from './bosh-specs.js';
import type { FilePlace, ManifestJob } from './manifest.js';
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
  /** The properties that the verdict or its alternatives use without a published spec. */
  assumed: string[];
}

/** Checks jobs of manifests with `ask`. Jobs with the same settings are checked once. */
export async function lint(jobs: readonly ManifestJob[], ask: (bosh: AdviseQuestion) => Promise<Advice>): Promise<Finding[]> {
  const known = new Map<string, Promise<Advice>>();
  const findings: Finding[] = [];
  for (const job of jobs) findings.push(...(await judge(job, known, ask)));
  return findings;
}

async function judge(
  { place, group, job, properties, places, unknown }: ManifestJob,
  known: Map<string, Promise<Advice>>,
  ask: (bosh: AdviseQuestion) => Promise<Advice>,
): Promise<Finding[]> {
  const finding = { ...place, group, job, advice: null, assumed: assumedProperties(Object.keys(properties)) };
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
    const assumed = assumedProperties(Object.keys(properties), advice);
    return [{ ...finding, ...there, verdict: advice.overall, message: advice.summary, advice, assumed }];
  } catch (error) {
    if (!(error instanceof LocketArgumentError) || !error.field.startsWith('properties.')) throw error;
    const property = error.field.slice('properties.'.length);
    const message = `invalid: ${error.message.slice('properties.'.length)}`;
    return [{ ...finding, ...places[property], verdict: 'invalid', message }];
  }
}
