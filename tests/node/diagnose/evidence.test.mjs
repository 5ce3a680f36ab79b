// Evidence beside the lines of a lock: exits, lines of other loggers, missing logs, and the forms in which logs are exported.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { diagnose, diagnosisText } from 'locket-wasm/diagnose';

import { logsOf } from '../support/diagnose-logs.mjs';
import { client, expired, inserted, line, locket, logs, started } from '../support/log-lines.mjs';

const COLLISION = 'rpc error: code = AlreadyExists desc = lock-collision';
const TIMEOUT = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded';
const exit = (atS, error, source = 'bbs') => line(atS, source, 'exited-with-failure', { error });
const trace = (error) => `Exit trace for group:\nlock exited with error: ${error}\nserver exited with nil\n`;
const ofKind = ({ findings }, kind) => findings.filter((finding) => finding.kind === kind);

describe('the exit of a process', () => {
  test('alone says why it ended, and that it is a client', async () => {
    const diagnosis = await diagnose(logs({ 'bbs-0': [exit(0, trace(COLLISION))] }));
    const [end] = diagnosis.findings;
    assert.deepEqual([end.kind, end.certainty, end.causeKind, diagnosis.verdict], ['process-exited', 'certain', 'lost-by-collision', 'incident']);
    assert.match(end.cause, /another owner has the row/);
    assert.ok(!diagnosis.limits.some((limit) => limit.includes('No log of a client')));
  });

  test('of any component and logger is read', async () => {
    for (const source of ['auctioneer', 'rep', 'tps-watcher']) {
      const { findings } = await diagnose(logs({ own: [exit(0, trace('rpc error: code = Unavailable desc = error reading from server: EOF'), source)] }));
      assert.deepEqual(findings.map(({ kind, causeKind }) => [kind, causeKind]), [['process-exited', 'connection-closed']]);
    }
  });

  test('is not told twice if a line says that the lock was lost', async () => {
    const diagnosis = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), client(20, 'a', 'lost-lock', { error: COLLISION, duration: 1e6 }), exit(20.1, trace(COLLISION))] }));
    assert.deepEqual(ofKind(diagnosis, 'process-exited'), []);
  });

  test('ends what the client believed', async () => {
    const { keys } = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), exit(20, trace(COLLISION)), client(40, 'a', 'started')] }));
    const [belief] = keys[0].lanes.find(({ name }) => name === 'bbs-0').parts;
    assert.equal(belief.end, 'lost');
  });

  test('for another reason than its lock is not said to be about Locket', async () => {
    const group = (...members) => `Exit trace for group:\n${members.join('\n')}\nlock exited with nil\n`;
    for (const error of [
      group('migration-manager exited with error: dial tcp 10.0.0.7:5432: connect: connection refused'),
      group('server exited with error: EOF'),
      group('lock-held-metrics exited with error: context canceled', 'hub exited with error: x509: certificate has expired'),
      'dial tcp: lookup mysql.service.cf.internal: no such host',
    ]) {
      const { findings, summary } = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), exit(20, error)] }));
      const [{ causeKind, causeCertainty }] = findings.filter(({ kind }) => kind === 'lost-by-error');
      assert.deepEqual([causeKind, causeCertainty], ['unknown', null], error);
      assert.match(summary, /^bbs-0 lost 'bbs': its process ended with a failure\. .*nothing shows that its lock was the cause\. The error says: /);
    }
  });

  test('of Locket names its database only if its error does', async () => {
    const causeOf = async (error) => (await diagnose(logs({ locket: [started(0), exit(10, error, 'locket')] }))).findings.map(({ kind, causeKind }) => [kind, causeKind]);
    for (const [error, kind] of [
      ['Exit trace for group:\nserver exited with error: EOF\nburglar exited with nil\n', 'unknown'],
      ['dial tcp 127.0.0.1:3457: connect: connection refused', 'unknown'],
      ['Exit trace for group:\nserver exited with error: listen tcp 0.0.0.0:8891: bind: address already in use\n', 'port-in-use'],
      ['Exit trace for group:\nburglar exited with error: dial tcp 10.0.0.7:5432: connect: connection refused\n', 'database-outage'],
      ['Exit trace for group:\ndb-health-check-runner exited with error: driver: bad connection\n', 'database-outage'],
    ]) assert.deepEqual(await causeOf(error), [['process-exited', kind]], error);
  });

  test('has the error of its lock, wherever that stands and however deep', async () => {
    for (const error of [
      'Exit trace for group:\nserver exited with error: EOF\nlock exited with error: lock-collision\n',
      'Exit trace for group:\nlocks exited with error: Exit trace for group:\nlock exited with error: lock-collision\n\nserver exited with error: EOF\n',
    ]) {
      const [end] = (await diagnose(logs({ 'bbs-0': [exit(0, error)] }))).findings;
      assert.equal(end.causeKind, 'lost-by-collision', error);
    }
  });

  test('of a program without a lock is none of an incident', async () => {
    const { findings } = await diagnose(logs({ other: [exit(0, 'listen tcp :80: bind: permission denied', 'nginx')] }));
    assert.deepEqual(findings, []);
  });
});

