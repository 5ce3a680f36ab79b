// What logs from the field have got wrong, and what no recording has, a row for each kind: the lines, and what is said of them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose, diagnosisText } from 'locket-wasm/diagnose';

import { logsOf } from '../support/diagnose-logs.mjs';
import { client, expired, inserted, line, locket, logs, started } from '../support/log-lines.mjs';

const COLLISION = 'rpc error: code = AlreadyExists desc = lock-collision';
const TIMEOUT = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded';
const REFUSED = `${TIMEOUT.replace('context deadline exceeded', 'latest balancer error')}: dial tcp 10.0.0.5:8891: connect: connection refused`;
const EXPIRED = 'failed to load keypair: certificate has expired: validity ended at 2026-11-27 02:05:07 UTC but current time is 2026-11-28 02:08:40 UTC';
const work = (...times) => times.map((atS) => line(atS, 'bbs', 'request.serving', { session: '9' }));
const lost = (atS, owner, error, data = {}) => client(atS, owner, 'lost-lock', { duration: 1e9, error, ...data });
const cloudController = (atS, message) => JSON.stringify({ ...JSON.parse(line(atS, 'cc.locket-client', '', {})), message });
/** The refusals of a standby, every three seconds. */
const refusals = (fromS, toS) => Array.from({ length: (toS - fromS) / 3 + 1 }, (_, index) => locket(fromS + 3 * index, 'lock.lock.lock-already-exists', { owner: 'b' }));
const HOLDER = [client(0.09, 'a', 'started'), client(0.101, 'a', 'acquired-lock')];
const STANDBY = [client(2.3, 'b', 'started'), client(2.31, 'b', 'failed-to-acquire-lock', { error: COLLISION, 'lock-owner': 'a' })];

