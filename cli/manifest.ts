// Finds the jobs in a BOSH deployment manifest, each with its place; of those that use Locket also
// the properties. It knows YAML and manifests, and checks no settings. It follows only the paths that
// it needs, so that no alias can expand a small file.

import { type BoshJob, boshFacts } from 'locket-wasm/check';
import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

import { DIEGO } from './bosh-specs.js';
import type { DeclaredJob } from './declared-jobs.js';
import type { Place } from './text-place.js';
import { offsetOf, YamlText } from './yaml-text.js';

/** A place in one of several manifests. */
export interface FilePlace extends Place {
  file: string;
}

/** The jobs of a manifest. */
export interface ManifestJobs {
  file: string;
  /** Those that use Locket: jobs of the table, and declared ones. */
  jobs: ManifestJob[];
  /** All others. */
  others: JobEntry[];
  /** The version of diego, which has Locket; `null` if it is not among the releases. */
  locket: ReleaseVersion | null;
}

/** The version of a release, as the manifest says. */
export interface ReleaseVersion {
  /** As it is written, or as the address of the release has it; empty without one. */
  text: string;
  /** The variables in it without a value. */
  unknown: string[];
  place: FilePlace;
}

/** The other input of a reader of manifests. */
export interface ManifestOptions {
  /** The values of variables. */
  variables: ReadonlyMap<string, string>;
  /** The jobs that the user declares, by name. */
  declared?: ReadonlyMap<string, DeclaredJob>;
}

/** An entry in a list of jobs. */
export interface JobEntry {
  /** The place of its name. */
  place: FilePlace;
  /** Its instance group or addon. */
  group: string;
  job: string;
  /** Its release; `null` if the manifest does not say. */
  release: string | null;
  /** The version of that release; `null` if the manifest has none. */
  version: ReleaseVersion | null;
  /** The number of instances of its group; `null` if it is unknown. */
  instances: number | null;
}

/** A job that uses Locket. */
export interface ManifestJob extends JobEntry {
  /** Its declaration by the user, in place of the table; `null` if there is none. */
  declared: DeclaredJob | null;
  /** Its relevant properties by full name, and the places of their values. */
  properties: Record<string, string>;
  places: Record<string, FilePlace>;
  /** The variables without a value, and their places. */
  unknown: { name: string; place: FilePlace }[];
  /** The full names of the properties in its own entry, and the places of their values. */
  own: { name: string; place: FilePlace }[];
}

/** The largest manifest allowed; real ones have some hundred kilobytes. */
const MANIFEST_BYTES_MAX = 8 * 1024 * 1024;

/** The most nodes of a manifest in which names of properties are looked for: an alias may repeat a large map. */
const NODES_MAX = 50_000;

/** The deepest level of those names; the deepest in published specs is 5. */
const LEVELS_MAX = 8;

/** The most maps in a row that merge the next one. */
const MERGES_MAX = 100;

/** The names in a map. */
interface Names {
  /** The values of its own members; the last with a name counts. */
  own: Map<unknown, unknown>;
  /** The maps that it merges, in order. */
  merged: (Node | undefined)[];
  /** The names that were looked for in them. */
  found: Map<string, Node | undefined>;
}

/** The jobs in the text of a manifest. */
export function manifestJobs(file: string, text: string, options: ManifestOptions): ManifestJobs {
  return new Manifest(file, text, options).jobs();
}