describe('a process that does not come up', () => {
  test('is one state with a length, until it comes up', async () => {
    const ends = [0, 30, 60, 90].map((atS) => line(atS, 'bbs', 'failed-to-create-locket-client', { error: 'context deadline exceeded' }));
    const diagnosis = await diagnose(logs({ 'bbs-0': [...ends, client(120, 'a', 'started'), client(120.1, 'a', 'acquired-lock')] }));
    const [loop, ...others] = ofKind(diagnosis, 'restart-loop');
    assert.deepEqual([others, loop.isOpen, Math.round((loop.toMs - loop.fromMs) / 1000)], [[], false, 120]);
    assert.match(loop.summary, /did not come up for about 120\.\d\d s|did not come up for about 2/);
  });

  test('lasts until the end of the logs if it never comes up', async () => {
    const ends = [0, 30, 60].map((atS) => line(atS, 'locket', 'sql-failed-to-connect', { error: 'dial tcp 10.0.0.7:5432: connect: connection refused' }));
    const [loop] = ofKind(await diagnose(logs({ locket: ends })), 'restart-loop');
    assert.deepEqual([loop.isOpen, loop.toMs - loop.fromMs, loop.causeKind], [true, 60_000, 'database-outage']);
  });
});

describe('a finding that rests on a missing log', () => {
  // Each Locket has a clock of its own, and the end of the first row is in the log of neither.
  const POSSIBLE = { 'locket-a': [started(0), inserted(1, 'a', 'u')], 'locket-b': [started(0.5), inserted(30, 'b', 'v')] };

  test('is no event of the headline, and no incident', async () => {
    const diagnosis = await diagnose(logs(POSSIBLE));
    assert.deepEqual(diagnosis.findings.filter(({ severity, certainty }) => severity === 'incident' && certainty !== 'possible'), []);
    assert.equal(diagnosis.verdict, 'possible');
    assert.match(diagnosis.summary, /^No incident, but|^Possible, and not shown by the logs: /);
    assert.deepEqual(diagnosis.causes, []);
  });

  test('without a log of Locket does not say that no Locket deleted the row', async () => {
    const diagnosis = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), client(30, 'a', 'lost-lock', { error: COLLISION, duration: 1e6 })], 'bbs-1': [client(20, 'b', 'acquired-lock')] }));
    assert.deepEqual(ofKind(diagnosis, 'row-deleted'), []);
    assert.doesNotMatch(diagnosisText(diagnosis), /No Locket deleted/);
  });
});

