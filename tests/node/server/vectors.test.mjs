// The runner of recorded answers sees what differs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parseExactly } from '../../vectors/exact-json.mjs';
import { replay } from '../../vectors/replay.mjs';
import { file } from '../support/folder.mjs';

const RUN = fileURLToPath(new URL('../../vectors/run.mjs', import.meta.url));
const OBSERVED = fileURLToPath(new URL('../../vectors/locket-observed.json', import.meta.url));

const LOCK = {
  rpc: 'Lock',
  request: { resource: { key: 'k', owner: 'o', type_code: 1 }, ttl_in_seconds: 60 },
  expect: { grpc_code: 'OK', grpc_message: '', response: {} },
};
const ROW = { path: 'k', owner: 'o', value: '', type: 'lock', modified_index: 1, modified_id: 'id1', ttl: 60 };
const FETCH = { rpc: 'Fetch', request: { key: 'k' } };
const HTTP = { method: 'POST', path: '/models.Locket/Fetch', headers: { 'content-type': 'application/grpc-web+proto' }, body_hex: '00000000030a016b' };

/** What differs when these steps are replayed. */
async function differences(...steps) {
  const outcome = await replay({ id: 'x', steps });
  return outcome.differences?.map(({ what }) => what) ?? outcome;
}

describe('replay', () => {
  test('a matching answer is no difference', async () => {
    const resource = { key: 'k', owner: 'o', type: 'lock', type_code: 1 };
    const fetched = { ...FETCH, expect: { grpc_code_any: ['NotFound', 'OK'], response: { resource } } };
    assert.deepEqual(await differences(LOCK, fetched, { expect_table: [ROW] }, { wait_ms: 60_000 }, { expect_table: [] }), []);
  });

  const wrong = [
    ['a code', { ...LOCK, expect: { grpc_code: 'NotFound' } }, 'grpc_code'],
    ['every code of several', { ...LOCK, expect: { grpc_code_any: ['NotFound', 'Unknown'] } }, 'grpc_code_any'],
    ['a message', { ...FETCH, expect: { grpc_code: 'OK', grpc_message: 'ok' } }, 'grpc_message'],
    ['a field of the response', { ...FETCH, expect: { response: { resource: { key: 'k', owner: 'p', type: 'lock', type_code: 1 } } } }, 'response'],
    ['a response where there is none', { ...FETCH, request: { key: 'nobody' }, expect: { response: {} } }, 'response'],
    ['no response where there is one', { ...FETCH, expect: { response: null } }, 'response'],
    ['an element of a list', { rpc: 'FetchAll', request: { type_code: 1 }, expect: { response: { resources: [] } } }, 'response'],
    ['a row that is not there', { expect_table: [ROW, { ...ROW, path: 'l' }] }, 'row'],
    ['a row too many', { expect_table: [] }, 'row'],
    ['a column', { expect_table: [{ ...ROW, ttl: 61 }] }, 'ttl of row "k"'],
    ['an id out of order', { expect_table: [{ ...ROW, modified_id: 'id2' }] }, 'modified_id of row "k"'],
    ['an HTTP status', { http: HTTP, expect: { http_status: 201 } }, 'http_status'],
    ['a length', { http: HTTP, expect: { message_length: 0 } }, 'message_length'],
    ['no message frame', { http: HTTP, expect: { message_length: null } }, 'message_length'],
    ['a header', { http: HTTP, expect: { headers: { 'content-type': 'text/html' } } }, 'header content-type'],
    ['something that nobody knows', { http: HTTP, expect: { colour: 'red' } }, 'colour'],
    ['bytes that lead to another code', { message: { path: '/models.Locket/Fetch', hex: 'ff' }, expect: { grpc_code: 'OK' } }, 'grpc_code'],
  ];
  for (const [what, step, difference] of wrong) {
    test(`${what} that differs is seen`, async () => {
      const found = await differences(LOCK, step);
      assert.ok(found.includes(difference), JSON.stringify(found));
    });
  }

  test('ids are the same id under the same name, for the whole case', async () => {
    const release = { rpc: 'Release', request: { resource: { key: 'k', owner: 'o' } }, expect: { grpc_code: 'OK' } };
    const again = [LOCK, { expect_table: [ROW] }, release, LOCK];
    assert.deepEqual(await differences(...again, { expect_table: [{ ...ROW, modified_id: 'id2' }] }), []);
    assert.deepEqual(await differences(...again, { expect_table: [ROW] }), ['modified_id of row "k"']);
  });

  test('an id that a table_put gave stays itself', async () => {
    const put = { table_put: { ...ROW, modified_id: 'id-x' } };
    assert.deepEqual(await differences(put, { expect_table: [{ ...ROW, modified_id: 'id-x' }] }), []);
    assert.deepEqual(await differences(put, { expect_table: [ROW] }), ['modified_id of row "k"']);
  });

  test('a step of no kind, of two kinds or with an unknown field ends the replay', async () => {
    for (const step of [{ restart: true }, { wait_ms: 1, expect_table: [] }, { message: { path: '/models.Locket/Lock', hex: 'xyz' }, expect: {} }, { rpc: 'Lock', request: { colour: 'red' }, expect: {} }]) {
      await assert.rejects(differences(step));
    }
  });

  test('an unknown method is Unimplemented', async () => {
    const expect = { grpc_code: 'Unimplemented', grpc_message: 'unknown method Nope for service models.Locket' };
    assert.deepEqual(await differences({ rpc: 'Nope', request: {}, expect }), []);
  });

  test('a step that crashes the real process is skipped, unless an earlier step differs', async () => {
    const crash = { rpc: 'Release', request: { resource: null }, expect: { grpc_code: 'Unavailable', grpc_message: 'Socket closed' } };
    assert.match((await replay({ id: 'x', steps: [crash] })).skipped, /crashes the real process/);
    assert.deepEqual(await differences({ expect_table: [ROW] }, crash), ['row']);
    assert.deepEqual(await differences({ ...crash, expect: { grpc_code: 'OK' } }), ['grpc_code']);
  });
});

