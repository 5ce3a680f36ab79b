// Completes scenarios from their JSON Schema: members of an object, and values where the schema lists them.

import { type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { SyntaxNode } from '@lezer/common';
import schema from 'locket-wasm/scenario.schema.json';

/** The part of JSON Schema that is used. */
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

/** The completions at the cursor. */
export function completeScenario(context: CompletionContext): CompletionResult | null {
  const node = syntaxTree(context.state).resolveInner(context.pos, -1);
  const text = (at: SyntaxNode): string => context.state.sliceDoc(at.from, at.to);
  if (node.name === 'PropertyName') {
    const parent = node.parent?.parent;
    return parent ? { from: node.from, options: members(shapesOf(parent, text)) } : null;
  }
  if (node.parent?.name === 'Property' && node.name === 'String') {
    return { from: node.from, options: values(schemasAt(node, text)) };
  }
  if (!context.explicit) return null;
  if (node.name === 'Property') return { from: context.pos, options: values(schemasOfProperty(node, text)) };
  if (node.name === 'Object' || node.name === '{') {
    const object = node.name === 'Object' ? node : node.parent;
    return object ? { from: context.pos, options: members(shapesOf(object, text)) } : null;
  }
  return null;
}

function members(schemas: Schema[]): Completion[] {
  const found = new Map<string, Completion>();
  for (const { properties = {} } of schemas) {
    for (const [name, member] of Object.entries(properties)) {
      const info = resolve(member).map(({ description }) => description).find(Boolean) ?? '';
      found.set(name, { label: JSON.stringify(name), type: 'property', info });
    }
  }
  return [...found.values()];
}

function values(schemas: Schema[]): Completion[] {
  const known = schemas.flatMap((it) => [...(it.enum ?? []), ...(it.const === undefined ? [] : [it.const])]);
  return [...new Set(known.map((value) => JSON.stringify(value)))].map((label) => ({ label, type: 'enum' }));
}

/** The schemas that an object can follow with the constants that it has, such as the `do` of an action. */
function shapesOf(object: SyntaxNode, text: (node: SyntaxNode) => string): Schema[] {
  const given = object.getChildren('Property').map((property) => [nameOf(property, text), property.lastChild] as const);
  return schemasAt(object, text).filter(({ properties = {} }) =>
    given.every(([name, value]) => {
      const constant = properties[name]?.const;
      return constant === undefined || value === null || text(value) === JSON.stringify(constant);
    }),
  );
}

/** The schemas that a value of the text has to follow. */
function schemasAt(node: SyntaxNode, text: (node: SyntaxNode) => string): Schema[] {
  const { parent } = node;
  if (parent === null || parent.name === 'JsonText') return resolve(ROOT);
  if (parent.name === 'Property') return schemasOfProperty(parent, text);
  if (parent.name === 'Array') return schemasAt(parent, text).flatMap(({ items }) => (items ? resolve(items) : []));
  return schemasAt(parent, text);
}

function schemasOfProperty(property: SyntaxNode, text: (node: SyntaxNode) => string): Schema[] {
  const key = nameOf(property, text);
  if (key === '' || property.parent === null) return [];
  return schemasAt(property.parent, text).flatMap(({ properties, additionalProperties }) => {
    const member = properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return member ? resolve(member) : [];
  });
}

function nameOf(property: SyntaxNode, text: (node: SyntaxNode) => string): string {
  const name = property.getChild('PropertyName');
  return name === null ? '' : text(name).slice(1, -1);
}

/** A schema with whatever it refers to or is made of. */
function resolve(given: Schema, depth = 0): Schema[] {
  if (depth > 8) return [];
  const referred = given.$ref?.startsWith('#/$defs/') ? ROOT.$defs?.[given.$ref.slice('#/$defs/'.length)] : undefined;
  const parts = [...(referred ? [referred] : []), ...(given.allOf ?? []), ...(given.anyOf ?? []), ...(given.oneOf ?? [])];
  return [given, ...parts.flatMap((part) => resolve(part, depth + 1))];
}
