// `locket-wasm advise --manifest` about a whole deployment: its load on Locket, and names that are not known.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-load-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A manifest of groups: `[name, instances, jobs]`; a job is a name or a line of YAML. */
function manifest(...groups) {
  const entry = (job) => (job.startsWith('{') ? job : `{name: ${job}, release: diego}`);
  const lines = groups.map(([name, instances, jobs]) => {
    const count = instances === undefined ? '' : `  instances: ${instances}\n`;
    return `- name: ${name}\n${count}  jobs:\n${jobs.map((job) => `  - ${entry(job)}\n`).join('')}`;
  });
  return `name: cf\ninstance_groups:\n${lines.join('')}`;
}

/** The report on manifests, each an array of groups or a text. */
function report(manifests, ...args) {
  const paths = manifests.map((text, index) => file(`${index}.yml`, typeof text === 'string' ? text : manifest(...text)));
  const { status, stdout, stderr } = cli(['advise', '--no-availability', '--manifest', ...paths, '--latency', '1s', '--json', ...args]);
  assert.notEqual(stdout, '', stderr);
  return { status, stderr, ...JSON.parse(stdout) };
}

const load = (...groups) => report([groups]).loads[0];
const LOCAL = '{name: route_emitter, release: diego, properties: {diego: {route_emitter: {local_mode: true}}}}';

const SMALL = [
  ['diego-api', 2, ['cfdot', 'bbs', 'locket']],
  ['diego-cell', 3, ['rep', LOCAL]],
];

const REP_45 = '{name: rep, release: diego, properties: {diego: {rep: {locket: {lock_ttl: 45s, api_location: "locket:8891", client_keepalive_time: 10}}}}}';
const BBS_20 = '{name: bbs, release: diego, properties: {diego: {bbs: {convergence: {repeat_interval_in_seconds: 20}}}}}';
const LARGE = [
  ['diego-api', 4, [BBS_20, 'locket']],
  ['scheduler', 4, ['auctioneer', 'ssh_proxy', '{name: cc_deployment_updater, release: capi}', '{name: tps, release: capi}']],
  ['api', 8, ['{name: routing-api, release: routing}', '{name: policy-server-asg-syncer, release: cf-networking}']],
  ['diego-cell-z1', 63, [REP_45]],
  ['diego-cell-z2', 63, [REP_45]],
  ['diego-cell-z3', 62, [REP_45]],
  ['diego-cell-z4', 62, [REP_45]],
];

