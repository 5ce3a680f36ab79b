// The command `metrics`: samples as the processes send them, and when alerts fire.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { cli } from '../support/command-line.mjs';

const runner = (name, key, more = {}) => ({ name, key, retryInterval: '5s', runner: 'upstream', ...more });
const scenario = (more) => JSON.stringify({ name: 'a test', profile: 'upstream', until: '4m', clients: [runner('bbs-0', 'bbs'), runner('bbs-1', 'bbs', { startAt: '2s' })], ...more });

/** The rows of the CSV of a scenario: `[seconds, process, value]` of a metric. */
function samples(metric, more, args = []) {
  const { stdout, stderr, status } = cli(['metrics', '-', '--format', 'csv', ...args], scenario(more));
  assert.equal(status, 0, stderr);
  const rows = stdout.trimEnd().split('\n').slice(1).map((line) => line.split(','));
  return rows.filter(([, name]) => name === metric).map(([time, , process, , type, value]) => [Number(time) / 1000, type === '' ? process : type, Number(value)]);
}

/** The report, with the alerts for some rules. */
function report(rules, more, args = ['--phases', '0']) {
  const { stdout, stderr, status } = cli(['metrics', '-', '--json', ...rules.flatMap((rule) => ['--alert', rule]), ...args], scenario(more));
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const alert = (rule, more, args) => report([rule], more, args).alerts[0];
const crash = { actions: [{ at: '70s', do: 'crash', node: 'bbs-0' }] };

describe('samples', () => {
  test('each process sends them from its own start on', () => {
    assert.deepEqual(samples('LockHeld', {}), [[60, 'bbs-0', 1], [120, 'bbs-0', 1], [180, 'bbs-0', 1], [62, 'bbs-1', 0], [122, 'bbs-1', 0], [182, 'bbs-1', 0]]);
  });

  test('a process that crashed sends none', () => {
    assert.deepEqual(samples('LockHeld', crash), [[60, 'bbs-0', 1], [62, 'bbs-1', 0], [122, 'bbs-1', 1], [182, 'bbs-1', 1]]);
  });

  test('a paused process sends one sample when it resumes, and keeps its rhythm', () => {
    const paused = { profile: 'upstream', actions: [{ at: '50s', do: 'pause', node: 'locket-0', for: '80s' }] };
    assert.deepEqual(samples('ActiveLocks', paused).map(([time]) => time), [130, 180]);
  });

  test('the clock of a suspended machine is frozen, and so is its rhythm', () => {
    const suspended = { actions: [{ at: '50s', do: 'suspend', node: 'bbs-1', for: '7s' }] };
    assert.deepEqual(samples('LockHeld', suspended).filter(([, process]) => process === 'bbs-1').map(([time]) => time), [69, 129, 189]);
  });

  test('totals begin at 0 when a process starts again', () => {
    const restarted = { actions: [...crash.actions, { at: '130s', do: 'restart', node: 'locket-0' }] };
    assert.deepEqual(samples('LocksExpired', restarted), [[60, 'locket-0', 0], [120, 'locket-0', 1], [190, 'locket-0', 0]]);
  });

  test('expiries keep their interval of a minute', () => {
    assert.deepEqual(samples('LocksExpired', crash, ['--interval', '30s']).map(([time]) => time), [60, 120, 180]);
    assert.deepEqual(samples('ActiveLocks', crash, ['--interval', '30s']).map(([time]) => time), [30, 60, 90, 120, 150, 180, 210]);
  });

  test('with the profile documented, the first process counts expiries', () => {
    assert.deepEqual(samples('LocksExpired', { ...crash, profile: 'documented', processes: 2 }).filter(([time]) => time === 120), [[120, 'locket-0', 1], [120, 'locket-1', 0]]);
  });

  test('rows are not counted while the database is down', () => {
    const down = { actions: [{ at: '110s', do: 'crash', node: 'database' }, { at: '125s', do: 'start', node: 'database' }] };
    assert.deepEqual(samples('ActiveLocks', down).map(([time]) => time), [60, 180]);
  });

  test('a collision is a request that succeeded', () => {
    const at60 = (metric) => samples(metric, {}).find(([time, type]) => time === 60 && type === 'Lock')[2];
    assert.deepEqual([at60('RequestsStarted'), at60('RequestsSucceeded'), at60('RequestsFailed')], [25, 25, 0]);
  });

  test('a request that a stalled database delays is in flight, and its latency counts', () => {
    const stalled = { actions: [{ at: '58s', do: 'stall', for: '4s' }] };
    const of = (metric) => Math.max(...samples(metric, stalled).map(([, , value]) => value));
    assert.equal(of('RequestsInFlight'), 1);
    assert.equal(of('RequestLatencyMax'), 2e9);
  });
});

describe('formats', () => {
  test('Prometheus has help, type and milliseconds after the epoch', () => {
    const { stdout } = cli(['metrics', 'holder-crashes', '--format', 'prometheus', '--until', '65s', '--epoch', '1000']);
    assert.match(stdout, /^# HELP ActiveLocks .+\n# TYPE ActiveLocks gauge\nActiveLocks\{process="locket-0"\} 1 61000\n/m);
    assert.match(stdout, /^RequestsStarted\{process="locket-0",request_type="Lock"\} \d+ 61000$/m);
  });

  test('OpenMetrics has seconds and an end', () => {
    const { stdout } = cli(['metrics', 'holder-crashes', '--format', 'openmetrics', '--until', '65s', '--epoch', '2026-01-31T12:00:00Z']);
    assert.match(stdout, /^ActiveLocks\{process="locket-0"\} 1 1769860860$/m);
    assert.ok(stdout.endsWith('# EOF\n'));
  });

  test('a name cannot leave its label or its cell', () => {
    const clients = [runner('=a",{\u001b\\', 'k')];
    assert.match(cli(['metrics', '-', '--format', 'prometheus'], scenario({ clients })).stdout, /^LockHeld\{process="=a\\",\{\ufffd\\\\",key="k"\} 1 60000$/m);
    assert.match(cli(['metrics', '-', '--format', 'csv'], scenario({ clients })).stdout, /^60000,LockHeld,"'=a"",\{\ufffd\\",k,,1$/m);
  });
});

describe('alerts', () => {
  test('a rule fires when it has been true for its duration, and clears when it is false', () => {
    const { firedMs, clearedMs, delayMs } = alert('LocksExpired > 0 for 20s', crash);
    assert.deepEqual([firedMs, clearedMs, delayMs], [140_000, 180_000, 70_000]);
  });

  test('a rule that is true for too short a time is silent, with that time', () => {
    const { firedMs, longestMs } = alert('LocksExpired > 0 for 2m', crash);
    assert.deepEqual([firedMs, longestMs], [null, 60_000]);
  });

  test('a silent rule has the nearest value', () => {
    assert.equal(alert('ActiveLocks > 3', {}).closest, 1);
  });

  test('LockHeld is the sum over the clients of each key', () => {
    const both = { clients: [runner('bbs-0', 'bbs'), runner('auctioneer-0', 'auctioneer')] };
    assert.deepEqual(report(['LockHeld > 1'], both).alerts.map(({ key, firedMs }) => [key, firedMs]), [['bbs', null], ['auctioneer', null]]);
  });

  test('without any sample a comparison is false, and absent is true', () => {
    const gone = { clients: [runner('bbs-0', 'bbs')], ...crash };
    const [below, absent] = report(['LockHeld < 1', 'LockHeld absent for 1m'], gone).alerts;
    assert.deepEqual([below.firedMs, absent.firedMs], [null, 180_000]);
  });

  test('the end of all samples is named', () => {
    const { stdout } = cli(['metrics', '-', '--phases', '0'], scenario({ clients: [runner('bbs-0', 'bbs')], ...crash }));
    assert.match(stdout, /LockHeld \(bbs\) has no samples from 120 s on/);
  });

  test('without a fault, the start of the clients sets off no alert', () => {
    assert.deepEqual(report([], {}).alerts.filter(({ firedMs }) => firedMs !== null), []);
  });

  test('a violation before the first fault is the start of delays', () => {
    const { startMs, alerts } = report(['LockHeld > 1'], { clients: [runner('a', 'k', { owner: 'one' }), runner('b', 'k', { owner: 'one', startAt: '70s' })], actions: [{ at: '3m', do: 'stop', node: 'b' }] });
    assert.deepEqual([startMs, alerts[0].delayMs], [70_000, 60_000]);
  });

  test('a quiet time is assumed before the first fault', () => {
    const early = { actions: [{ at: '7s', do: 'crash', node: 'bbs-0' }] };
    assert.equal(alert('LockHeld < 1', early).firedMs, 60_000);
    assert.equal(report([], early).signals.find(({ metric }) => metric === 'LockHeld').levels[0].value, 1);
  });

  test('with a longer lookback, the sample of a former owner counts longer', () => {
    assert.equal(alert('LockHeld > 1', crash).firedMs, null);
    assert.equal(alert('LockHeld > 1', crash, ['--phases', '0', '--lookback', '5m']).firedMs, 122_000);
  });

  test('an expiry is seen in each phase, within a TTL and an interval of the fault', () => {
    const { phases } = alert('LocksExpired > 0', crash, []);
    assert.deepEqual([phases.count, phases.fired], [100, 100]);
    assert.ok(phases.soonestMs >= 10_000 && phases.latestMs <= 75_000);
  });

  test('no count of rows shows two owners', () => {
    const { stdout } = cli(['metrics', 'incident-vm-suspended']);
    assert.match(stdout, /✗ bbs has two owners for 28\.97 s: bbs-0, bbs-1/);
    assert.match(stdout, /ActiveLocks keeps its value while bbs has two owners/);
    assert.match(stdout, /! LocksExpired > 0 .* 60 s \(\+39 s\) to 120 s +100, /);
  });

  test('the usual rules expect the locks and presences of before the first fault', () => {
    const { alerts } = JSON.parse(cli(['metrics', 'incident-lossy-zone', '--json', '--phases', '1']).stdout);
    assert.deepEqual(alerts.filter(({ source }) => source === 'Diego').map(({ rule }) => rule), ['LockHeld < 1 for 5m', 'ActiveLocks < 1 for 5m', 'ActiveLocks > 1', 'ActivePresences < 50 for 15m']);
  });

  test('a screen has at most 100 columns', () => {
    for (const story of ['incident-vm-suspended', 'incident-lossy-zone', 'rolling-restart-catches-a-renewal', 'first-look']) {
      for (const line of cli(['metrics', story, '--phases', '9']).stdout.split('\n')) assert.ok(line.length <= 100, `${line.length}: ${line}`);
    }
  });
});

describe('wrong usage', () => {
  const refused = (args, words, input = '') => {
    const { status, stderr } = cli(['metrics', ...args], input);
    assert.equal(status, 2, stderr);
    assert.match(stderr, words);
  };

  test('a rule says how to write it', () => {
    refused(['first-look', '--alert', 'LockHeld is low'], /Write METRIC < NUMBER .* such as 'LockHeld < 1 for 5m'/);
    refused(['first-look', '--alert', 'LockHold < 1'], /Unknown metric LockHold; did you mean LockHeld\?/);
    refused(['first-look', '--alert', 'LockHeld < 1 for 5'], /5/);
    refused(['first-look', '--alert', `LockHeld ${'<'.repeat(50_000)}`], /Write METRIC/);
  });

  test('samples and alerts are two answers', () => {
    refused(['first-look', '--format', 'csv', '--json'], /leave out one/);
    refused(['first-look', '--format', 'csv', '--alert', 'LockHeld < 1'], /leave out/);
  });

  test('an interval of 0 and an unreadable epoch are refused', () => {
    refused(['first-look', '--interval', '0s'], /at least 1ms/);
    refused(['first-look', '--epoch', 'noon'], /Expected a date/);
  });

  test('too many samples are refused before they are made', () => {
    refused(['first-look', '--interval', '1ms', '--until', '1h'], /samples, more than 1,000,000; raise --interval/);
  });
});
