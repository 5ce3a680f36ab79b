// Scenarios in YAML 1.2. The module reads JSON and names places in it, so the YAML becomes JSON, and
// the place of each part is kept. It knows no member of a scenario.

import { isAlias, isMap, isScalar, isSeq, type Node, parse, type Scalar, stringify, type YAMLMap } from 'yaml';

import { offsetOf, YamlText } from './yaml-text.js';

/** A scenario as JSON, and for each byte of it the offset in the YAML. */
export interface TranslatedScenario {
  json: string;
  yaml: YamlText;
  offsetOf(byte: number): number;
}

export function scenarioOfYaml(file: string, text: string): TranslatedScenario {
  const yaml = new YamlText(file, text, { what: 'a scenario in YAML' });
  const translation = new Translation(yaml);
  return { json: translation.json, yaml, offsetOf: (byte) => translation.offsetOf(byte) };
}

/** A scenario in JSON as YAML. */
export function yamlOfScenario(json: string): string {
  // JSON is YAML; JSON.parse would round large seeds. Readers of YAML 1.1 take some words, such as
  // off, for values: they get quotes.
  return stringify(parse(json, { intAsBigInt: true }), { compat: 'yaml-1.1', lineWidth: 0 });
}

/** Where a value is. */
interface Context {
  depth: number;
  /**
   * The offset of the alias that repeats the value, if one does. An error in the value is shown there:
   * at its anchor, the same value was accepted.
   */
  alias?: number;
}

/** A member of a map. */
interface Member {
  key: number;
  value: unknown;
  context: Context;
}

/** The deepest nesting; the module has a limit, too. */
const DEPTH_MAX = 64;

/** The most characters and values that aliases may repeat. */
const REPEATED_MAX = 1024 * 1024;