describe('3 cells and 2 bbs', () => {
  test('every instance calls once each retry interval, and only holders and cells renew', () => {
    const { jobs, clients, locks, presences, callsPerSecond, renewalsPerSecond, collisionsPerSecond } = load(...SMALL);
    // bbs: 2 / 5 s = 0.4 calls/s; the holder's 1 / 5 s = 0.2 are renewals, the waiter's 0.2 collide. rep: 3 / 5 s = 0.6, all renewals.
    assert.deepEqual(
      jobs.map((job) => [job.job, job.instances, job.callsPerSecond, job.renewalsPerSecond, job.collisionsPerSecond]),
      [['bbs', 2, 0.4, 0.2, 0.2], ['rep', 3, 0.6, 0.6, 0]],
    );
    assert.deepEqual([clients, locks, presences, callsPerSecond, renewalsPerSecond, collisionsPerSecond], [5, 1, 3, 1, 0.8, 0.2]);
  });

  test('a call is one transaction with one locked read, and a renewal writes', () => {
    // 1 call/s and the polls of 2 processes, 2 / 5 s = 0.4; a poll reads 1 + 3 rows: 0.4 × 4 = 1.6 rows/s.
    assert.deepEqual(load(...SMALL).database, {
      transactionsPerSecond: 1.4,
      pollsPerSecond: 0.4,
      lockedReadsPerSecond: 1,
      writesPerSecond: 0.8,
      polledRowsPerSecond: 1.6,
    });
  });

  test('after a restart all clients call in one retry interval, and a restarted waiter fetches too', () => {
    // 5 Lock, and 1 Fetch: of the 2 bbs one gets the lock. 6 calls at 3,032 calls/s take 1.98 ms.
    const { withinMs, lockCalls, fetchCallsMax, peakCallsPerSecond, servedMs, deadline } = load(...SMALL).restart;
    assert.deepEqual([withinMs, lockCalls, fetchCallsMax, peakCallsPerSecond, servedMs], [5_000, 5, 1, 6, 2]);
    assert.equal(deadline.ms, 5_000);
  });

  test('a crashed bbs is replaced after TTL ± retry, and a dead cell is noticed at a convergence', () => {
    const { jobs, deadCells } = load(...SMALL);
    // The last renewal is up to 5 s old: the row ends 15 − 5 = 10 s to 15 s after the crash. The waiter's next call is up to 5 s later.
    assert.deepEqual(jobs[0].replacedMs, { min: 10_000, max: 20_000 });
    // 15 s and a convergence of 30 s, which no property here sets.
    assert.deepEqual(deadCells, [{ jobs: ['rep'], rowDeletedMs: { min: 10_000, max: 15_000 }, convergenceMs: 30_000, isConvergenceAssumed: true, noticedMaxMs: 45_000 }]);
  });

  test('the text has the table, the facts, and the source of the default capacity', () => {
    const { status, stdout } = cli(['advise', '--no-availability', '--manifest', file('small.yml', manifest(...SMALL)), '--latency', '1s']);
    assert.equal(status, 0);
    assert.match(stdout, /^✓ Load on Locket: .*small\.yml\n {2}job +kind +instances .*\n {2}bbs +lock +2 +15 s +5 s +0\.4 +0\.2 +0\.2 +next holder in 10 to 20 s$/m);
    assert.match(stdout, /^ {2}all +5 +1 +0\.8 +0\.2$/m);
    assert.match(stdout, /the instances of bbs \(2\) compete for one key each/);
    assert.match(stdout, /Assumed: bbs converges every 30 s, its default\.$/m);
    assert.match(stdout, /^ {2}Capacity: 1 of 3,032 calls\/s \(under 0\.1 %\), measured on one process with PostgreSQL 15 and 2 cores; pass --capacity for yours\.$/m);
    assert.doesNotMatch(stdout, /^!/m);
  });
});