/** The version in the address of a release: its parameter `v`, or in the name of its file. Behind it a compiled release has its stemcell. */
const versionIn = (address: string) => /[?&]v=([^&#]+)|-v?(\d+(?:\.\d+)+)(?:[-+][^/]*)?\.tgz/.exec(address)?.slice(1).find(Boolean) ?? address;

/** The version of a job's release: of the named one, or of that which has such a job. */
function versionOf({ release }: JobEntry, table: BoshJob | undefined, releases: ReadonlyMap<string, ReleaseVersion>): ReleaseVersion | null {
  // The versions of a foreign release say nothing about the job of that name which is known.
  if (table !== undefined && release !== null && release !== table.release) return null;
  return releases.get(release ?? table?.release ?? '') ?? null;
}

class Manifest {
  readonly #yaml: YamlText;
  readonly #names = new Map<YAMLMap, Names>();
  #nodesLeft = NODES_MAX;

  constructor(
    readonly file: string,
    text: string,
    readonly options: ManifestOptions,
  ) {
    this.#yaml = new YamlText(file, text, { what: 'a manifest', bytesMax: MANIFEST_BYTES_MAX, firstOnly: true });
  }

  jobs(): ManifestJobs {
    const root = this.#yaml.resolved(this.#yaml.document.contents);
    if (isSeq(root)) this.#yaml.fail(0, 'expected a manifest, not an operations file; apply it first with bosh interpolate');
    if (!isMap(root) || !isSeq(this.#member(root, 'instance_groups'))) {
      this.#yaml.fail(0, 'expected a deployment manifest, with a list of instance_groups');
    }
    const known = new Map(boshFacts().jobs.map((job) => [job.job, job]));
    const releases = this.#releases(root);
    const found: ManifestJobs = { file: this.file, jobs: [], others: [], locket: releases.get(DIEGO) ?? null };
    for (const section of ['instance_groups', 'addons']) {
      for (const group of this.#items(this.#member(root, section))) {
        const instances = section === 'addons' ? null : this.#instances(group);
        for (const job of this.#items(this.#member(group, 'jobs'))) {
          const entry = this.#entry(job, group, instances);
          const table = known.get(entry.job);
          const declared = this.options.declared?.get(entry.job) ?? null;
          entry.version = versionOf(entry, table, releases);
          if (table === undefined && declared === null) found.others.push(entry);
          else found.jobs.push(this.#job(entry, [job, group, root], table?.properties ?? [], declared));
        }
      }
    }
    return found;
  }

  /** The versions of the releases by name. Two versions of one release are none. */
  #releases(root: YAMLMap): Map<string, ReleaseVersion> {
    const found = new Map<string, ReleaseVersion>();
    for (const release of this.#items(this.#member(root, 'releases'))) {
      const version = this.#member(release, 'version');
      const address = this.#text(this.#member(release, 'url')) ?? '';
      const unknown: string[] = [];
      const text = this.#interpolated(this.#text(version) ?? versionIn(address), (name) => unknown.push(name));
      const name = this.#text(this.#member(release, 'name')) ?? '';
      const other = found.get(name);
      const place = this.#place(version ?? release);
      found.set(name, other === undefined || other.text === text ? { text, unknown, place } : { text: `${other.text} and ${text}`, unknown, place });
    }
    return found;
  }

  #entry(job: YAMLMap, group: YAMLMap, instances: number | null): JobEntry {
    const name = this.#member(job, 'name');
    const text = (node: Node | undefined) => this.#text(node) ?? '';
    const written = this.#text(this.#member(job, 'release'));
    const release = written === undefined ? null : this.#interpolated(written, () => {});
    return { place: this.#place(name), group: text(this.#member(group, 'name')), job: text(name), release, version: null, instances };
  }

  #instances(group: YAMLMap): number | null {
    const value = this.#interpolated(this.#text(this.#member(group, 'instances')) ?? '', () => {});
    return /^\d{1,6}$/.test(value) ? Number(value) : null;
  }

  /** A job's properties are its own or, if it has none, those of its group, or of all. */
  #job(entry: JobEntry, owners: [job: YAMLMap, group: YAMLMap, root: YAMLMap], names: readonly string[], declared: DeclaredJob | null): ManifestJob {
    const all = owners.map((owner) => this.#member(owner, 'properties')).find((found) => found !== undefined);
    const node = (property: string) => property.split('.').reduce<Node | undefined>((at, key) => this.#member(at, key), all);
    const found: ManifestJob = {
      ...entry,
      declared,
      properties: {},
      places: {},
      unknown: [],
      own: this.#leaves(this.#member(owners[0], 'properties')),
    };
    for (const property of names) {
      const value = node(property);
      const text = this.#text(value);
      // BOSH treats null as absent.
      if (text === undefined) continue;
      const place = this.#place(value);
      found.places[property] = place;
      found.properties[property] = this.#interpolated(text, (name) => found.unknown.push({ name, place }));
    }
    return found;
  }

  /** The values in a map of maps, by full name. Lists count as values. */
  #leaves(top: Node | undefined): ManifestJob['own'] {
    const leaves: ManifestJob['own'] = [];
    const waiting = [{ node: top, path: [] as string[] }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.#nodesLeft === 0) break;
      this.#nodesLeft -= 1;
      const { node, path } = next;
      if (!isMap(node)) {
        if (path.length > 0 && this.#text(node) !== undefined) leaves.push({ name: path.join('.'), place: this.#place(node) });
        continue;
      }
      if (path.length >= LEVELS_MAX) continue;
      for (const { key, value } of node.items.slice(0, this.#nodesLeft)) {
        if (!isScalar(key)) continue;
        waiting.push({ node: this.#yaml.resolved(value), path: key.source === '<<' ? path : [...path, String(key.value)] });
      }
    }
    return leaves;
  }

  #interpolated(text: string, onUnknown: (name: string) => void): string {
    return text.replace(/\(\(!?([-/.\w:]+)\)\)/g, (variable, name: string) => {
      const value = this.options.variables.get(name);
      if (value === undefined) onUnknown(name);
      return value ?? variable;
    });
  }

  #items(list: Node | undefined): YAMLMap[] {
    return isSeq(list) ? list.items.map((item) => this.#yaml.resolved(item)).filter(isMap) : [];
  }

  /** A member's value: the last with that name, as in Ruby, or a merged one. */
  #member(node: unknown, name: string, depth = 0): Node | undefined {
    if (!isMap(node)) return undefined;
    const { own, merged, found } = this.#namesOf(node);
    if (own.has(name)) return this.#yaml.resolved(own.get(name));
    if (found.has(name)) return found.get(name);
    if (depth === MERGES_MAX) this.#yaml.fail(offsetOf(node), `maps merge maps with << in more than ${MERGES_MAX} levels`);
    // Until it is known: a map that merges itself has no more names.
    found.set(name, undefined);
    for (const source of merged) {
      const value = this.#member(source, name, depth + 1);
      if (value === undefined) continue;
      found.set(name, value);
      return value;
    }
    return undefined;
  }

  /** The names in a map, read once: very many jobs may share a large map by aliases. */
  #namesOf(map: YAMLMap): Names {
    const known = this.#names.get(map);
    if (known !== undefined) return known;
    const names: Names = { own: new Map(), merged: [], found: new Map() };
    this.#names.set(map, names);
    for (const { key, value } of map.items) {
      if (!isScalar(key)) continue;
      names.own.set(key.value, value);
      if (key.source !== '<<') continue;
      const sources = this.#yaml.resolved(value);
      for (const source of isSeq(sources) ? sources.items : [sources]) names.merged.push(this.#yaml.resolved(source));
    }
    return names;
  }

  /** The text of a value as written; `undefined` if there is none. */
  #text(node: Node | undefined): string | undefined {
    if (node === undefined) return undefined;
    if (!isScalar(node)) return isSeq(node) ? 'a list' : 'a map';
    if (node.value === null) return undefined;
    return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  }

  #place(node: Node | undefined): FilePlace {
    return { file: this.file, ...this.#yaml.place(offsetOf(node)) };
  }
}
