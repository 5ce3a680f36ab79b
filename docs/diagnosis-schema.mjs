// The JSON Schema of a diagnosis, made of the TypeScript types that its users get: one description of the shape.

import { fileURLToPath } from 'node:url';

import { createGenerator } from 'ts-json-schema-generator';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Numbers that may have a fraction: settings that foreign log lines name. */
const FRACTIONS = ['ttlMs', 'retryIntervalMs'];

/** The minimum of each number that has one. */
const MINIMA = { bothRunningMaxMs: 0, broken: 0, findingCount: 0, late: 0, line: 1, lines: 0, used: 0 };

/** The text of `locket-wasm/diagnosis.schema.json`. */
export function diagnosisSchema() {
  const { definitions, ...root } = schemasOf('src/js/diagnose/model.ts', 'tsconfig.json').createSchema('Diagnosis');
  const schema = { ...root, $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Diagnosis', $defs: definitions };
  return `${JSON.stringify(schema, limited).replaceAll('#/definitions/', '#/$defs/')}\n`;
}

/** What makes schemas of the types in a file. */
export function schemasOf(file, tsconfig) {
  const [path, config] = [`${ROOT}${file}`, `${ROOT}${tsconfig}`];
  return createGenerator({ path, tsconfig: config, topRef: false, skipTypeCheck: true, additionalProperties: false, sortProps: false });
}

/** Adds the limits of numbers, which TypeScript has no types for, to the members of every object. */
function limited(name, value) {
  if (name !== 'properties') return value;
  return Object.fromEntries(Object.entries(value).map(([member, shape]) => {
    const isNumber = [shape.type].flat().includes('number');
    if (!isNumber || FRACTIONS.includes(member)) return [member, shape];
    const type = Array.isArray(shape.type) ? shape.type.map(whole) : whole(shape.type);
    return [member, { ...shape, type, ...(member in MINIMA && { minimum: MINIMA[member] }) }];
  }));
}

const whole = (type) => (type === 'number' ? 'integer' : type);