describe('a line in a gap', () => {
  const HOLDER = [client(0.1, 'a', 'started'), client(0.11, 'a', 'acquired-lock'), client(60, 'a', 'lost-lock', { duration: 1_500_000, error: COLLISION })];
  const LOCKET = [started(0), inserted(0.1, 'a', 'u1'), expired(35.11, 'a'), inserted(37.3, 'b', 'u7')];
  const STANDBY = [client(2, 'b', 'started'), client(37.301, 'b', 'acquired-lock')];

  test('of the holder refutes that it was frozen', async () => {
    const frozen = await diagnose(logs({ locket: LOCKET, 'bbs-0': HOLDER, 'bbs-1': STANDBY }));
    assert.equal(ofKind(frozen, 'two-owners')[0].causeKind, 'holder-frozen');
    const awake = [...HOLDER, line(31, 'bbs', 'request.serving', { session: '9' }), line(33, 'bbs', 'request.done', { session: '9' })];
    const [overlap] = ofKind(await diagnose(logs({ locket: LOCKET, 'bbs-0': awake, 'bbs-1': STANDBY })), 'two-owners');
    assert.equal(overlap.causeKind, 'unknown');
    assert.match(overlap.cause, /though it was running/);
  });

  const late = (atS, uuid, owner) => locket(atS, 'context-cancelled', { 'request-id': uuid, 'resource-key': 'bbs', 'resource-owner': owner });
  const lost = [client(0.1, 'a', 'started'), client(0.11, 'a', 'acquired-lock'), client(30, 'a', 'lost-lock', { duration: 5e9, error: TIMEOUT, 'request-uuid': 'u2' })];

  test('of Locket refutes that Locket was frozen', async () => {
    const asleep = await diagnose(logs({ locket: [started(0), inserted(0.1, 'a', 'u1'), late(34, 'u2', 'a')], 'bbs-0': lost }));
    assert.equal(ofKind(asleep, 'lost-by-timeout')[0].causeKind, 'locket-frozen');
    assert.equal(ofKind(asleep, 'lost-by-timeout')[0].causeCertainty, 'possible');
    const lines = [25, 27, 29, 32].map((atS) => line(atS, 'locket', 'lock.started', { session: '12' }));
    const awake = await diagnose(logs({ locket: [started(0), inserted(0.1, 'a', 'u1'), ...lines, late(34, 'u2', 'a')], 'bbs-0': lost }));
    assert.deepEqual(ofKind(awake, 'locket-frozen'), []);
    assert.equal(ofKind(awake, 'lost-by-timeout')[0].causeKind, 'database-slow');
    assert.doesNotMatch(awake.summary, /was frozen/);
  });
});

describe('logs as they are exported', () => {
  const name = 'c-sigstop';
  const findingsOf = async (files) => (await diagnose(files)).findings.map(({ kind, certainty, summary, fromMs }) => ({ kind, certainty, summary, fromMs }));
  const each = (of) => logsOf(name).map((log) => ({ name: log.name, data: log.data.split('\n').filter(Boolean).map(of).join('\n') }));

  const FORMS = {
    'Docker': (text) => JSON.stringify({ log: `${text}\n`, stream: 'stdout', time: '2026-11-22T02:57:00Z' }),
    'Kibana': (text) => JSON.stringify({ _index: 'logs', _source: { '@timestamp': '2026-11-22T02:57:00Z', message: text } }),
    'Kibana, read as objects': (text) => JSON.stringify({ '@timestamp': 'x', message: 'a line', locket: JSON.parse(text) }),
    'Loki': (text) => JSON.stringify({ line: text, timestamp: '1795316221518034458', fields: { job: 'bbs' } }),
    'CloudWatch': (text) => `      "message": ${JSON.stringify(text)},`,
    'an export of an export': (text) => JSON.stringify({ message: JSON.stringify({ log: text }) }),
    'a list of JSON': (text) => `${text},`,
    'Windows': (text) => `${text}\r`,
  };
  for (const [form, of] of Object.entries(FORMS)) {
    test(`by ${form} are read`, async () => assert.deepEqual(await findingsOf(each(of)), await findingsOf(logsOf(name))));
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

  test('and lines that are not read are counted, with the first', async () => {
    const { sources, limits } = await diagnose([{ name: 'mixed', data: `${logsOf(name)[0].data}\npanic: strange\ngoroutine 1 [running]:\n` }]);
    assert.deepEqual([sources[0].unread, sources[0].firstUnread.text], [2, 'panic: strange']);
    assert.ok(limits.some((limit) => limit.includes('mixed: 2 lines are not read') && limit.includes('panic: strange')));
  });

  test('and lines of other loggers of the same program are no unread lines', async () => {
    const { sources } = await diagnose(logs({ 'bbs-0': [client(0, 'a', 'acquired-lock'), line(1, 'bbs', 'request.serving', {})] }));
    assert.deepEqual([sources[0].lines, sources[0].used, sources[0].unread, sources[0].firstUnread], [2, 1, 0, null]);
  });
});

describe('evidence of one source is not overruled by a guess from another', () => {
  test('the last renewal that Locket logs stays when a client shows the TTL', async () => {
    const renewedOf = async (files) => (await diagnose(files)).keys[0].lanes[0].parts.map(({ renewedMs }) => renewedMs);
    const files = logsOf('c-sigstop-debug');
    const locketAlone = files.filter((log) => log.name.startsWith('locket'));
    assert.deepEqual(await renewedOf([...locketAlone, ...files.filter((log) => log.name === 'bbs-1.log')]), await renewedOf(locketAlone));
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
});
