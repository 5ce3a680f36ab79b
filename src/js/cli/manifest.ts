// Finds the jobs in a BOSH deployment manifest that use Locket, each with its place. It knows YAML
// and manifests, and checks no settings. It follows only the paths that it needs, so that no alias
// can expand a small file.

import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from 'yaml';

import { boshJobs } from '../check-node.js';
import { EXIT_USAGE, Failure } from './command.js';

/** A place in a file; lines and columns count from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

/** A job that uses Locket. */
export interface ManifestJob {
  /** The place of its entry. */
  place: Place;
  /** Its instance group or addon. */
  group: string;
  job: string;
  /** Its relevant properties by full name, and the places of their values. */
  properties: Record<string, string>;
  places: Record<string, Place>;
  /** The variables without a value, and their places. */
  unknown: { name: string; place: Place }[];
}

/** The largest manifest allowed; real ones have some hundred kilobytes. */
const BYTES_MAX = 8 * 1024 * 1024;

/** The jobs in the text of a manifest whose variables have these values. */
export function manifestJobs(file: string, text: string, variables: ReadonlyMap<string, string>): ManifestJob[] {
  return new Manifest(file, text, variables).jobs();
}

class Manifest {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  /** The target of each alias. */
  readonly #targets = new Map<Alias, Node | undefined>();

  constructor(
    readonly file: string,
    text: string,
    readonly variables: ReadonlyMap<string, string>,
  ) {
    if (text.length > BYTES_MAX) throw new Failure(EXIT_USAGE, `${file}: expected a manifest of at most ${BYTES_MAX / 1024 / 1024} MiB`);
    this.#document = this.#parsed(text);
    const [error] = this.#document.errors;
    if (error !== undefined) this.#fail(error.pos[0], error.message);
    // All at once: resolving one alias alone walks the whole document.
    const anchors = new Map<string, Node>();
    visit(this.#document, {
      Node: (_, node) => {
        if (isAlias(node)) this.#targets.set(node, anchors.get(node.source));
        else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  jobs(): ManifestJob[] {
    const root = this.#resolved(this.#document.contents);
    if (isSeq(root)) this.#fail(0, 'expected a manifest, not an operations file; apply it first with bosh interpolate');
    if (!isMap(root) || !isSeq(this.#member(root, 'instance_groups'))) {
      this.#fail(0, 'expected a deployment manifest, with a list of instance_groups');
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
    return isSeq(list) ? list.items.map((item) => this.#resolved(item)).filter(isMap) : [];
  }

  /** A member's value: the last with that name, as in Ruby, or a merged one. */
  #member(node: unknown, name: string, seen = new Set<unknown>()): Node | undefined {
    if (!isMap(node) || seen.has(node)) return undefined;
    seen.add(node);
    const pairs = node.items.filter(({ key }) => isScalar(key));
    const own = pairs.filter(({ key }) => isScalar(key) && key.value === name).at(-1);
    if (own !== undefined) return this.#resolved(own.value);
    for (const { key, value } of pairs) {
      if (!isScalar(key) || key.source !== '<<') continue;
      const merged = this.#resolved(value);
      for (const one of isSeq(merged) ? merged.items : [merged]) {
        const found = this.#member(this.#resolved(one), name, seen);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #resolved(node: unknown): Node | undefined {
    return (isAlias(node) ? this.#targets.get(node) : (node as Node | null)) ?? undefined;
  }

  /** The text of a value as written; `undefined` if there is none. */
  #text(node: Node | undefined): string | undefined {
    if (node === undefined) return undefined;
    if (!isScalar(node)) return isSeq(node) ? 'a list' : 'a map';
    if (node.value === null) return undefined;
    return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  }

  #place(node: Node | undefined): Place {
    const { line, col } = this.#lines.linePos(node?.range?.[0] ?? 0);
    return { file: this.file, line, column: col };
  }

  #parsed(text: string): Document {
    try {
      // Duplicate names are checked only where they matter: comparing all takes quadratic time.
      const options = { lineCounter: this.#lines, logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const;
      return parseDocument(text, options);
    } catch (error) {
      // Deep nesting can overflow the stack.
      throw new Failure(EXIT_USAGE, `${this.file}: cannot be read as YAML: ${(error as Error).message}`, error);
    }
  }

  #fail(offset: number, message: string): never {
    const { line, col } = this.#lines.linePos(offset);
    throw new Failure(EXIT_USAGE, `${this.file}:${Math.max(1, line)}:${Math.max(1, col)}: ${message}`);
  }
}