describe('250 cells in 4 zones', () => {
  test('the groups of a job are one line, and the sums are right', () => {
    const { jobs, clients, locks, presences, callsPerSecond, renewalsPerSecond, collisionsPerSecond, database } = load(...LARGE);
    const rep = jobs.find(({ job }) => job === 'rep');
    assert.deepEqual([rep.instances, rep.groups.length, rep.callsPerSecond, rep.isTtlAssumed], [250, 4, 50, true]);
    // bbs, auctioneer, tps: 4 / 5 s = 0.8 each; routing-api, asg-syncer: 8 / 5 s = 1.6 each; cc_deployment_updater: 4 / 1 s = 4; rep: 50.
    // 2.4 + 3.2 + 4 + 50 = 59.6. Renewals: 5 locks × 0.2 + 1 lock × 1 + 50 = 52. The rest collides: 7.6.
    assert.deepEqual([clients, locks, presences, callsPerSecond, renewalsPerSecond, collisionsPerSecond], [282, 6, 250, 59.6, 52, 7.6]);
    // 4 processes / 5 s = 0.8 polls/s of 256 rows: 204.8 rows/s.
    assert.deepEqual([database.transactionsPerSecond, database.polledRowsPerSecond], [60.4, 204.8]);
  });

  test('the runner of the Cloud Controller fetches nothing after a restart', () => {
    // 4 − 1 for each of bbs, auctioneer and tps, 8 − 1 for routing-api and asg-syncer: 9 + 14 = 23.
    const { lockCalls, fetchCallsMax, peakCallsPerSecond } = load(...LARGE).restart;
    assert.deepEqual([lockCalls, fetchCallsMax, peakCallsPerSecond], [282, 23, 305]);
  });

  test('the TTL of the cells and the convergence of bbs set when a dead cell is noticed', () => {
    // 45 s + 20 s.
    const [{ noticedMaxMs, isConvergenceAssumed, rowDeletedMs }] = load(...LARGE).deadCells;
    assert.deepEqual([noticedMaxMs, isConvergenceAssumed, rowDeletedMs], [65_000, false, { min: 40_000, max: 45_000 }]);
  });

  test('--capacity decides: it fits, it warns above 70 %, it fails above 100 %', () => {
    // 59.6 calls/s are 59.6 % of 100, 85 % of 70, and 119 % of 50.
    for (const [capacity, verdict, status] of [['100', 'fits', 0], ['70', 'warning', 0], ['50', 'exceeded', 1]]) {
      const { loads, status: code, stderr } = report([LARGE], '--capacity', capacity);
      assert.deepEqual([loads[0].capacity.verdict, code], [verdict, status], capacity);
      assert.equal(/the load is larger than the capacity/.test(stderr), status === 1);
    }
  });

  test('a burst that takes longer than the deadline of an attempt is a warning', () => {
    // 5,000 cells and 1 route emitter with a retry interval of 1 s: 1,001 calls/s, 33 % of 3,032; but 5,001 calls take 1.65 s.
    const { verdict, reasons } = load(['cell', 5_000, ['rep']], ['emitter', 1, ['route_emitter']]).capacity;
    assert.equal(verdict, 'warning');
    assert.match(reasons[0], /calls can wait 1\.65 s, longer than the deadline of route_emitter, 1 s/);
  });

  test('--junit has a case for the load, --html its table', () => {
    const [xml, html] = ['load.xml', 'load.html'].map((name) => join(folder, name));
    const args = ['advise', '--no-availability', '--manifest', file('large.yml', manifest(...LARGE)), '--latency', '1s', '--capacity', '50', '--junit', xml, '--html', html];
    assert.equal(cli(args).status, 1);
    assert.match(readFileSync(xml, 'utf8'), /name="Load on Locket: [^"]*large\.yml">\n *<failure message="Capacity: 59\.6 of 50 calls\/s \(119 %\)/);
    assert.match(readFileSync(html, 'utf8'), /<section class="unsafe">\n<h2>Load on Locket: [^<]*large\.yml<\/h2>\n<table>.*\n<tr><td>bbs<\/td><td>lock<\/td><td>4<\/td>/);
  });
});

