// The settings of Cloud Foundry's own jobs, by the names that BOSH manifests give them. The module knows the jobs.

import { boshJobs as jobsOfModule, boshSettings as settingsOfModule } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { jsonText, kindOf, knownFields, text } from '../base/checks.js';
import { callWasm } from '../base/wasm.js';
import type { Question } from './question.js';
import type { RunnerName } from '../base/lock-settings.js';

/** A job of a BOSH release, as in a manifest. */
export interface BoshInput {
  /** Its name, such as `rep`; see {@link boshJobs}. */
  job: string;
  /**
   * Its properties by full name, such as `{ 'routing_api.lock_retry_interval': '5s' }`; others are
   * ignored.
   */
  properties?: Record<string, string>;
}

/** A job that keeps a lock or a presence in Locket. */
export interface BoshJob {
  job: string;
  /** Its BOSH release. */
  release: string;
  kind: 'lock' | 'presence';
  runner: RunnerName;
  /** Its default lease. */
  ttlMs: number;
  /** Its default retry interval. */
  retryIntervalMs: number;
  /** The properties that affect the settings, or seem to. */
  properties: string[];
}

/** A job's settings, as its manifest sets them. */
export interface BoshSettings extends Omit<BoshJob, 'properties'> {
  /** Whether no property sets the lease. */
  isTtlFixed: boolean;
  /** Whether no property sets the retry interval. */
  isRetryIntervalFixed: boolean;
  /** The given properties that have no effect. */
  ignored: string[];
  /** A description, as a sentence. */
  summary: string;
  /**
   * The question about the settings. For a lock: can there be two owners? For a presence: can it be
   * missing? Add the faults.
   */
  question: Question;
}

/** Cloud Foundry's jobs that use Locket and whose settings are known. */
export function boshJobs(): BoshJob[] {
  const jobs = JSON.parse(callWasm(() => jobsOfModule())) as (Omit<BoshJob, 'retryIntervalMs' | 'ttlMs'> & { ttl: number; retryInterval: number })[];
  return jobs.map(({ ttl, retryInterval, properties, ...job }) => ({ ...job, ttlMs: ttl, retryIntervalMs: retryInterval, properties }));
}

/**
 * The settings of a job in a manifest; `null` if the job does not use Locket with these properties.
 *
 * @example
 * ```ts
 * const { question, summary } = boshSettings({ job: 'rep', properties: { 'diego.rep.locket.lock_ttl': '45s' } });
 * const { verdict } = await explore({ ...question, latency: '1s', pause: '20s' });
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid job or property
 */
export function boshSettings(input: BoshInput): BoshSettings | null {
  const { job, properties } = checkedInput(input);
  const json = callWasm(() => settingsOfModule(job, properties));
  return json === undefined ? null : settingsOf(JSON.parse(json) as SettingsJson);
}

/** The input with its properties as JSON. */
export function checkedInput(input: BoshInput): { job: string; properties: string } {
  knownFields('bosh', input, new Set(['job', 'properties']));
  const { job, properties = {} } = input;
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    throw new LocketArgumentError('properties', `expected an object, not ${kindOf(properties)}`);
  }
  for (const [name, value] of Object.entries(properties)) text(`properties.${name}`, value);
  return { job: text('job', job), properties: jsonText('properties', properties) };
}

/** A job's settings in the module's form. */
export interface SettingsJson {
  summary: string;
  job: string;
  release: string;
  kind: 'lock' | 'presence';
  runner: RunnerName;
  ttl: { value: number; isFixed: boolean };
  retryInterval: { value: number; isFixed: boolean };
  ignored: string[];
  clients: number;
  gap: boolean;
}

/** The settings in the users' form. */
export function settingsOf({ ttl, retryInterval, clients, gap, ...rest }: SettingsJson): BoshSettings {
  const { kind, runner } = rest;
  return {
    ...rest,
    ttlMs: ttl.value,
    retryIntervalMs: retryInterval.value,
    isTtlFixed: ttl.isFixed,
    isRetryIntervalFixed: retryInterval.isFixed,
    question: {
      runner,
      kind,
      profile: 'upstream',
      ttl: `${ttl.value}ms`,
      retryInterval: `${retryInterval.value}ms`,
      clients: Array.from({ length: clients }, () => ({})),
      property: gap ? { is: 'presence-gap', allow: '0s' } : { is: 'one-owner' },
    },
  };
}
