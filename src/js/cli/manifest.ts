// Finds the jobs in a BOSH deployment manifest that use Locket, each with its place. It knows YAML
// and manifests, and checks no settings. It follows only the paths that it needs, so that no alias
// can expand a small file.

import { isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

import { boshJobs } from '../check-node.js';
import type { Place } from './text-place.js';
import { offsetOf, YamlText } from './yaml-text.js';

/** A place in one of several manifests. */
export interface FilePlace extends Place {
  file: string;
}

/** A job that uses Locket. */
export interface ManifestJob {
  /** The place of its entry. */
  place: FilePlace;
  /** Its instance group or addon. */
  group: string;
  job: string;
  /** Its relevant properties by full name, and the places of their values. */
  properties: Record<string, string>;
  places: Record<string, FilePlace>;
  /** The variables without a value, and their places. */
  unknown: { name: string; place: FilePlace }[];
}

/** The largest manifest allowed; real ones have some hundred kilobytes. */
const BYTES_MAX = 8 * 1024 * 1024;

/** The jobs in the text of a manifest whose variables have these values. */
export function manifestJobs(file: string, text: string, variables: ReadonlyMap<string, string>): ManifestJob[] {
  return new Manifest(file, text, variables).jobs();
}

class Manifest {
  readonly #yaml: YamlText;

  constructor(
    readonly file: string,
    text: string,
    readonly variables: ReadonlyMap<string, string>,
  ) {
    this.#yaml = new YamlText(file, text, { what: 'a manifest', bytesMax: BYTES_MAX, firstOnly: true });
  }

  jobs(): ManifestJob[] {
    const root = this.#yaml.resolved(this.#yaml.document.contents);
    if (isSeq(root)) this.#yaml.fail(0, 'expected a manifest, not an operations file; apply it first with bosh interpolate');
    if (!isMap(root) || !isSeq(this.#member(root, 'instance_groups'))) {
      this.#yaml.fail(0, 'expected a deployment manifest, with a list of instance_groups');
    }
    const known = new Map(boshJobs().map(({ job, properties }) => [job, properties]));
    return ['instance_groups', 'addons'].flatMap((section) =>
      this.#items(this.#member(root, section)).flatMap((group) =>
        this.#items(this.#member(group, 'jobs')).flatMap((job) => {
          const name = this.#text(this.#member(job, 'name'));
          const properties = known.get(name ?? '');
          return properties === undefined ? [] : [this.#job([job, group, root], properties)];
        }),
      ),
    );
  }

  /** A job's properties are its own or, if it has none, those of its group, or of all. */
  #job(owners: [job: YAMLMap, group: YAMLMap, root: YAMLMap], names: readonly string[]): ManifestJob {
    const [job, group] = owners;
    const name = this.#member(job, 'name');
    const all = owners.map((owner) => this.#member(owner, 'properties')).find((found) => found !== undefined);
    const found: ManifestJob = {
      place: this.#place(name),
      group: this.#text(this.#member(group, 'name')) ?? '',
      job: this.#text(name) as string,
      properties: {},
      places: {},
      unknown: [],
    };
    for (const property of names) {
      const value = property.split('.').reduce<Node | undefined>((node, key) => this.#member(node, key), all);
      const text = this.#text(value);
      // BOSH treats null as absent.
      if (text === undefined) continue;
      const place = this.#place(value);
      found.places[property] = place;
      found.properties[property] = this.#interpolated(text, (name) => found.unknown.push({ name, place }));
    }
    return found;
  }

  #interpolated(text: string, onUnknown: (name: string) => void): string {
    return text.replace(/\(\(!?([-/.\w:]+)\)\)/g, (variable, name: string) => {
      const value = this.variables.get(name);
      if (value === undefined) onUnknown(name);
      return value ?? variable;
    });
  }

  #items(list: Node | undefined): YAMLMap[] {
    return isSeq(list) ? list.items.map((item) => this.#yaml.resolved(item)).filter(isMap) : [];
  }

  /** A member's value: the last with that name, as in Ruby, or a merged one. */
  #member(node: unknown, name: string, seen = new Set<unknown>()): Node | undefined {
    if (!isMap(node) || seen.has(node)) return undefined;
    seen.add(node);
    const pairs = node.items.filter(({ key }) => isScalar(key));
    const own = pairs.filter(({ key }) => isScalar(key) && key.value === name).at(-1);
    if (own !== undefined) return this.#yaml.resolved(own.value);
    for (const { key, value } of pairs) {
      if (!isScalar(key) || key.source !== '<<') continue;
      const merged = this.#yaml.resolved(value);
      for (const one of isSeq(merged) ? merged.items : [merged]) {
        const found = this.#member(this.#yaml.resolved(one), name, seen);
        if (found !== undefined) return found;
      }
    }
    return undefined;
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