/** Control characters that neither JSON nor YAML allows. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;

class Translation {
  readonly #yaml: YamlText;
  readonly #parts: string[] = [];
  /** For each part its first byte, and its offset in the YAML. */
  readonly #starts: { byte: number; offset: number }[] = [];
  #bytes = 0;
  #repeated = 0;

  constructor(yaml: YamlText) {
    this.#yaml = yaml;
    const { contents, directives } = yaml.document;
    const control = CONTROL.exec(yaml.text);
    if (control !== null) yaml.fail(control.index, `a control character, ${escapeOf(control[0])}; write this escape in a text in double quotes`);
    if (directives?.yaml.version !== '1.2') yaml.fail(0, 'expected YAML 1.2; leave out the line %YAML');
    if (!isMap(contents)) yaml.fail(offsetOf(contents), `expected a scenario, which is a map with name and clients; found ${kindOf(contents)}`);
    this.#value(contents, 0, { depth: 0 });
  }

  get json(): string {
    return this.#parts.join('');
  }

  offsetOf(byte: number): number {
    return this.#starts.findLast((start) => start.byte <= byte)?.offset ?? 0;
  }

  /**
   * Writes a value; an absent value, as in `{ a }`, has the offset of its key. A space comes first,
   * since the module names the byte before a bracket of the wrong kind.
   */
  #value(given: unknown, absent: number, context: Context): void {
    const node = isAlias(given) ? this.#target(given) : (given as Node | null);
    const inside = isAlias(given) ? { ...context, alias: context.alias ?? offsetOf(given) } : context;
    const offset = inside.alias ?? (node === null ? absent : offsetOf(node));
    if (node?.tag !== undefined) this.#yaml.fail(offset, 'tags are not read; leave out the tag, and put a text in quotes if it looks like a number');
    if (context.depth > DEPTH_MAX) this.#yaml.fail(offset, `the nesting is deeper than ${DEPTH_MAX} levels`);
    if (isMap(node)) this.#map(node, offset, inside);
    else if (isSeq(node)) this.#list(node.items, offset, inside);
    else this.#write(` ${isScalar(node) ? this.#scalar(node, offset) : 'null'}`, offset, inside);
  }

  #map(map: YAMLMap, offset: number, context: Context): void {
    const members = new Map<string, Member>();
    this.#collect(map, members, { ...context, depth: context.depth + 1 });
    this.#write(' {', offset, context);
    let comma = '';
    for (const [name, { key, value, context: inside }] of members) {
      this.#write(`${comma}${JSON.stringify(name)}:`, key, inside);
      this.#value(value, key, inside);
      comma = ',';
    }
    // The module names the byte before this bracket for a member that is missing.
    this.#write(' }', offset, context);
  }

  #list(items: readonly unknown[], offset: number, context: Context): void {
    const inside = { ...context, depth: context.depth + 1 };
    this.#write(' [', offset, context);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#write(',', offset, context);
      this.#value(item, offset, inside);
    }
    this.#write(']', offset, context);
  }

  /** Adds a map's own members, then those that it merges with `<<`: the first of a name counts. */
  #collect(map: YAMLMap, members: Map<string, Member>, context: Context): void {
    const own = new Set<string>();
    let merged: readonly unknown[] = [];
    for (const { key, value } of map.items) {
      const offset = context.alias ?? offsetOf(key as Node);
      const name = this.#name(key, offset);
      this.#count(1, offset, context);
      if (own.has(name)) this.#yaml.fail(offset, `${JSON.stringify(name)} is there twice; leave one out`);
      own.add(name);
      if (isScalar(key) && key.type === 'PLAIN' && name === '<<') merged = isSeq(value) ? value.items : [value];
      else if (!members.has(name)) members.set(name, { key: offset, value, context });
    }
    for (const source of merged) this.#merge(source, members, context);
  }

  #merge(source: unknown, members: Map<string, Member>, context: Context): void {
    const offset = context.alias ?? offsetOf(source as Node);
    const map = isAlias(source) ? this.#target(source) : source;
    if (!isMap(map)) this.#yaml.fail(offset, '<< merges maps; give it an alias of a map, such as *defaults, or a list of them');
    this.#count(1, offset, { ...context, alias: offset });
    this.#collect(map, members, isAlias(source) ? { ...context, alias: offset } : context);
  }

  #name(key: unknown, offset: number): string {
    const node = isAlias(key) ? this.#target(key) : key;
    if (isScalar(node) && typeof node.value === 'string' && node.tag === undefined) return node.value;
    this.#yaml.fail(offset, isScalar(node) && node.source ? `expected a text as a name; put ${node.source} in quotes` : `expected a text as a name, not ${kindOf(node)}`);
  }

  #target(alias: Node): Node {
    const target = this.#yaml.resolved(alias);
    const offset = offsetOf(alias);
    if (target === undefined) this.#yaml.fail(offset, `${String(alias)} has no anchor before it; mark the value to repeat with ${String(alias).replace('*', '&')}`);
    const [start, end] = target.range ?? [0, 0];
    if (start <= offset && offset < end) this.#yaml.fail(offset, `${String(alias)} repeats the value that it is a part of`);
    return target;
  }

  #scalar({ value, source = '' }: Scalar, offset: number): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'number' && !Number.isFinite(value) && !JSON_NUMBER.test(source)) this.#yaml.fail(offset, `${source} is not a finite number`);
    // As written: 1.0 is no whole number, and the module says which numbers are too large.
    return JSON_NUMBER.test(source) ? source : String(value);
  }

  #write(text: string, offset: number, context: Context): void {
    this.#count(text.length, offset, context);
    this.#starts.push({ byte: this.#bytes, offset });
    this.#parts.push(text);
    this.#bytes += Buffer.byteLength(text);
  }

  /** Counts what aliases repeat: aliases of aliases could make a small file endless. */
  #count(amount: number, offset: number, { alias }: Context): void {
    if (alias === undefined) return;
    this.#repeated += amount;
    if (this.#repeated > REPEATED_MAX) this.#yaml.fail(offset, `aliases repeat more than ${REPEATED_MAX / 1024 / 1024} MiB; write the values without aliases`);
  }
}

function kindOf(node: unknown): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  return isScalar(node) && node.value !== null ? 'a single value' : 'nothing';
}

function escapeOf(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