/** Lines, and a finding as `kind certainty cause`, which there is or is not. */
const CASES = {
  'a clock that is set back between two lines is told as a clock, and not as two owners': {
    files: {
      locket: [inserted(0, 'a', 'u1'), locket(300, 'release.release-lock.released-lock', { owner: 'a' }), inserted(301, 'b', 'u2'), locket(600, 'release.release-lock.released-lock', { owner: 'b' }), inserted(600.5, 'a', 'u3')],
      'bbs-0': [client(0.001, 'a', 'acquired-lock'), client(209.999, 'a', 'signalled'), client(210.001, 'a', 'released-lock'), client(510.4, 'a', 'started'), client(510.501, 'a', 'acquired-lock')],
      'bbs-1': [client(3, 'b', 'failed-to-acquire-lock', { error: COLLISION, 'lock-owner': 'a' }), client(301.001, 'b', 'acquired-lock'), client(599.999, 'b', 'signalled'), client(600.001, 'b', 'released-lock')],
    },
    has: ['clock-skew likely clock-skew'],
    hasNot: /two-owners/,
  },
  "a clock of Locket that is set back is told, and the two owners beside it, too": {
    files: {
      locket: [started(0), inserted(0.1, 'a', 'u1'), ...refusals(5, 38), ...refusals(11, 14), expired(15.35, 'a'), inserted(15.82, 'b', 'u2')],
      'bbs-0': [...HOLDER, lost(48.66, 'a', COLLISION, { duration: 1e6 })],
      'bbs-1': [...STANDBY, client(45.826, 'b', 'acquired-lock')],
    },
    has: ['clock-skew likely clock-skew', 'two-owners likely holder-frozen'],
    hasNot: /row-deleted|logs-incomplete/,
    says: /The clock of 'locket' was set back by about 27\.00 s/,
  },
  'a holder that runs on after its row has gone may be a second owner': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), ...work(50, 120)], 'bbs-1': [client(41, 'b', 'acquired-lock')] },
    has: ['two-owners likely unknown'],
  },
  'two running holders with one name are two owners': {
    files: { old: [client(0, 'a', 'acquired-lock'), ...work(610, 640)], new: [client(602, 'a', 'started'), client(602.01, 'a', 'acquired-lock'), ...work(632)] },
    has: ['two-owners likely same-owner-name'],
  },
  'an expiry whose owner no line names is one': {
    files: { locket: [inserted(0, 'a', 'u'), locket(35, 'lock.register-ttl.lock-expired', { 'modified-index': 5 })] },
    has: ['expired likely holder-vanished'],
  },
  'a loss is not caused by a crash after it': {
    files: {
      locket: [started(0), inserted(0.1, 'a', 'u1'), locket(20, 'burglar.signalled'), started(22.5), started(31)],
      'bbs-0': [client(0.11, 'a', 'acquired-lock'), lost(22, 'a', REFUSED)],
    },
    has: ['lost-by-timeout certain locket-restart'],
    hasNot: /lost-by-timeout certain locket-crash/,
  },
  'of two Lockets, the one that was down then is named': {
    files: {
      'locket-a': [started(0), inserted(0.1, 'a', 'u1'), started(60)],
      'locket-b': [started(0), locket(20, 'burglar.signalled'), started(24)],
      'bbs-0': [client(0.11, 'a', 'acquired-lock'), lost(22, 'a', REFUSED)],
    },
    says: /Locket 'locket-b' was stopped/,
  },
  'starts that follow each other quickly are crashes': {
    files: { locket: [started(0), started(6), started(12)] },
    has: ['locket-crash likely unknown', 'locket-crash likely unknown'],
  },
  'a client that cannot start for its certificate is an incident': {
    files: { 'bbs-1': [line(0, 'bbs', 'failed-to-open-tls-config', { error: EXPIRED })] },
    has: ['process-exited certain bad-settings'],
    says: /its validity ended at 2026-11-27 02:05:07 UTC/,
  },
  'a certificate of Locket that has expired is no fault of its database': {
    files: { locket: [line(0, 'locket', 'invalid-tls-config', { error: EXPIRED })] },
    has: ['process-exited certain bad-settings'],
    hasNot: /database/,
  },
  "the Cloud Controller's loop holds, loses and takes its lock": {
    files: {
      'cc-0': [cloudController(0, "Acquired lock 'x' for owner 'a'"), cloudController(129, "Failed to acquire lock 'x' for owner 'a': 14:failed to connect to all addresses")],
      'cc-1': [cloudController(1, "Failed to acquire lock 'x' for owner 'b': 6:lock-collision"), cloudController(146, "Acquired lock 'x' for owner 'b'")],
    },
    has: ['lost-by-error certain no-connection', 'nobody-holding likely no-connection'],
  },
  'where only one client has no answers, its way to Locket is thought of': {
    files: {
      locket: [started(0), inserted(0.1, 'a', 'u1'), expired(35.11, 'a'), inserted(37.3, 'b', 'u7')],
      'bbs-0': [...HOLDER, lost(30.13, 'a', TIMEOUT, { duration: 5e9, 'request-uuid': 'u2' }), client(30.14, 'a', 'completed')],
      'bbs-1': [...STANDBY, client(37.301, 'b', 'acquired-lock')],
    },
    has: ['nobody-holding certain slow-requests'],
    says: /Only bbs-0 had no answers: the network to Locket was cut or slow/,
  },
  'settings that Locket refuses are named': {
    files: { 'bbs-0': [client(0, 'a', 'started', { ttl_in_seconds: 0 }), client(0.1, 'a', 'failed-to-acquire-lock', { error: 'rpc error: code = InvalidArgument desc = invalid-ttl' })] },
    has: ['calls-failed certain refused-settings'],
    says: /\(incident, certain\)[^]*1 call of bbs-0 to Locket failed\./,
  },
  'a holder that is told to stop, and then releases, has given up once': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), client(10, 'a', 'signalled'), client(10.5, 'a', 'released-lock'), ...work(20)] },
    has: ['nobody-holding likely planned-stop'],
    hasNot: /nobody-holding[^]*nobody-holding/,
  },
  'a holder whose first line is missing has held until it is told to stop': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), lost(5, 'a', TIMEOUT)], 'bbs-1': [client(1, 'b', 'started'), client(30, 'b', 'signalled'), client(30.1, 'b', 'released-lock'), ...work(40)] },
    hasNot: /nobody-holding certain/,
    says: /bbs-1 gave it up/,
  },
  'a renewal whose line names no owner shows that a row was there again': {
    files: { locket: [inserted(0, 'a', 'u1'), expired(20, 'a'), locket(22, 'lock.register-ttl.starting', { 'modified-index': 1 }), inserted(60, 'b', 'u2')] },
    has: ['no-row likely holder-vanished'],
    says: /no row for 'bbs' for about 2\.00 s/,
  },
  'of two holders by clocks that only a guess compares, the second is possible': {
    files: {
      locket: [locket(19, 'lock.lock.lock-already-exists', { owner: 'b' }), inserted(20.4, 'a', 'u1'), expired(50.6, 'a'), inserted(52.6, 'b', 'u2')],
      'bbs-0': [client(0, 'a', 'started'), client(0.1, 'a', 'acquired-lock'), lost(45.6, 'a', TIMEOUT, { duration: 5e9 })],
      'bbs-1': [client(52.61, 'b', 'acquired-lock')],
    },
    hasNot: /two-owners (?:certain|likely)/,
  },
  'a standby that stops, and learns that it has nothing to release, is no finding': {
    files: {
      locket: [started(0), inserted(0.1, 'a', 'u1'), locket(9.01, 'release.release-lock.cannot-release-lock', { owner: 'b', error: COLLISION })],
      'bbs-0': HOLDER,
      'bbs-1': [...STANDBY, client(9, 'b', 'signalled'), client(9.02, 'b', 'failed-to-release-lock', { error: COLLISION }), client(9.03, 'b', 'completed')],
    },
    hasNot: /./,
  },
};

