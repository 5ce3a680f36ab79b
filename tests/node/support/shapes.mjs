// Compares values that the package returns with the JSON Schemas of the types that wrote them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import Ajv2020 from 'ajv/dist/2020.js';

/** The definitions of target/schemas/NAME.schema.json; a member that they do not have is none. */
export function shapes(name) {
  const schema = JSON.parse(readFileSync(new URL(`../../../target/schemas/${name}.schema.json`, import.meta.url), 'utf8'), closed);
  const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(schema, name);
  const accept = (type, value) => {
    const validate = ajv.getSchema(`${name}#/$defs/${type}`);
    assert.ok(validate(value), `${type}: ${ajv.errorsText(validate.errors)}`);
  };
  return { accept };
}

function closed(_, value) {
  return value?.type === 'object' && value.properties ? { ...value, unevaluatedProperties: false } : value;
}
