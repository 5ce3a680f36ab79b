// Evidence beside the lines of a lock: exits, lines of other loggers, missing logs, and the forms in which logs are exported.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { diagnose } from 'locket-wasm/diagnose';

import { logsOf } from '../support/diagnose-logs.mjs';
import { client, line, logs, started } from '../support/log-lines.mjs';

const COLLISION = 'rpc error: code = AlreadyExists desc = lock-collision';
const exit = (atS, error, source = 'bbs') => line(atS, source, 'exited-with-failure', { error });

test('an exit of Locket names its database only if its error does', async () => {
  const causeOf = async (error) => (await diagnose(logs({ locket: [started(0), exit(10, error, 'locket')] }))).findings.map(({ kind, causeKind }) => [kind, causeKind]);
  for (const [error, kind] of [
    ['Exit trace for group:\nserver exited with error: EOF\nburglar exited with nil\n', 'unknown'],
    ['dial tcp 127.0.0.1:3457: connect: connection refused', 'unknown'],
    ['Exit trace for group:\nserver exited with error: listen tcp 0.0.0.0:8891: bind: address already in use\n', 'port-in-use'],
    ['Exit trace for group:\nburglar exited with error: dial tcp 10.0.0.7:5432: connect: connection refused\n', 'database-outage'],
    ['Exit trace for group:\ndb-health-check-runner exited with error: driver: bad connection\n', 'database-outage'],
  ]) assert.deepEqual(await causeOf(error), [['process-exited', kind]], error);
});

describe('logs as they are exported', () => {
  const name = 'c-sigstop';
  const findingsOf = async (files) => (await diagnose(files)).findings.map(({ kind, certainty, summary, fromMs }) => ({ kind, certainty, summary, fromMs }));
  const each = (of) => logsOf(name).map((log) => ({ name: log.name, data: log.data.split('\n').filter(Boolean).map(of).join('\n') }));

  const OTHER = '{"timestamp":"1795316227.1","source":"bbs","message":"bbs.request.done","log_level":0,"data":{}}';
  const FORMS = {
    'Docker': (text) => JSON.stringify({ log: `${text}\n`, stream: 'stdout', time: '2026-11-22T02:57:00Z' }),
    'Kibana': (text) => JSON.stringify({ _index: 'logs', _source: { '@timestamp': '2026-11-22T02:57:00Z', message: text } }),
    'Kibana, read as objects': (text) => JSON.stringify({ '@timestamp': 'x', message: 'a line', locket: JSON.parse(text) }),
    'Loki': (text) => JSON.stringify({ line: text, timestamp: '1795316221518034458', fields: { job: 'bbs' } }),
    'CloudWatch': (text) => `      "message": ${JSON.stringify(text)},`,
    'an export of an export': (text) => JSON.stringify({ message: JSON.stringify({ log: text }) }),
    'a list of JSON, with a member that has no name': (text) => `${text.slice(0, -1)},"more":{"":""}},`,
    'a program that writes blanks': (text) => JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', ''),
    'a program that needs several lines for one': (text) => JSON.stringify(JSON.parse(text), null, 2),
    'a list with commas': (text) => `"2026-11-22","${text.replaceAll('"', '""')}"`,
    'a program that has made milliseconds of its times': (text) => text.replace(/"timestamp":"([\d.]+)"/, (_, time) => `"timestamp":${Number(time) * 1000}`),
    'a collector, between lines of others, on Windows': (text) => `${OTHER}\r\nplain text\r\n<14>1 vm bbs ${text}\r`,
  };
  for (const [form, of] of Object.entries(FORMS)) {
    test(`by ${form} are read`, async () => assert.deepEqual(await findingsOf(each(of)), await findingsOf(logsOf(name))));
  }

  for (const [form, of] of Object.entries({ 'on one line': (lines) => `[${lines}]`, 'over several lines': (lines) => JSON.stringify(JSON.parse(`[${lines}]`), null, 1) })) {
    test(`in a list ${form} are read`, async () => assert.deepEqual(await findingsOf(logsOf(name).map((log) => ({ ...log, data: of(log.data.split('\n').filter(Boolean)) }))), await findingsOf(logsOf(name))));
  }

  const swapped = (bytes) => Buffer.from(bytes).swap16();
  const ENCODINGS = {
    'UTF-16 with its mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16, big end first': (text) => swapped(Buffer.from(`\ufeff${text}`, 'utf16le')),
    'UTF-16 without a mark': (text) => Buffer.from(text, 'utf16le'),
    'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
    'UTF-16, gzipped': (text) => gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le')),
  };
  for (const [form, of] of Object.entries(ENCODINGS)) {
    test(`in ${form} are read`, async () => assert.deepEqual(await findingsOf(logsOf(name).map((log) => ({ ...log, data: of(log.data) }))), await findingsOf(logsOf(name))));
  }

  test('and lines that are not read are counted, with the first; those of other loggers are read', async () => {
    const { sources, limits } = await diagnose([{ name: 'mixed', data: `${logsOf(name)[0].data}\n${OTHER}\npanic: strange\ngoroutine 1 [running]:\n` }]);
    assert.deepEqual([sources[0].unread, sources[0].firsts.unread.text], [2, 'panic: strange']);
    assert.ok(limits.some((limit) => limit.includes('mixed: 2 lines are not used') && limit.includes('panic: strange')));
  });
});

test('a record keeps the moments that it has seen when the log of a client is added', async () => {
  const row = (owner) => ({ key: 'bbs', owner, type: 'lock', type_code: 1 });
  const look = (atS, message, data, sinceS) => line(atS, 'locket-wasm', `watch.${message}`, { ...data, ...(sinceS !== undefined && { since: new Date((1_795_316_221 + sinceS) * 1000).toISOString() }) });
  const record = { name: 'rec.log', data: [look(0, 'snapshot', { resources: [row('a')] }), look(6, 'changed', { resource: row('b'), previous: row('a') }, 5), look(60, 'changed', { resource: row('c'), previous: row('b') }, 59)].join('\n') };
  const standby = logs({ 'bbs-1': [client(0.5, 'b', 'started'), client(0.6, 'b', 'failed-to-acquire-lock', { error: COLLISION, 'lock-owner': 'a' }), client(26, 'b', 'acquired-lock')] });
  const rowsOf = async (files) => (await diagnose(files)).keys[0].lanes[0].parts.map(({ owner, fromMs }) => [owner, Math.round((fromMs - 1_795_316_221_000) / 1000)]);
  const [, [owner, fromS]] = await rowsOf([...standby, record]);
  assert.deepEqual([owner, fromS >= 5 && fromS <= 6], ['b', true]);
});