describe('instances', () => {
  const groups = manifest(['a', undefined, ['bbs']], ['b', '((cells))', ['rep']], ['c', '-1', ['auctioneer']]);

  test('missing, a variable, no number and an addon count as 1, with the reason', () => {
    const addon = 'addons:\n- name: more\n  jobs:\n  - {name: rep_windows, release: diego}\n';
    const { uncounted, clients } = report([groups + addon]).loads[0];
    assert.equal(clients, 4);
    assert.deepEqual(
      uncounted.map(({ group, reason }) => [group, reason]),
      [
        ['a', 'the group has no instances'],
        ['b', '((cells)) has no value; pass --set cells=VALUE'],
        ['c', 'expected a whole number, not -1'],
        ['more', 'an addon'],
      ],
    );
  });

  test('the text names the unknown numbers, and says that the load is the least', () => {
    const { stdout } = cli(['advise', '--no-availability', '--manifest', file('unknown.yml', groups), '--latency', '1s']);
    assert.match(stdout, /^ {2}bbs +lock +1 \(unknown\)/m);
    assert.match(stdout, /Instances unknown, counted as 1: .*unknown\.yml:\d+:\d+: b\/rep: \(\(cells\)\) has no value/);
    assert.match(stdout, /Capacity: at least 0\.6 of/);
  });

  test('a variable with a value counts, and 0 instances put no load on Locket', () => {
    const { clients, uncounted, locks, presences } = report([[['a', '((cells))', ['rep']], ['b', 0, ['bbs']]]], '--set', 'cells=40').loads[0];
    assert.deepEqual([clients, uncounted, locks, presences], [40, [], 0, 40]);
  });

  test('one instance has no rival, and instances in several groups compete for one key', () => {
    const [alone] = load(['a', 1, ['bbs']]).jobs;
    assert.deepEqual([alone.replacedMs, alone.collisionsPerSecond], [null, 0]);
    // 1 + 2 instances: 3 / 5 s = 0.6 calls/s, of which the one holder's 0.2 renew.
    const { jobs, locks } = load(['a', 1, ['bbs']], ['b', 2, ['bbs']]);
    assert.deepEqual([jobs.length, locks, jobs[0].renewalsPerSecond, jobs[0].collisionsPerSecond], [1, 1, 0.2, 0.4]);
  });

  test('of rivals with different retry intervals, the one that renews most often is the holder', () => {
    const routing = (retry) => `{name: routing-api, release: routing, properties: {routing_api: {lock_retry_interval: ${retry}}}}`;
    // 2 / 4 s = 0.5 and 2 / 2 s = 1 call/s. One key: at most 1 / 2 s = 0.5 renewals/s.
    const { jobs, locks, renewalsPerSecond, collisionsPerSecond } = load(['a', 2, [routing('4s')]], ['b', 2, [routing('2s')]]);
    assert.deepEqual([jobs.map((job) => job.renewalsPerSecond), locks, renewalsPerSecond, collisionsPerSecond], [[0, 0.5], 1, 0.5, 1]);
  });

  test('a job whose settings are not known counts with its defaults', () => {
    const [job] = report([[['cell', 10, ['{name: rep, properties: {diego: {rep: {lock_ttl: ((ttl))}}}}']]]]).loads[0].jobs;
    assert.deepEqual([job.ttlMs, job.areSettingsKnown, job.callsPerSecond], [15_000, false, 2]);
  });
});

describe('several manifests', () => {
  const segment = [['isolated-cell', 10, ['rep']]];

  test('with one job locket among them, they are one Locket', () => {
    const { loads } = report([SMALL, segment]);
    // 3 + 10 cells.
    assert.deepEqual(loads.map(({ presences, processes }) => [presences, processes]), [[13, 2]]);
  });

  test('with several jobs locket, each is a Locket of its own', () => {
    const { loads } = report([SMALL, LARGE, segment]);
    assert.deepEqual(loads.map(({ files, presences, processes }) => [files.length, presences, processes]), [[1, 3, 2], [1, 250, 4], [1, 10, null]]);
  });
});

