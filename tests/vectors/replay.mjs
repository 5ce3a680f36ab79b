// Replays one case of recorded answers on a fresh in-process server, once for each database that it was seen on.
//
// Total: whatever a case holds, the outcome is a list of differences, each with its step, or a reason why the case means
// nothing in-process. Knows the format of ../../tests/vectors/*.json, and nothing of files or output.

import { LocketError, LocketServer } from 'locket-wasm';

import { CODE_NAMES, frame, readAnswer } from '../wire/grpc-web.mjs';
import { decode, encode, methodOf } from '../wire/locket.mjs';
import { compareAnswer, compareTable, RowIds } from './compare.mjs';

/** Steps by the member that names their kind. Each gives the differences between what is expected and what is so. */
const STEPS = {
  expect_table: (replay, { expect_table: rows }) => compareTable(rows, replay.server.table(), replay.ids),
  http: async (replay, { http, expect }) => compareAnswer(expect, await replay.http(http, expect)),
  message: async (replay, { message, expect }) => compareAnswer(expect, await replay.message(message, expect)),
  rpc: async (replay, { rpc, request, expect }) => compareAnswer(expect, await replay.rpc(rpc, request ?? {}, expect)),
  table_put: (replay, { table_put: row }) => replay.putRow(row),
  table_update: (replay, { table_update: columns }) => replay.updateRows(columns),
  wait_ms: (replay, { wait_ms: ms }) => replay.wait(ms),
};

/** What `replay` throws to say that a case has no meaning in-process. */
class Meaningless extends Error {}

/** The databases on which a case was seen, as profiles name them. */
export function databasesOf({ backends }) {
  const isKnown = (backend) => ['mariadb', 'postgres'].includes(backend);
  if (!Array.isArray(backends) || backends.length === 0 || !backends.every(isKnown)) return ['postgres'];
  return backends.map((backend) => (backend === 'mariadb' ? 'mysql' : backend));
}

/**
 * Replays a case on a database. Gives `{ skipped: reason }` or `{ differences: [{ step, kind, what, expected, got }] }`;
 * `step` counts from 1 and is `undefined` for the table at the end.
 */
export async function replay(vector, database = 'postgres') {
  const running = new Replay(database);
  const differences = [];
  try {
    for (const [index, step] of vector.steps.entries()) {
      differences.push(...(await running.step(step)).map((difference) => ({ step: index + 1, ...difference })));
    }
    if (vector.expect_final_table !== undefined) {
      const found = compareTable(vector.expect_final_table, running.server.table(), running.ids);
      differences.push(...found.map((difference) => ({ kind: 'expect_final_table', ...difference })));
    }
  } catch (error) {
    if (!(error instanceof Meaningless)) throw error;
    // What differed before the case lost its meaning is a difference all the same.
    if (differences.length === 0) return { skipped: error.message };
  } finally {
    running.server.close();
  }
  return { differences };
}

class Replay {
  ids = new RowIds();
  #client;

  constructor(database) {
    this.server = new LocketServer({ profile: { extends: 'upstream', database } });
    this.#client = this.server.client();
  }

  async step(step) {
    const kinds = Object.keys(STEPS).filter((kind) => Object.hasOwn(Object(step), kind));
    if (kinds.length !== 1) {
      const got = kinds.length === 0 ? Object.keys(Object(step)) : kinds;
      return [{ kind: '?', what: 'unknown step kind', expected: `one of ${Object.keys(STEPS).join(', ')}`, got }];
    }
    const [kind] = kinds;
    const label = typeof step[kind] === 'string' ? `${kind} ${step[kind]}` : kind;
    try {
      const found = await STEPS[kind](this, step);
      return (found ?? []).map((difference) => ({ kind: label, ...difference }));
    } catch (error) {
      if (error instanceof Meaningless) throw error;
      return [{ kind: label, what: 'the step fails', expected: 'to run', got: `${error.name}: ${error.message}` }];
    }
  }

  wait(ms) {
    if (typeof ms !== 'number' || !(ms >= 0)) throw new TypeError(`wait_ms: expected milliseconds, not ${String(ms)}`);
    this.server.clock.advance(`${Math.round(ms)}ms`);
  }

  putRow(row) {
    this.ids.give(row.modified_id);
    this.server.putRow(row);
  }

  updateRows(columns) {
    this.server.updateRows(columns);
  }

  /** Through the client if it can say exactly this, else as bytes. */
  async rpc(name, request, expect) {
    const call = typedCall(this.#client, name, request);
    if (call === undefined) {
      const method = methodOf(name);
      const bytes = method === undefined ? new Uint8Array() : encode(method.input, request);
      return this.#post(`/models.Locket/${name}`, bytes, expect);
    }
    try {
      return { code: 'OK', message: '', response: await call(), method: methodOf(name) };
    } catch (error) {
      if (!(error instanceof LocketError)) throw error;
      return { code: CODE_NAMES[error.code], message: error.rawMessage, response: null, method: methodOf(name) };
    }
  }

  message({ path, hex }, expect) {
    return this.#post(path, bytesOf('hex', hex), expect);
  }

  #post(path, bytes, expect) {
    const headers = { 'content-type': 'application/grpc-web+proto' };
    return this.#fetch({ method: 'POST', path, headers, body: frame(bytes) }, expect);
  }