describe('exact JSON', () => {
  test('numbers beyond 2^53 keep their digits, and texts stay texts', () => {
    const text = '{"a": [9223372036854775807, -9007199254740993, 9007199254740991, 1e400, 1.5], "\\"b": "9223372036854775807", "c\\\\": 9223372036854775806}';
    const { a, ...rest } = parseExactly(text);
    assert.deepEqual(a, [9223372036854775807n, -9007199254740993n, 9007199254740991, Infinity, 1.5]);
    assert.deepEqual(rest, { '"b': '9223372036854775807', 'c\\': 9223372036854775806n });
  });
});

describe('run.mjs', () => {
  function run(...files) {
    const { status, stdout } = spawnSync(process.execPath, [RUN, ...files], { encoding: 'utf8' });
    return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
  }

  const fileOf = (text) => file('cases.json', text);

  test('one changed answer fails, by name', () => {
    const right = readFileSync(OBSERVED, 'utf8');
    const from = right.indexOf('"collision-other-type"');
    const changed = right.slice(0, from) + right.slice(from).replace('"lock-collision"', '"lock-held"');
    const { status, last, stdout } = run(fileOf(changed));
    assert.equal(status, 1, stdout);
    // It was seen on both databases.
    assert.match(last, /^\d+ passed, 2 failed, 0 skipped$/);
    assert.match(stdout, /FAILED collision-other-type on postgres: .*\n {2}step 2 \(rpc Lock\): grpc_message\n {4}expected "lock-held"\n {4}got {6}"lock-collision"/);
  });

  test('no case at all is a failure', () => {
    assert.deepEqual([run(fileOf('[]')).status, run(fileOf('[]')).last], [1, '0 passed, 0 failed, 0 skipped']);
  });
});
