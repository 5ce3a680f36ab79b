// The settings of Cloud Foundry's own jobs, by the names that BOSH manifests give them. The module knows the jobs.

import { boshJobs as jobsOfModule, boshSettings as settingsOfModule } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { jsonText, kindOf, knownFields, text } from '../base/checks.js';
import { callWasm } from '../base/wasm.js';
import type { BoshJob, BoshSettings } from './advice-value.js';

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

/** Cloud Foundry's jobs that use Locket and whose settings are known. */
export function boshJobs(): BoshJob[] {
  return JSON.parse(callWasm(() => jobsOfModule())) as BoshJob[];
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

/** A job's settings in the module's form: of the question they say only what the job decides. */
export type SettingsJson = Omit<BoshSettings, 'question'> & { clients: number; isAboutGap: boolean };

/** The settings with their question. */
export function settingsOf({ clients, isAboutGap, ...settings }: SettingsJson): BoshSettings {
  const { kind, runner, ttlMs, retryIntervalMs } = settings;
  return {
    ...settings,
    question: {
      runner,
      kind,
      profile: 'upstream',
      ttl: `${ttlMs}ms`,
      retryInterval: `${retryIntervalMs}ms`,
      clients: Array.from({ length: clients }, () => ({})),
      property: isAboutGap ? { is: 'presence-gap', allow: '0s' } : { is: 'one-owner' },
    },
  };
}