  http({ method = 'POST', path, headers = {}, body_hex: hex = '' }, expect) {
    return this.#fetch({ method, path, headers, body: bytesOf('body_hex', hex) }, expect);
  }

  async #fetch({ method, path, headers, body }, expect) {
    const request = requestOf(method, path, headers, body);
    const answer = await readAnswer(await this.server.fetch(request.clone()));
    if (path.startsWith('/models.Locket/')) meaningOf(request, body, answer, expect);
    // Text is answered to who asks for it, and to nobody else.
    const wantsText = /grpc-web-text/i.test(request.headers.get('accept') ?? '');
    if (answer.payload !== undefined && answer.isText !== wantsText) {
      throw new Error(`the answer is ${answer.isText ? 'text' : 'binary'}, and the request accepts ${request.headers.get('accept')}`);
    }
    const rpc = methodOf(path.replace('/models.Locket/', ''));
    const response = answer.payload === undefined || rpc === undefined ? null : decode(rpc.output, answer.payload);
    return { ...answer, response, method: rpc };
  }
}

/** The longest lease, in seconds, that a client asks for: Locket counts in nanoseconds, and a longer one ends at once. */
const TTL_MAX = 9_223_372_036;

/** The client's call for a request, or `undefined` if it has none that sends the same. */
function typedCall(client, name, request) {
  if (hasOnly(request, ['resource', 'ttl_in_seconds']) && name === 'Lock') {
    const { resource, ttl_in_seconds: ttlSeconds = 0 } = request;
    if (!hasOnly(resource, ['key', 'owner', 'value', 'type', 'type_code']) || !(Number.isSafeInteger(ttlSeconds) && Math.abs(ttlSeconds) <= TTL_MAX)) return;
    const { key = '', owner = '', value = '', type = '', type_code: typeCode = 0 } = resource;
    if (!isInt32(typeCode)) return;
    return () => client.lock({ key, owner, value, type, typeCode, ttl: `${ttlSeconds}s` }).then(() => ({}));
  }
  if (hasOnly(request, ['resource']) && name === 'Release') {
    if (!hasOnly(request.resource, ['key', 'owner'])) return;
    const { key = '', owner = '' } = request.resource;
    return () => client.release({ key, owner }).then(() => ({}));
  }
  if (hasOnly(request, ['key']) && name === 'Fetch') {
    const { key = '' } = request;
    return () => client.fetch(key).then((resource) => ({ resource: wireNames(resource) }));
  }
  if (hasOnly(request, ['type', 'type_code']) && name === 'FetchAll') {
    const { type = '', type_code: typeCode = 0 } = request;
    if (!isInt32(typeCode)) return;
    return () => client.fetchAll({ type, typeCode }).then((resources) => ({ resources: resources.map(wireNames) }));
  }
  return undefined;
}

function hasOnly(value, fields) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([field, content]) => fields.includes(field) && content !== null);
}

function isInt32(value) {
  return Number.isInteger(value) && value === (value | 0);
}

function wireNames({ key, owner, value, type, typeCode }) {
  return { key, owner, value, type, type_code: typeCode };
}

function bytesOf(field, hex) {
  if (typeof hex !== 'string' || !/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new TypeError(`${field}: expected bytes in hex`);
  return Buffer.from(hex, 'hex');
}

function requestOf(method, path, headers, body) {
  // A body that GET cannot carry here would not be read by anybody: GET is refused for being GET.
  const hasBody = !['GET', 'HEAD'].includes(method.toUpperCase()) && body.length > 0;
  if (['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase())) {
    throw new Meaningless(`the class Request refuses the method ${method}`);
  }
  const init = { method, headers: Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => [name, String(value)])) };
  return new Request(`http://locket.test${path}`, hasBody ? { ...init, body } : init);
}

/**
 * Throws if the real server gives no answer to this that an in-process server could give. Only if the answers differ:
 * what is the same needs no excuse.
 */
function meaningOf(request, body, answer, expect) {
  const right = [expect?.grpc_code, ...(expect?.grpc_code_any ?? [])];
  if (right.includes(answer.code)) return;
  if (answer.message?.includes('crashes the real Locket process') && right.includes('Unavailable')) {
    throw new Meaningless('a request without a resource crashes the real process; here it is refused');
  }
  if (request.method === 'POST' && body.length === 0 && answer.message?.includes('never answered')) {
    throw new Meaningless('the real server never answers a call without a message; here it is refused');
  }
}