describe('names that are not known', () => {
  const unknown = (job, ...args) => report([[['group', 1, ['bbs', job]]]], ...args).unknown.map(({ kind, name, nearest }) => [kind, name, nearest]);

  test('a mistyped job is named with the nearest known one, at its place', () => {
    const { status, stdout } = cli(['advise', '--no-availability', '--manifest', file('typo.yml', manifest(['cell', 3, ['reb']], ['api', 2, ['bbs']])), '--latency', '1s']);
    assert.equal(status, 0);
    assert.match(stdout, /^! .*typo\.yml:6:12: cell\/reb: the job reb of the release diego is not known, so it is neither checked nor counted; did you mean rep\?$/m);
  });

  for (const [job, expected] of [
    ['{name: auctioner, release: my-diego}', [['job', 'auctioner', 'auctioneer']]],
    ['{name: route-emitter, release: diego}', [['job', 'route-emitter', 'route_emitter']]],
    ['{name: tsp, release: my-diego}', [['job', 'tsp', 'tps']]],
    ['{name: bbs-legacy, release: diego}', [['job', 'bbs-legacy', 'bbs']]],
    ['{name: something, release: diego}', [['job', 'something', null]]],
    ['{name: rep, release: diego-fork}', [['release', 'diego-fork', 'diego']]],
    ['{name: rep, release: ((diego))}', []],
    ['{name: gorouter, release: routing}', []],
    ['{name: policy-server, release: cf-networking}', []],
    ['{name: bbs-legacy, release: backup}', []],
    ['{name: route_emitter_windows, release: diego}', []],
  ]) {
    test(`${job} gives ${JSON.stringify(expected)}`, () => assert.deepEqual(unknown(job), expected));
  }

  for (const [job, properties, expected] of [
    ['rep', '{diego: {rep: {locket: {lock_tll: 45s}}}}', [['property', 'diego.rep.locket.lock_tll', 'diego.rep.locket.lock_ttl']]],
    ['rep', '{diego: {rep: {locket: {ttl: 45s}}}}', [['property', 'diego.rep.locket.ttl', 'diego.rep.lock_ttl']]],
    ['auctioneer', '{diego: {auctioneer: {lock_ttl: 30s}}}', [['property', 'diego.auctioneer.lock_ttl', null]]],
    ['routing-api', '{routing_api: {max_ttl: 120s, locket: {api_location: x, client_cert: y}}}', []],
    ['policy-server-asg-syncer', '{retry_deadline_seconds: 300, locket: {address: x}}', []],
    ['rep', '{diego: {executor: {garden_healthcheck: {command_retry_pause: 1s}}, rep: {zone: z1}}}', []],
    ['rep', '{diego: {rep: {locket: {lock_ttl: 45s}}}}', []],
  ]) {
    test(`${job} with ${properties} gives ${JSON.stringify(expected)}`, () => assert.deepEqual(unknown(`{name: ${job}, properties: ${properties}}`), expected));
  }

  test('properties of a group are also for other jobs, so they are not named', () => {
    const text = manifest(['cell', 1, ['rep']]).replace('  instances', '  properties: {diego: {bbs: {lock_ttl: 1s}}}\n  instances');
    assert.deepEqual(report([text]).unknown, []);
  });

  test('an assumed property is called so beside its value, a published one is not', () => {
    const { findings } = report([LARGE]);
    assert.deepEqual([...new Set(findings.map(({ job, assumed }) => `${job} ${assumed}`))].filter((text) => !text.endsWith(' ')), ['rep diego.rep.locket.lock_ttl']);
    const { stdout } = cli(['advise', '--no-availability', '--manifest', file('assumed.yml', manifest(...LARGE)), '--latency', '1s']);
    assert.match(stdout, /^ {2}rep +presence +250 +45 s \(assumed\)/m);
    assert.match(stdout, /^ {2}Assumed: diego\.rep\.locket\.lock_ttl sets the TTL\. No published spec was at hand; compare jobs\/rep\/spec/m);
  });

  test('advice that only an assumed property brings about says so', () => {
    const { findings } = report([SMALL], '--pause', '9s');
    assert.deepEqual(findings.map(({ job, assumed }) => [job, assumed]), [['bbs', []], ['rep', ['diego.rep.locket.lock_ttl']]]);
  });

  test('--job-property refuses a property that does not affect the job', () => {
    const { status, stderr } = cli(['advise', '--job', 'rep', '--job-property', 'diego.rep.locket.lock_tll=45s']);
    assert.equal(status, 2);
    assert.match(stderr, /--job-property: diego\.rep\.locket\.lock_tll does not affect the settings of rep; it has .*; did you mean diego\.rep\.locket\.lock_ttl\?/);
  });
});

test('--capacity takes calls per second, and only with manifests', () => {
  for (const [args, says] of [
    [['--manifest', 'cf.yml', '--capacity', '0'], /Expected calls per second, such as 500/],
    [['--manifest', 'cf.yml', '--capacity', '500/s'], /Expected calls per second, such as 500/],
    [['--capacity', '500'], /--capacity is about a deployment; pass --manifest too/],
  ]) {
    const { status, stdout, stderr } = cli(['advise', ...args]);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, says);
  }
});
