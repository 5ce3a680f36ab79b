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
const fired = (atS, owner, index = 5) => ['fetched-lock', 'released-lock'].map((message) => locket(atS, `lock.register-ttl.fetch-and-release-lock.${message}`, { owner, 'modified-index': index }));
/** The refusals of a standby, every three seconds. */
const refusals = (fromS, toS) => Array.from({ length: (toS - fromS) / 3 + 1 }, (_, index) => locket(fromS + 3 * index, 'lock.lock.lock-already-exists', { owner: 'b' }));
const HOLDER = [client(0.09, 'a', 'started'), client(0.101, 'a', 'acquired-lock')];
const STANDBY = [client(2.3, 'b', 'started'), client(2.31, 'b', 'failed-to-acquire-lock', { error: COLLISION, 'lock-owner': 'a' })];

const exit = (atS, error, source = 'bbs') => line(atS, source, 'exited-with-failure', { error: `Exit trace for group:\nlock exited with error: ${error}\nserver exited with nil\n` });
/** Errors of a process that ended for another reason than its lock. */
const OTHERS = [
  ...['migration-manager exited with error: dial tcp 10.0.0.7:5432: connect: connection refused', 'server exited with error: EOF', 'lock-held-metrics exited with error: context canceled\nhub exited with error: x509: certificate has expired'].map((members) => `Exit trace for group:\n${members}\nlock exited with nil\n`),
  'dial tcp: lookup mysql.service.cf.internal: no such host',
];
const late = (atS) => locket(atS, 'context-cancelled', { 'request-id': 'u2', 'resource-key': 'bbs', 'resource-owner': 'a' });
/** The rows of a holder that loses its lock, and of the next. */
const TAKEN = [started(0), inserted(0.1, 'a', 'u1'), expired(35.11, 'a'), inserted(37.3, 'b', 'u7')];

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
      locket: [started(0), inserted(0.1, 'a', 'u1'), ...refusals(5, 38), ...refusals(11.1, 14.1), expired(15.35, 'a'), inserted(15.82, 'b', 'u2')],
      'bbs-0': [...HOLDER, lost(48.66, 'a', COLLISION, { duration: 1e6 })],
      'bbs-1': [...STANDBY, client(45.826, 'b', 'acquired-lock')],
    },
    has: ['clock-skew likely clock-skew', 'two-owners likely holder-frozen'],
    hasNot: /row-deleted|logs-incomplete/,
    says: /The clock of 'locket' was set back by about 26\.90 s/,
  },
  'of two machines that do not agree, the clock of the one with far fewer lines was set': {
    files: { locket: [inserted(0.1, 'a', 'u1'), ...refusals(2, 11), expired(12.1, 'a'), inserted(12.8, 'b', 'u2'), locket(17.05, 'lock.lock.lock-already-exists', { owner: 'a', 'request-uuid': 'u9' })], 'bbs-0': [...HOLDER, lost(47.056, 'a', COLLISION, { duration: 6e6, 'request-uuid': 'u9' })], 'bbs-1': [client(12.801, 'b', 'acquired-lock')] },
    has: ['two-owners possible holder-frozen'],
    says: /The clock of 'bbs-0' was set ahead by about 30\.00 s/,
  },
  'a holder that runs on after its row has gone may be a second owner': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), ...work(50, 120)], 'bbs-1': [client(41, 'b', 'acquired-lock')] },
    has: ['two-owners likely unknown'],
  },
  'two running holders with one name are two owners': {
    files: { old: [client(0, 'a', 'acquired-lock'), ...work(610, 640)], new: [client(602, 'a', 'started'), client(602.01, 'a', 'acquired-lock'), ...work(632)] },
    says: /^Likely: Two owners .*, with the same owner name\. Both were running for at most 37\.99 s of it\. Likely cause: Both use the owner name 'a'/,
  },
  'an expiry whose owner no line names is one': {
    files: { locket: [inserted(0, 'a', 'u'), locket(35, 'lock.register-ttl.lock-expired', { 'modified-index': 5 })] },
    has: ['expired likely holder-vanished'],
  },
  'an exit of any component and logger is read': {
    files: Object.fromEntries(['auctioneer', 'rep', 'tps-watcher'].map((source) => [source, [exit(0, 'rpc error: code = Unavailable desc = error reading from server: EOF', source)]])),
    has: Array(3).fill('process-exited certain connection-closed'),
  },
  'an exit is not told twice if a line says that the lock was lost, and another has it then': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), lost(20, 'a', COLLISION), exit(20.1, COLLISION), ...work(60)] },
    hasNot: /process-exited|nobody-holding likely/,
  },
  'an exit ends what its client believed': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), exit(20, COLLISION), client(40, 'a', 'started')] },
    has: ['lost-by-collision certain unknown'],
  },
  'an exit alone shows that its program is a client, and the error of its lock, wherever that stands and however deep': {
    files: { a: [exit(0, 'lock-collision\nserver exited with error: EOF')], b: [line(0, 'bbs', 'exited-with-failure', { error: 'Exit trace for group:\nserver exited with error: EOF\nlocks exited with error: Exit trace for group:\nlock exited with error: lock-collision\n\n' })] },
    has: Array(2).fill('process-exited certain lost-by-collision'),
    says: /^(?!.*No log of a client)[^]*nother owner has the row/,
  },
  'an exit for another reason than its lock is not said to be about Locket': {
    files: Object.fromEntries(OTHERS.map((error, index) => [`bbs-${index}`, [client(0, 'a', 'acquired-lock', {}, { key: `key-${index}` }), line(20, 'bbs', 'exited-with-failure', { error })]])),
    has: OTHERS.map(() => 'lost-by-error certain unknown'),
    says: /lost 'key-0': its process ended with a failure\. .*nothing shows that its lock was the cause\. The error says: /,
  },
  'a process that does not come up is one state with a length, until it comes up': {
    files: { 'bbs-0': [...[0, 30, 60, 90].map((atS) => line(atS, 'bbs', 'failed-to-create-locket-client', { error: 'context deadline exceeded' })), client(120, 'a', 'started'), client(120.1, 'a', 'acquired-lock')] },
    has: ['restart-loop certain no-connection'],
    says: /^bbs-0 did not come up for about 2\.0 min/,
  },
  'of a long log, what was judged long ago is known: a process that never comes up does not until its end, and lines far apart are not of one request': {
    files: { locket: [0, 30, 60].map((atS) => line(atS, 'locket', 'sql-failed-to-connect', { error: 'dial tcp 10.0.0.7:5432: connect: connection refused' })), 'locket-b': [inserted(-20, 'b', 'u0'), locket(-10, 'release.release-lock.released-lock', { owner: 'b' }), inserted(0.1, 'a', 'u1'), inserted(30, 'a', 'u2'), ...refusals(40, 1_300)], 'bbs-0': HOLDER, 'bbs-1': [client(1_290, 'b', 'acquired-lock')] },
    has: ['restart-loop certain database-outage'],
    hasNot: /clock-skew/,
    says: /did not come up until the end of the logs, at least 60\.00 s/,
  },
  'without a log of Locket, nothing shows that no Locket deleted a row': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), lost(30, 'a', COLLISION, { duration: 1e6 })], 'bbs-1': [client(20, 'b', 'acquired-lock')] },
    hasNot: /row-deleted/,
    says: /^(?![^]*No Locket deleted)/,
  },
  'a holder that logs nothing while it should renew its row was frozen, for certain if Locket tells of the refusal': {
    files: { locket: [...TAKEN, locket(59.999, 'lock.lock.lock-already-exists', { owner: 'a', 'request-uuid': 'u9' })], 'bbs-0': [...HOLDER, lost(60, 'a', COLLISION, { duration: 1.5e6, 'request-uuid': 'u9' })], 'bbs-1': [client(37.301, 'b', 'acquired-lock')] },
    has: ['two-owners certain holder-frozen'],
  },
  'a line of the holder refutes that it was frozen; its clock may have been set since the last line that Locket has, too': {
    files: { locket: TAKEN, 'bbs-0': [...HOLDER, ...work(31, 33), lost(60, 'a', COLLISION, { duration: 1.5e6 })], 'bbs-1': [client(37.301, 'b', 'acquired-lock')] },
    has: ['two-owners likely unknown'],
    says: /though it was running/,
  },
  'a Locket that logs nothing while requests wait in it may be frozen': {
    files: { locket: [started(0), inserted(0.1, 'a', 'u1'), late(34)], 'bbs-0': [...HOLDER, lost(30, 'a', TIMEOUT, { duration: 5e9, 'request-uuid': 'u2' })] },
    has: ['lost-by-timeout certain locket-frozen', 'locket-frozen possible locket-frozen'],
  },
  'a line of Locket refutes that it was frozen': {
    files: { locket: [started(0), inserted(0.1, 'a', 'u1'), ...work(25, 27, 29, 32).map((text) => text.replaceAll('bbs', 'locket')), late(34)], 'bbs-0': [...HOLDER, lost(30, 'a', TIMEOUT, { duration: 5e9, 'request-uuid': 'u2' })] },
    has: ['lost-by-timeout certain database-slow'],
    hasNot: /locket-frozen/,
  },
  'a loss is not caused by a crash after it': {
    files: { locket: [started(0), inserted(0.1, 'a', 'u1'), locket(20, 'burglar.signalled'), started(22.5), started(31)], 'bbs-0': [client(0.11, 'a', 'acquired-lock'), lost(22, 'a', REFUSED)] },
    has: ['lost-by-timeout certain locket-restart'],
    hasNot: /lost-by-timeout certain locket-crash/,
  },
  'of two Lockets, the one that was down then is named': {
    files: { 'locket-a': [started(0), inserted(0.1, 'a', 'u1'), started(60)], 'locket-b': [started(0), locket(20, 'burglar.signalled'), started(24)], 'bbs-0': [client(0.11, 'a', 'acquired-lock'), lost(22, 'a', REFUSED)] },
    says: /Locket 'locket-b' was stopped/,
  },
  'starts that follow each other quickly are crashes': {
    files: { locket: [started(0), started(6), started(12)] },
    has: ['locket-crash likely unknown', 'locket-crash likely unknown'],
  },
  'a client or a Locket that cannot start for its certificate is an incident, and no fault of the database': {
    files: { 'bbs-1': [line(0, 'bbs', 'failed-to-open-tls-config', { error: EXPIRED })], locket: [line(0, 'locket', 'invalid-tls-config', { error: EXPIRED })] },
    has: Array(2).fill('process-exited certain bad-settings'),
    hasNot: /database/,
    says: /its validity ended at 2026-11-27 02:05:07 UTC/,
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
      locket: TAKEN,
      'bbs-0': [...HOLDER, lost(30.13, 'a', TIMEOUT, { duration: 5e9, 'request-uuid': 'u2' }), client(30.14, 'a', 'completed')],
      'bbs-1': [...STANDBY, client(37.301, 'b', 'acquired-lock')],
    },
    has: ['nobody-holding likely slow-requests'],
    says: /Only bbs-0 had no answers: the network to Locket was cut or slow/,
  },
  'settings that Locket refuses are named': {
    files: { 'bbs-0': [client(0, 'a', 'started', { ttl_in_seconds: 0 }), client(0.1, 'a', 'failed-to-acquire-lock', { error: 'rpc error: code = InvalidArgument desc = invalid-ttl' })] },
    has: ['calls-failed certain refused-settings'],
    says: /\(incident, certain\)[^]*Locket refused the settings of owner 'a' for 'bbs'\.[^]*It says: invalid-ttl/,
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
  'a holder that knew of its row before it was inserted had a wrong clock, and is no second owner': {
    files: { locket: [inserted(0.1, 'a', 'u1'), locket(1.705, 'lock.lock.lock-already-exists', { owner: 'b', 'request-uuid': 'u5' }), expired(12.1, 'a'), inserted(12.8, 'b', 'u2')], 'bbs-0': [...HOLDER, lost(9.1, 'a', TIMEOUT)], 'bbs-1': [client(1.7, 'b', 'started'), client(1.706, 'b', 'failed-to-acquire-lock', { error: COLLISION, 'lock-owner': 'a', 'request-uuid': 'u5' }), client(6.8, 'b', 'acquired-lock')] },
    hasNot: /two-owners (?:certain|likely)/,
  },
  'a renewal is refused when another owner has the row, also by a clock that stood still': {
    files: { locket: [inserted(0.1, 'a', 'u1'), expired(62, 'a'), inserted(63.8, 'b', 'u2')], 'bbs-0': [...HOLDER, ...work(48), lost(50.2, 'a', COLLISION, { duration: 2e6 })], 'bbs-1': [client(63.81, 'b', 'acquired-lock')] },
    has: ['lost-by-collision certain holder-frozen'],
    hasNot: /nobody-holding/,
  },
  'a call that was under way when the row expired shows that its client tried to renew it': {
    files: { locket: [inserted(0.1, 'a', 'u1'), expired(73, 'a')], 'bbs-0': [...HOLDER, lost(79, 'a', TIMEOUT, { duration: 15e9 })] },
    has: ['expired certain slow-requests'],
  },
  'a row that was written once was not renewed a TTL before its end': {
    files: { locket: [inserted(1, 'admin', 'u1'), ...fired(3_601, 'admin', 1)], 'bbs-0': STANDBY },
    says: /owned by 'admin'; it was never renewed\.\n/,
  },
  'a client has the TTL that its last start says': {
    files: { locket: [inserted(60.1, 'a', 'u1'), ...fired(120, 'a')], 'bbs-0': [...HOLDER, client(60, 'a', 'started', { ttl_in_seconds: 30 }), client(60.2, 'a', 'acquired-lock', { ttl_in_seconds: 30 })] },
    says: /its last renewal was about 30\.00 s before/,
  },
  'a timer that waited for the database does not say when its row was renewed': {
    files: { locket: [inserted(0.1, 'a', 'u1'), locket(30, 'lock.failed-locking-lock', { owner: 'a', error: 'context deadline exceeded' }), ...fired(40, 'a')], 'bbs-0': HOLDER },
    says: /owned by 'a'\.\n/,
  },
  ...Object.fromEntries(['a', 'b'].map((other) => [`rows of owners a and ${other} in two Lockets may be those of two deployments`, {
    files: { 'a/locket': [inserted(0.1, 'a', 'u1')], 'a/bbs': [...HOLDER, ...work(40, 50)], 'b/locket': [inserted(30, other, 'u2')], 'b/bbs': [client(30.01, other, 'acquired-lock'), ...work(40, 50)] },
    hasNot: /(?:two-owners|row-deleted) (?:certain|likely)/,
    says: /^Possible, and not shown by the logs: [^]*Or these are two deployments/,
  }])),
  'a holder of which no line is there until it starts again may have ended long before': {
    files: { 'bbs-0': [client(0, 'a', 'acquired-lock'), ...work(20), client(80, 'a', 'started')], 'bbs-1': [client(41, 'b', 'acquired-lock')] },
    has: ['two-owners possible unknown'],
  },
  'a holder that never renews its row in time has the wrong settings': {
    files: { locket: [0.1, 5.2, 10.3].flatMap((atS) => [inserted(atS, 'a', `u${atS}`), ...fired(atS + 5, 'a', 1)]), 'bbs-0': [...HOLDER, ...work(20)] },
    has: ['expired certain bad-settings', 'expired certain bad-settings', 'expired certain bad-settings'],
  },
  'a stop is one however long ago it was': {
    files: { locket: [inserted(0.1, 'a', 'u1'), ...refusals(100, 1_300)], 'bbs-0': [...HOLDER, client(60, 'a', 'signalled'), client(60.1, 'a', 'released-lock'), client(60.2, 'a', 'completed'), client(1_300, 'a', 'acquired-lock')] },
    has: ['nobody-holding likely planned-stop'],
  },
  'the times of a long log stay those of one clock, while others can be compared with it': {
    files: { locket: [inserted(0.1, 'a', 'u1'), ...refusals(100, 1_300), ...fired(1_310, 'a'), inserted(1_312, 'b', 'u2')], 'bbs-0': [client(30.101, 'a', 'acquired-lock')], 'bbs-1': [client(1_372.001, 'b', 'acquired-lock')] },
    says: /times are of locket$/m,
  },
  'an owner whose row was released has given up, though its own lines are missing': {
    files: { locket: [inserted(0.1, 'a', 'u1'), locket(30, 'release.release-lock.released-lock', { owner: 'a' }), inserted(32, 'b', 'u2')], 'bbs-0': [...HOLDER, ...work(10, 60)], 'bbs-1': [client(32.1, 'b', 'acquired-lock')] },
    hasNot: /two-owners likely/,
  },
  'a log that is given twice is read once, and so are lines that a collector writes twice': {
    files: { 'bbs-0': [...HOLDER, ...work(60)], 'bbs-0 (1)': [...HOLDER, ...work(60)], locket: [started(0), started(0), ...[0, 0].flatMap(() => inserted(0.1, 'a', 'u1'))] },
    hasNot: /./,
  },
  'a deletion by a clock that nothing compares is that of the row that was written as often, and not of a later one': {
    files: { locket: [inserted(0.1, 'a', 'u1'), ...[1, 2, 3].map((index) => locket(5 * index, 'lock.register-ttl.starting', { 'modified-index': index })), inserted(47, 'a', 'u2'), ...[1, 2, 3, 4, 5].map((index) => locket(47 + 5 * index, 'lock.register-ttl.starting', { 'modified-index': index }))], 'locket-b': fired(77, 'a', 3), 'bbs-0': [...HOLDER, lost(20, 'a', TIMEOUT), client(47.01, 'a', 'acquired-lock'), ...work(90)] },
    has: ['expired certain slow-requests'],
    hasNot: /row-deleted/,
  },
  'what no line compares with the clock of a long report has no bounds': {
    files: { 'a/locket': [...TAKEN, ...refusals(100, 1_300)], 'a/bbs': HOLDER, 'b/locket': ['x', 'y'].map((key) => locket(1_400, 'lock.lock.acquired-lock', { key, owner: 'c', 'request-uuid': key })), 'b/bbs': [...['x', 'y'].map((key) => client(1_400.001, 'c', 'acquired-lock', {}, { key })), client(1_450, 'c', 'lost-lock', { error: TIMEOUT }, { key: 'x' })] },
    has: ['lost-by-timeout certain slow-requests'],
    says: /times are of a\/locket\n[^]*lost-by-timeout \(incident, certain\) [\d:.]+ \(−unknown \+unknown\)/,
  },
  'a program that was made anew is not two, if the log of the first had ended': {
    files: { 'old/bbs': [...HOLDER, ...work(50)], 'new/bbs': [client(60, 'a', 'acquired-lock'), client(100, 'a', 'signalled'), client(100.1, 'a', 'released-lock')] },
    hasNot: /two-owners (?:certain|likely)/,
  },
  'a holder that went on after the next row had gone may have lost its lock meanwhile': {
    files: { locket: [...TAKEN, locket(60, 'release.release-lock.released-lock', { owner: 'b' })], 'bbs-0': [...HOLDER, lost(90, 'a', TIMEOUT, { duration: 5e9 })], 'bbs-1': [client(37.301, 'b', 'acquired-lock'), client(59.9, 'b', 'signalled')] },
    hasNot: /two-owners certain/,
  },
  'a standby that was refused had come up, and its end for another reason is no incident': {
    files: { locket: refusals(10, 7_000), 'bbs-1': [line(0, 'bbs', 'exited-with-failure', { error: 'EOF' }), ...STANDBY, line(7_200, 'bbs', 'exited-with-failure', { error: 'EOF' })] },
    has: ['process-exited certain unknown', 'process-exited certain unknown'],
    says: /^No incident, but: bbs-1 ended with a failure/,
  },
  'a Locket that ends with a failure was not stopped in order': {
    files: { locket: [started(0), locket(10, 'burglar.signalled'), line(10.1, 'locket', 'exited-with-failure', { error: 'Exit trace for group:\nserver exited with error: EOF\n' }), started(20)] },
    has: ['locket-restart certain unknown', 'process-exited certain unknown'],
  },
  'of a call whose length is not there, nothing shows for how long both ran': {
    files: { locket: [inserted(0.1, 'a', 'u1'), expired(45, 'a'), inserted(46.5, 'b', 'u2')], 'bbs-0': [...HOLDER, lost(70, 'a', COLLISION, { duration: undefined })], 'bbs-1': [client(46.51, 'b', 'acquired-lock')] },
    says: /both believed to hold it\.\n/,
  },
  'a request that failed without a timeout is not said to have timed out': {
    files: { locket: [inserted(5, 'a', 'u1')], 'bbs-0': [client(4.9, 'a', 'started'), client(5.1, 'a', 'failed-to-acquire-lock', { error: REFUSED.replace('DeadlineExceeded', 'Unavailable'), 'request-uuid': 'u1' })] },
    has: ['unaware-owner certain calls-failed'],
  },
  'lines without the id of a request are of none': {
    files: { locket: [inserted(0.1, 'a', ''), ...fired(20, 'b')], 'bbs-0': [...HOLDER, lost(30, 'a', TIMEOUT, { duration: 5e9 })] },
    hasNot: /slow-replies/,
  },
  'a standby that stops, and learns that it has nothing to release, is no finding, and neither is the exit of a program without a lock': {
    files: {
      other: [line(0, 'nginx', 'exited-with-failure', { error: 'listen tcp :80: bind: permission denied' })],
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

describe('lines that are not used', () => {
  for (const [what, data] of [['cfdot', '{"key":"bbs","owner":"api-0","type":"lock","type_code":1}\n'], ['jq', '{\n  "key": "bbs",\n  "owner": "api-0"\n}\n'], ['mysql', '*************************** 1. row ***************************\n    path: bbs\n   owner: api-0\n'], ['psql', '-[ RECORD 1 ]--+-\npath | bbs\n']]) {
    test(`rows that ${what} lists have no time, and the report says so`, async () => {
      const { limits } = await diagnose([{ name: 'rows', data }]);
      assert.ok(limits.some((limit) => limit.startsWith('rows: 1 line is not used: rows of a list without times')), limits.join('\n'));
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
    assert.match(diagnosisText(diagnosis), /\n5\. (?![^]*\n6\. )[^]*\n\d+ more findings?; --all prints them\.\n/);
  });
});
