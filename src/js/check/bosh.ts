// The facts about Cloud Foundry's own jobs and Locket, by release. The module has the table.

import { boshJobs as jobsOfModule, boshLocket as locketOfModule, boshSettings as settingsOfModule } from '#checker';

import { LocketArgumentError } from '../base/errors.js';
import { jsonText, kindOf, knownFields, optionalText, text } from '../base/checks.js';
import { callWasm } from '../base/wasm.js';
import type { BoshAbsence, BoshJob, BoshLocket, BoshSettings } from './advice-value.js';

/** A job of a BOSH release, as in a manifest. */
export interface BoshInput {
  /** Its name, such as `rep`; see {@link boshFacts}. */
  job: string;
  /**
   * The version of its release, such as `2.102.0`. The newest is assumed if there is none, or
   * `latest` or `create`.
   */
  version?: string;
  /**
   * Its properties by full name, such as `{ 'routing_api.lock_retry_interval': '5s' }`; others are
   * ignored.
   */
  properties?: Record<string, string>;
}

/** Cloud Foundry's jobs that use Locket, and Locket in a version of diego, the newest by default: the facts, each with its source. */
export function boshFacts(diego?: string): { jobs: BoshJob[]; locket: BoshLocket } {
  const version = optionalText('diego', diego);
  return { jobs: JSON.parse(callWasm(() => jobsOfModule())) as BoshJob[], locket: JSON.parse(callWasm(() => locketOfModule(version))) as BoshLocket };
}

/**
 * The settings of a job in a manifest. If its `state` is not `kept`, the job keeps nothing in Locket,
 * or it is not known how, and its `summary` says why.
 *
 * @example
 * ```ts
 * const settings = boshSettings({ job: 'bbs', version: '2.102.0' });
 * if (settings.state === 'kept') await explore({ ...settings.question, latency: '1s', faults: { lostMessage: 1 } });
 * ```
 *
 * @throws `LocketArgumentError` with the name of the invalid member or property
 */
export function boshSettings(input: BoshInput): BoshAbsence | BoshSettings {
  const { job, version, properties } = checkedInput(input);
  const settings = JSON.parse(callWasm(() => settingsOfModule(job, version, properties))) as BoshAbsence | SettingsJson;
  return settings.state === 'kept' ? settingsOf(settings) : settings;
}

/** The input with its properties as JSON. */
export function checkedInput(input: BoshInput): { job: string; version: string; properties: string } {
  knownFields('bosh', input, new Set(['job', 'properties', 'version']));
  const { job, version, properties = {} } = input;
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
    throw new LocketArgumentError('properties', `expected an object, not ${kindOf(properties)}`);
  }
  for (const [name, value] of Object.entries(properties)) text(`properties.${name}`, value);
  return { job: text('job', job), version: optionalText('version', version), properties: jsonText('properties', properties) };
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
