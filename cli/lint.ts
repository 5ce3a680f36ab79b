// `locket-wasm advise --manifest`: a verdict on each job of a manifest that uses Locket.

import { LocketArgumentError } from 'locket-wasm';
import { type Advice, type AdviseQuestion, boshSettings, type Question } from 'locket-wasm/check';

import { assumedProperties, boshJob, looksLikeSetting } from './bosh-specs.js';
import { declaredSummary, questionOfDeclared } from './declared-jobs.js';
import type { FilePlace, ManifestJob } from './manifest.js';
import type { Judgement } from './verdict-look.js';

/** The verdict on a job in a manifest. */
export interface JobFinding extends FilePlace {
  group: string;
  job: string;
  /**
   * Whether its settings are safe and owners keep their locks. `unknown` also if its release is from
   * before Locket, not known well enough, or its version is not understood. `invalid`: the job cannot work with them. `off`: it
   * keeps nothing in Locket. `unset`: a variable has no value.
   */
  verdict: Judgement;
  /** The verdict in one line. */
  message: string;
  /** The full advice, if the job could be checked. */
  advice: Advice | null;
  /** The question about its settings, without faults, if the job could be checked. */
  question: Question | null;
  /** The declaration of a job that is not in the table, as a sentence; otherwise `null`. */
  declared: string | null;
  /** The properties that the verdict or its alternatives use without a published spec. */
  assumed: string[];
}

/** Asks for advice, once for all questions with the same name. */
type Ask = (name: string, question: AdviseQuestion) => Promise<Advice>;

/** Checks jobs of manifests with `ask`. Jobs with the same settings are checked once. */
export async function lint(jobs: readonly ManifestJob[], ask: (question: AdviseQuestion) => Promise<Advice>): Promise<JobFinding[]> {
  const known = new Map<string, Promise<Advice>>();
  const once: Ask = (name, question) => {
    const asked = known.get(name) ?? ask(question);
    known.set(name, asked);
    return asked;
  };
  const findings: JobFinding[] = [];
  for (const job of jobs) findings.push({ ...open(job), ...(await judge(job, once)) });
  return findings;
}

/** The finding before anything is known. */
function open({ place, group, job }: ManifestJob): JobFinding {
  return { ...place, group, job, verdict: 'unknown', message: '', advice: null, question: null, declared: null, assumed: [] };
}

async function judge(entry: ManifestJob, ask: Ask): Promise<Partial<JobFinding>> {
  const { declared, instances, job } = entry;
  if (instances === 0) return { verdict: 'off', message: `${job} has 0 instances` };
  if (declared !== null) {
    const question = questionOfDeclared(declared);
    return { ...judged(await ask(JSON.stringify(question), question)), question, declared: declaredSummary(declared) };
  }
  return unset(entry) ?? (await judgeKnown(entry, ask));
}

const judged = (advice: Advice) => ({ verdict: advice.overall, message: advice.summary, advice });

/** The finding about the first variable without a value. */
function unset({ unknown, version }: ManifestJob): Partial<JobFinding> | null {
  const [ofVersion] = version?.unknown ?? [];
  const [variable] = unknown;
  const [name, place] = ofVersion === undefined ? [variable?.name, variable?.place] : [ofVersion, version?.place];
  return name === undefined ? null : { ...place, verdict: 'unset', message: `unknown: the variable ((${name})) has no value; pass --set ${name}=VALUE` };
}

async function judgeKnown({ job, properties, places, version }: ManifestJob, ask: Ask): Promise<Partial<JobFinding>> {
  const given = Object.keys(properties);
  try {
    const bosh = { job, properties, ...(version !== null && { version: version.text }) };
    const settings = boshSettings(bosh);
    if (settings.state !== 'kept') {
      const place = settings.property === null ? version?.place : places[settings.property];
      const isOff = settings.state === 'off';
      return { ...place, verdict: isOff ? 'off' : 'unknown', message: isOff ? settings.summary : `not judged: ${settings.summary}` };
    }
    const { ignored, notes, question, summary } = settings;
    const advice = await ask([summary, ...notes].join('\n'), { bosh });
    const decides = Object.keys(places).find((name) => setsTime(job, name) && !ignored.includes(name));
    return { ...(decides !== undefined && places[decides]), ...judged(advice), question, assumed: assumedProperties(given, advice) };
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    if (error.field === 'version') return { ...version?.place, verdict: 'unknown', message: `not judged: ${error.message}` };
    if (!error.field.startsWith('properties.')) throw error;
    const property = error.field.slice('properties.'.length);
    return { ...places[property], verdict: 'invalid', message: `invalid: ${error.message.slice('properties.'.length)}`, assumed: assumedProperties(given) };
  }
}

/** Whether a property of the table is about a time, and no switch. */
const setsTime = (job: string, name: string): boolean => boshJob(job)?.properties.includes(name) === true && looksLikeSetting(name);
