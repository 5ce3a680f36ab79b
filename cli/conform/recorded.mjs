// The answers that were recorded from the real server, as sequences of calls for `locket-wasm conform`: those cases that
// consist of calls which a client can make. The answers are left out: the reference server gives the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = ['locket-observed', 'locket-oracle-rows', 'locket-unusual'];
const METHODS = { Lock: 'lock', Release: 'release', Fetch: 'fetch', FetchAll: 'fetchAll' };
/** The longest lease that a client asks for, in seconds. */
const TTL_SECONDS_MAX = 9_223_372_036;

/** The cases of tests/vectors, as cli/conform/sequence.ts has them. */
export function callableCases(root) {
  const all = FILES.flatMap((file) => JSON.parse(readFileSync(join(root, `tests/vectors/${file}.json`), 'utf8')));
  const cases = all.map(({ id, title, steps, backends }) => ({
    name: `${id}: ${title}`,
    databases: databasesOf(backends),
    steps: steps.filter((step) => !('expect_table' in step)).map(stepOf),
  }));
  return cases.filter(({ steps }) => steps.length > 0 && steps.every(Boolean));
}

/** The databases on which a case was seen, as profiles name them. */
export function databasesOf(backends = ['postgres', 'mariadb']) {
  return backends.map((backend) => (backend === 'mariadb' ? 'mysql' : backend));
}

/** `undefined` if no client can make it. */
function stepOf({ rpc, request = {}, wait_ms: waitMs }) {
  if (waitMs !== undefined) return { waitMs };
  const method = METHODS[rpc];
  const { resource, ttl_in_seconds: ttlSeconds = 0, type_code: code = 0, key = '', type = '' } = request;
  if (method === 'fetch') return { method, request: { key } };
  if (method === 'fetchAll') return { method, request: { type, typeCode: code } };
  if (method === undefined || !resource || !Number.isSafeInteger(ttlSeconds) || ttlSeconds > TTL_SECONDS_MAX) return undefined;
  const { type_code: typeCode = 0, ...texts } = { key: '', owner: '', ...resource };
  if (method === 'release') return { method, request: { key: texts.key, owner: texts.owner } };
  return { method, request: { ...texts, typeCode, ttl: `${ttlSeconds}s` } };
}
