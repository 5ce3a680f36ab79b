// Completes scenarios from their JSON Schema: members of an object, and values where the schema lists them.

import { getLocation, type JSONPath } from 'jsonc-parser';
import schema from 'locket-wasm/scenario.schema.json';

/** What is used of JSON Schema. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  type?: string | string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const ROOT = schema as Schema;

/** Something that can be written. */
export interface Completion {
  text: string;
  /** What it means, if the schema says so. */
  info: string;
}

/** What can stand at a place of a text, and which part of the text it would replace. */
export interface Completions {
  from: number;
  to: number;
  /** Whether somebody is writing it already, or nothing stands there yet. */
  isBegun: boolean;
  options: Completion[];
}

/** What can stand at a place; no options if that is not known, or is written in full. */
export function completionsAt(text: string, place: number): Completions {
  const { path, previousNode, isAtPropertyKey } = getLocation(text, place);
  const isBegun = previousNode !== undefined && place <= previousNode.offset + previousNode.length;
  const from = isBegun ? previousNode.offset : place;
  const to = isBegun ? previousNode.offset + previousNode.length : place;
  const all = isAtPropertyKey ? members(schemasAt(path.slice(0, -1))) : values(schemasAt(path));
  const begun = text.slice(from, place).toLowerCase();
  const options = all.filter((option) => option.text.toLowerCase().startsWith(begun) && option.text !== text.slice(from, to));
  return { from, to, isBegun, options };
}

function members(schemas: Schema[]): Completion[] {
  const found = new Map<string, Completion>();
  for (const { properties = {} } of schemas) {
    for (const [name, member] of Object.entries(properties)) {
      const info = resolve(member).map(({ description }) => description).find(Boolean) ?? '';
      found.set(name, { text: JSON.stringify(name), info });
    }
  }
  return [...found.values()];
}

function values(schemas: Schema[]): Completion[] {
  const known = schemas.flatMap((it) => [...(it.enum ?? []), ...(it.const === undefined ? [] : [it.const])]);
  return [...new Set(known.map((value) => JSON.stringify(value)))].map((text) => ({ text, info: '' }));
}

/** The schemas that the value at a path has to follow. */
function schemasAt(path: JSONPath): Schema[] {
  return path.reduce<Schema[]>((schemas, step) => schemas.flatMap((schema) => below(schema, step)), resolve(ROOT));
}

function below({ properties, additionalProperties, items }: Schema, step: number | string): Schema[] {
  if (typeof step === 'number') return items ? resolve(items) : [];
  const member = properties?.[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  return member ? resolve(member) : [];
}

/** A schema with whatever it refers to or is made of. */
function resolve(given: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  const referred = given.$ref?.startsWith('#/$defs/') ? ROOT.$defs?.[given.$ref.slice('#/$defs/'.length)] : undefined;
  const parts = [...(referred ? [referred] : []), ...(given.allOf ?? []), ...(given.anyOf ?? []), ...(given.oneOf ?? [])];
  return [given, ...parts.flatMap((part) => resolve(part, depth + 1))];
}
