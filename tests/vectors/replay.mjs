// Replays one case of recorded answers on a fresh server in this process, as messages.
//
// The outcome is a list of differences, each with its step, or a reason why the case means nothing in this process. Knows the format
// of tests/vectors/*.json, and nothing of files or output.

import { LocketServer } from 'locket-wasm';

import { frame, readAnswer } from '../wire/grpc-web.mjs';
import { decode, encode, methodOf } from '../wire/locket.mjs';
import { compareAnswer, compareTable, RowIds } from './compare.mjs';

/** Steps by the member that names their kind. Each gives the differences between what is expected and what is so. */
const STEPS = {
  expect_table: ({ server, ids }, { expect_table: rows }) => compareTable(rows, server.table(), ids),
  http: ({ server }, { http, expect }) => answered(server, http, expect),
  message: ({ server }, { message: { path, hex }, expect }) => posted(server, path, bytesOf(hex), expect),
  rpc: ({ server }, { rpc, request = {}, expect }) => {
    const method = methodOf(rpc);
    return posted(server, `/models.Locket/${rpc}`, method === undefined ? new Uint8Array() : encode(method.input, request), expect);
  },
  table_put: ({ server, ids }, { table_put: row }) => {
    ids.give(row.modified_id);
    server.putRow(row);
  },
  table_update: ({ server }, { table_update: columns }) => server.updateRows(columns),
  wait_ms: ({ server }, { wait_ms: ms }) => server.clock.advance(`${Math.round(ms)}ms`),
};

/** What a step throws to say that its case has no meaning in this process. */
class Meaningless extends Error {}

/** The databases on which a case was seen, as profiles name them. */
export const databasesOf = ({ backends = ['postgres'] }) => backends.map((backend) => (backend === 'mariadb' ? 'mysql' : backend));

/**
 * Replays a case on a database. Gives `{ skipped: reason }` or `{ differences: [{ step, kind, what, expected, got }] }`;
 * `step` counts from 1 and is `undefined` for the table at the end.
 */
export async function replay({ steps, expect_final_table: finalTable }, database = 'postgres') {
  const replayed = { server: new LocketServer({ profile: { extends: 'upstream', database } }), ids: new RowIds() };
  const differences = [];
  try {
    for (const [index, step] of steps.entries()) {
      const [kind, ...others] = Object.keys(STEPS).filter((name) => name in step);
      if (kind === undefined || others.length > 0) throw new Error(`step ${index + 1} is none: ${JSON.stringify(step)}`);
      const label = typeof step[kind] === 'string' ? `${kind} ${step[kind]}` : kind;
      const found = (await STEPS[kind](replayed, step)) ?? [];
      differences.push(...found.map((difference) => ({ step: index + 1, kind: label, ...difference })));
    }
    const found = finalTable === undefined ? [] : compareTable(finalTable, replayed.server.table(), replayed.ids);
    differences.push(...found.map((difference) => ({ kind: 'expect_final_table', ...difference })));
  } catch (error) {
    if (!(error instanceof Meaningless)) throw error;
    // What differed before the case lost its meaning is a difference all the same.
    if (differences.length === 0) return { skipped: error.message };
  } finally {
    replayed.server.close();
  }
  return { differences };
}

function posted(server, path, bytes, expect) {
  const headers = { 'content-type': 'application/grpc-web+proto' };
  return answered(server, { path, headers, body_hex: Buffer.from(frame(bytes)).toString('hex') }, expect);
}

/** The differences between the answer to a request and what was recorded. */
async function answered(server, { method = 'POST', path, headers = {}, body_hex: hex = '' }, expect) {
  const body = bytesOf(hex);
  const request = requestOf(method, path, headers, body);
  const answer = await readAnswer(await server.fetch(request.clone()));
  if (path.startsWith('/models.Locket/')) meaningOf(request, body, answer, expect);
  // Text is answered to who asks for it, and to nobody else.
  const wantsText = /grpc-web-text/i.test(request.headers.get('accept') ?? '');
  if (answer.payload !== undefined && answer.isText !== wantsText) {
    throw new Error(`the answer is ${answer.isText ? 'text' : 'binary'}, and the request accepts ${request.headers.get('accept')}`);
  }
  const rpc = methodOf(path.replace('/models.Locket/', ''));
  const response = answer.payload === undefined || rpc === undefined ? null : decode(rpc.output, answer.payload);
  return compareAnswer(expect, { ...answer, response, method: rpc });
}

function bytesOf(hex) {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new Error(`expected bytes in hex, not ${hex}`);
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
