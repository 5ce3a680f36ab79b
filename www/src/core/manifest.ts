// The jobs of a BOSH manifest that keep something in Locket, with their settings. Knows YAML and the shape of manifests; the package knows
// the jobs. Loaded with the Worker when the user pastes a manifest.

import { boshFacts, boshSettings } from 'locket-wasm/check';
import type { BoshSettings } from 'locket-wasm/types';
import { isMap, parseDocument } from 'yaml';

/** A job of a manifest and the settings that it gives the job. */
export type ManifestJob = { group: string; settings: BoshSettings };

interface Listed { name?: unknown; properties?: unknown; jobs?: unknown; release?: unknown; version?: unknown }

/** The largest text that is read; real manifests have some hundred kilobytes. */
const LENGTH_MAX = 4 << 20;

/** Throws what is wrong with the text, and what to do about it. */
export function manifestJobs(text: string): ManifestJob[] {
  if (text.length > LENGTH_MAX) throw new Error('The text is longer than 4 MiB. Paste the manifest of one deployment.');
  const root = rootOf(text);
  const known = new Map(boshFacts().jobs.map((job) => [job.job, job]));
  const versions = new Map(listOf(root['releases']).map(({ name, version }) => [name, version]));
  const reasons: string[] = [];
  const found = ['instance_groups', 'addons'].flatMap((section) => listOf(root[section]).flatMap((group) => listOf(group.jobs).flatMap((job): ManifestJob[] => {
    const name = String(job.name);
    const table = known.get(name);
    if (table === undefined) return [];
    const properties = propertiesOf(name, table.properties, job.properties ?? group.properties ?? root['properties']);
    const isForeign = job.release !== undefined && job.release !== table.release;
    const version = isForeign ? '' : String(versions.get(table.release) ?? '');
    const settings = boshSettings({ job: name, version, properties });
    if (settings.state === 'kept') return [{ group: String(group.name ?? ''), settings }];
    reasons.push(settings.summary);
    return [];
  })));
  if (found.length === 0 && reasons.length > 0) throw new Error(`No job of this manifest has settings to take: ${reasons.join('; ')}.`);
  if (found.length === 0) throw new Error(`No job of this manifest keeps a lock in Locket. Known jobs: ${[...known.keys()].join(', ')}.`);
  return found;
}

function rootOf(text: string): Record<string, unknown> {
  const document = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`Line ${error.linePos?.[0].line ?? 1}: ${error.message.split('\n')[0] ?? ''} Paste the whole manifest, as “bosh manifest” prints it.`);
  const root = isMap(document.contents) ? (document.toJS() as Record<string, unknown>) : {};
  if (!Array.isArray(root['instance_groups'])) throw new Error('This is no manifest of a deployment: it has no list of instance_groups. Paste the whole of what “bosh manifest” prints.');
  return root;
}

function propertiesOf(job: string, names: readonly string[], properties: unknown): Record<string, string> {
  const pairs = names.flatMap((name): [string, string][] => {
    const value = name.split('.').reduce<unknown>((part, key) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[key] : undefined), properties);
    return value === undefined || value === null ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value as boolean | number | string)]];
  });
  const variable = pairs.find(([, value]) => /\(\(.*\)\)/.test(value));
  if (variable !== undefined) throw new Error(`${job}: ${variable[0]} is the variable ${variable[1]}. Paste the manifest after “bosh interpolate”.`);
  return Object.fromEntries(pairs);
}

function listOf(value: unknown): Listed[] {
  return Array.isArray(value) ? value.filter((item): item is Listed => typeof item === 'object' && item !== null) : [];
}