describe('logs from the field', () => {
  for (const [claim, { files, has = [], hasNot, says }] of Object.entries(CASES)) {
    test(claim, async () => {
      const diagnosis = await diagnose(logs(files));
      const found = diagnosis.findings.map(({ kind, certainty, causeKind }) => `${kind} ${certainty} ${causeKind}`);
      const expected = has.filter((one) => !found.includes(one) || found.filter((other) => other === one).length < has.filter((other) => other === one).length);
      assert.deepEqual(expected, [], found.join('\n'));
      if (hasNot !== undefined) assert.doesNotMatch(found.join('\n'), hasNot);
      if (says !== undefined) assert.match(diagnosisText(diagnosis), says);
    });
  }
});

describe('JSON in any form', () => {
  const log = logs({ bbs: [client(0, 'a', 'acquired-lock'), ...work(20, 21), lost(30, 'a', TIMEOUT)] })[0].data.split('\n').map((text) => JSON.parse(text));
  const FORMS = {
    'with blanks': log.map((value) => JSON.stringify(value, null, 1).replaceAll('\n', '')).join('\n'),
    'over several lines': log.map((value) => JSON.stringify(value, null, 2)).join('\n'),
    'as a list over several lines': JSON.stringify(log, null, 1),
    'as a list on one line': JSON.stringify(log),
  };
  for (const [form, data] of Object.entries(FORMS)) {
    test(`${form} is read, with the lines of work`, async () => {
      const { findings, sources } = await diagnose([{ name: 'bbs.log', data }]);
      assert.deepEqual([findings.some(({ kind }) => kind === 'lost-by-timeout'), sources[0].used, sources[0].unread, sources[0].broken], [true, 2, 0, 0]);
    });
  }

  for (const [what, data] of [['cfdot', '{"key":"bbs","owner":"api-0","type":"lock","type_code":1}\n'], ['mysql', '*************************** 1. row ***************************\n    path: bbs\n   owner: api-0\n']]) {
    test(`rows that ${what} lists have no time, and the report says so`, async () => {
      const { limits } = await diagnose([{ name: 'rows', data }]);
      assert.ok(limits.some((limit) => limit.startsWith('rows: 1 row is of a list without times')), limits.join('\n'));
    });
  }
});

describe('one or all, again and again', () => {
  const cell = (index, ...times) => times.flatMap((atS) => {
    const own = (message, at, data) => client(at, `c${index}`, message, data, { key: `cell-${index}`, type: 'presence', type_code: 2 });
    return [own('acquired-lock', atS), own('lost-lock', atS + 600 + index / 100, { duration: 15e9, error: TIMEOUT })];
  });

  test('forty cells that are lost at once are one sentence, which fits a screen with its lines', async () => {
    const diagnosis = await diagnose(logs(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`rep-${index}`, [...cell(index, 0), line(700, 'bbs', 'request.serving', {})]]))));
    assert.match(diagnosis.summary, /The same with 39 more keys: 'cell-\d+', .* and 35 more\./);
    assert.ok(diagnosis.groups.length <= 3, JSON.stringify(diagnosis.groups));
    assert.ok(diagnosisText(diagnosis).split('\n').length <= 50, diagnosisText(diagnosis));
  });

  test('what comes back again and again has a period', async () => {
    const { summary } = await diagnose(logs({ 'rep-0': cell(0, 0, 1_000, 2_000, 3_000) }));
    assert.match(summary, /The same again 2 times|The same again 3 times, about every 16\.7 min\./);
  });

  test('a report has the worst five findings', async () => {
    const diagnosis = await diagnose(logsOf('h-presences'));
    assert.match(diagnosisText(diagnosis), /\n5\. [^]*\n\d+ more findings?; --all prints them\.\n/);
    assert.doesNotMatch(diagnosisText(diagnosis), /\n6\. /);
  });
});
