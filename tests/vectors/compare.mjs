// What was recorded against what is so: answers and tables.

import { fromJson, toJson } from '@bufbuild/protobuf';
import { isDeepStrictEqual } from 'node:util';

/** What of an answer can be recorded, and how it is read off. */
const ANSWER_FIELDS = {
  grpc_code: ({ code }) => code ?? null,
  grpc_message: ({ message }) => message ?? null,
  http_status: ({ httpStatus }) => httpStatus ?? null,
  message_length: ({ payload }) => payload?.length ?? null,
};

/** The differences between a recorded answer and one that was given. */
export function compareAnswer(expect, answer) {
  const differences = [];
  for (const [what, expected] of Object.entries(Object(expect))) {
    if (what in ANSWER_FIELDS) {
      const got = ANSWER_FIELDS[what](answer);
      if (got !== expected) differences.push({ what, expected, got });
    } else if (what === 'grpc_code_any') {
      if (!expected.includes(answer.code)) differences.push({ what, expected, got: answer.code });
    } else if (what === 'headers') {
      for (const [name, value] of Object.entries(expected)) {
        const got = answer.headers?.get(name) ?? null;
        if (got !== value) differences.push({ what: `header ${name}`, expected: value, got });
      }
    } else if (what === 'response') {
      differences.push(...compareResponse(expected, answer));
    } else {
      differences.push({ what, expected: 'something that can be compared', got: 'a field that this runner does not know' });
    }
  }
  return differences;
}

function compareResponse(recorded, { response, method }) {
  const expected = recorded === null || method === undefined ? recorded : withDefaults(method.output, recorded);
  const got = response === null || method === undefined ? response : withDefaults(method.output, response);
  if (isDeepStrictEqual(inOneOrder(expected), inOneOrder(got))) return [];
  return [{ what: 'response', expected, got }];
}

function withDefaults(schema, fields) {
  const message = fromJson(schema, fields);
  return toJson(schema, message, { alwaysEmitImplicit: true, enumAsInteger: true, useProtoFieldName: true });
}

/** Lists may come in any order. */
function inOneOrder(response) {
  if (!Array.isArray(response?.resources)) return response;
  const texts = response.resources.map((resource) => JSON.stringify(Object.entries(resource).sort()));
  return { ...response, resources: texts.sort() };
}

/** The differences between recorded rows and those that are there. */
export function compareTable(expected, rows, ids) {
  if (!Array.isArray(expected)) throw new TypeError('expect_table: expected a list of rows');
  const there = new Map(rows.map((row) => [row.path, row]));
  const differences = [];
  ids.look(expected.map((row) => row.modified_id));
  for (const row of expected) {
    const got = there.get(row.path);
    there.delete(row.path);
    if (got === undefined) differences.push({ what: 'row', expected: row, got: null });
    else differences.push(...compareRow(row, got, ids));
  }
  for (const got of there.values()) differences.push({ what: 'row', expected: null, got });
  return differences;
}

function compareRow(expected, got, ids) {
  const differences = [];
  for (const [column, value] of Object.entries(expected)) {
    const isRight = column === 'modified_id' ? ids.match(value, got[column]) : isSame(value, got[column]);
    if (!isRight) differences.push({ what: `${column} of row ${JSON.stringify(got.path)}`, expected: value, got: got[column] });
  }
  return differences;
}

function isSame(expected, got) {
  // Tables show large numbers as the nearest one that JavaScript has.
  return typeof expected === 'bigint' ? Number(expected) === got : expected === got;
}

/**
 * Ids as a recording names them: `id1`, `id2` … in order of first sight, except those that a `table_put` gave.
 *
 * In which order one look at the table sees its rows depends on how the recording's database sorts, so the names that
 * are new in one look may be given out in any order. Later looks have to agree.
 */
export class RowIds {
  #given = new Set();
  #idByName = new Map();
  #nameById = new Map();
  #newNames = new Set();

  /** Somebody writes this id. */
  give(id) {
    this.#given.add(id);
  }

  /** Another look at the table begins, with these names in it. */
  look(names) {
    const unknown = new Set(names.filter((name) => /^id[1-9]\d*$/.test(name) && !this.#given.has(name) && !this.#idByName.has(name)));
    const first = this.#idByName.size + 1;
    this.#newNames = new Set(Array.from(unknown, (_, index) => `id${first + index}`));
  }

  /** Whether an id that is there can be the one recorded under a name. */
  match(name, id) {
    if (name === id || this.#given.has(id)) return name === id;
    if (this.#idByName.has(name) || this.#nameById.has(id)) return this.#idByName.get(name) === id && this.#nameById.get(id) === name;
    if (!this.#newNames.has(name) || typeof id !== 'string' || id === '') return false;
    this.#idByName.set(name, id);
    this.#nameById.set(id, name);
    return true;
  }
}
