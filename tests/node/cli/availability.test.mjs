// The availability in `locket-wasm advise`: whether healthy owners give up when Locket restarts or its database fails, why, and
// which command says more. Also: the alternatives of advice, each asked about again.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { advise, explore } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-availability-'));
after(() => rmSync(folder, { recursive: true }));

const UPSTREAM = ['--runner', 'upstream', '--profile', 'upstream'];
const SETTINGS = { upstream: UPSTREAM, safe: [], 'a long lease': ['--ttl', '30s', '--retry-interval', '5s'], rep: ['--job', 'rep'], 'Cloud Controller': ['--runner', 'cloud-controller', '--profile', 'upstream'] };

/** Output by arguments: the same searches serve several claims. */
const printed = new Map();

function availability(args) {
  const key = args.join(' ');
  if (!printed.has(key)) printed.set(key, cli(['advise', '--json', ...args]));
  const { stdout, stderr } = printed.get(key);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout).availability;
}

const checksOf = (args) => availability(args)[0].checks;
const verdicts = (checks) => checks.map(({ event, property, verdict }) => `${event} ${property} ${verdict}`);

describe('healthy owners', () => {
  test('upstream owners give up at each crash of Locket and stall, keep their locks in a rolling deploy, and a lost commit gives two owners', () => {
    assert.deepEqual(verdicts(checksOf(UPSTREAM)), [
      'restart false-loss unsafe',
      'restart one-owner safe',
      'rolling-deploy false-loss safe',
      'rolling-deploy one-owner safe',
      'failover false-loss safe',
      'failover one-owner unsafe',
      'stall false-loss unsafe',
      'stall one-owner safe',
    ]);
  });

  test('a presence is asked about its row instead of two owners', () => {
    const properties = new Set(checksOf(SETTINGS.rep).map(({ property }) => property));
    assert.deepEqual([...properties], ['false-loss', 'presence-gap']);
  });

  test('a long lease with the safe runner keeps its lock at a restart, a rolling deploy and a stall', () => {
    const kept = checksOf(SETTINGS['a long lease']).filter(({ property, verdict }) => property === 'false-loss' && verdict === 'safe');
    assert.deepEqual(kept.map(({ event }) => event), ['restart', 'rolling-deploy', 'failover', 'stall']);
  });

  test('a second client changes no verdict about giving up', async () => {
    for (const { runner, profile } of [{ runner: 'upstream', profile: 'upstream' }, { runner: 'safe', profile: 'documented' }]) {
      for (const fault of [{ faults: { locketCrash: { length: '5s', count: 1 } } }, { faults: { stall: { length: '5s', count: 1 } } }, { faults: { stall: { length: '10s', count: 1 } } }, { faults: { failover: 1 } }]) {
        const question = { runner, profile, ttl: '15s', retryInterval: '5s', ...fault, property: { is: 'false-loss' } };
        const [alone, two] = await Promise.all([[{}], [{}, {}]].map((clients) => explore({ ...question, clients }, { longest: false })));
        assert.equal(alone.verdict, two.verdict, JSON.stringify(question));
      }
    }
  });
});

describe('a reason', () => {
  test('has the fault, the end of the belief, and at most 5 steps in order', () => {
    for (const args of Object.values(SETTINGS)) {
      for (const { event, property, verdict, steps } of checksOf(args)) {
        if (verdict !== 'unsafe') continue;
        const words = steps.map((step) => step.words).join('\n');
        assert.ok(steps.length >= 3 && steps.length <= 5, words);
        assert.match(words, /crashes|stops|the database (stalls|fails over)/, event);
        if (property === 'false-loss') assert.match(steps.at(-1).words, /no longer believes/);
        assert.deepEqual(steps.map(({ timeMs }) => timeMs), steps.map(({ timeMs }) => timeMs).sort((one, other) => one - other));
      }
    }
  });

  test('the only Locket process takes the lock away in a deploy, since it stops', () => {
    const check = checksOf([...UPSTREAM, '--processes', '1']).find(({ event, property }) => event === 'rolling-deploy' && property === 'false-loss');
    assert.equal(check.verdict, 'unsafe');
    assert.ok(check.steps.some(({ words }) => words === 'locket-0 stops'));
  });
});

for (const [name, args] of Object.entries(SETTINGS)) {
  test(`the next commands give the same answers: ${name}`, () => {
    for (const { command, summary } of checksOf(args)) {
      const [program, ...words] = command.split(' ');
      assert.equal(program, 'locket-wasm');
      const { stdout, stderr } = cli([...words, '--json']);
      assert.notEqual(stdout, '', stderr);
      assert.equal(JSON.parse(stdout).summary, summary, command);
    }
  });
}

test('without availability no question is asked about it', () => assert.deepEqual(availability(['--no-availability']), []));

describe('bounds', () => {
  // They are those of the question, wherever a search is cut.
  const CUT = ['--max-states', '1000'];

  test('options of the question set them', () => {
    const checks = checksOf([...UPSTREAM, '--fault', 'failover=2,1', '--fault', 'stall=3s,1', '--fault', 'locket-crash=2s,1', '--processes', '3', '--latency', '500ms', ...CUT]);
    const bounds = (event) => checks.find((check) => check.event === event).bounds;
    assert.match(bounds('restart'), /messages ≤ 0.5 s, .* one Locket crash \(down ≤ 2 s\)/);
    assert.match(bounds('rolling-deploy'), /up to 3 Locket drains/);
    assert.match(bounds('failover'), /losing 2 commits/);
    assert.match(bounds('stall'), /one database stall \(≤ 3 s\)/);
  });

  test('one client is asked about with all Locket processes, two with 2 at most', () => {
    const checks = checksOf([...UPSTREAM, '--processes', '3', ...CUT]);
    for (const { event, property, processes } of checks) assert.equal(processes, property === 'false-loss' ? 3 : event === 'stall' ? 1 : 2, event);
  });

  test('a manifest says how many processes its Locket has', () => {
    const path = join(folder, 'three.yml');
    writeFileSync(path, 'instance_groups:\n- name: locket\n  instances: 3\n  jobs: [{ name: locket }]\n- name: cell\n  instances: 1\n  jobs: [{ name: rep }]\n');
    const [{ checks }] = availability(['--manifest', path, ...CUT]);
    for (const { event, property, processes } of checks) assert.equal(processes, event === 'stall' && property === 'presence-gap' ? 1 : 3, event);
  });

  test('deployments with different numbers of Locket processes have names of their own', () => {
    const manifest = (name, instances) => {
      const path = join(folder, `${name}.yml`);
      writeFileSync(path, `name: ${name}\ninstance_groups:\n- name: api\n  instances: ${instances}\n  jobs: [{ name: locket }, { name: bbs }]\n`);
      return path;
    };
    const all = availability(['--manifest', manifest('east', 2), manifest('west', 1), '--max-states', '200']);
    const asked = all.filter(({ of }) => of === 'asked').map(({ settings }) => /\d Locket process(es)?$/.exec(settings)[0]);
    assert.deepEqual(asked, ['2 Locket processes', '1 Locket process']);
  });

  test('a manifest without a Locket uses the one of the others, whose processes are unknown if a variable is', () => {
    const manifest = (name, instances, job) => {
      const path = join(folder, `${name}.yml`);
      writeFileSync(path, `instance_groups:\n- name: group\n  instances: ${instances}\n  jobs: ${job}\n`);
      return path;
    };
    const cells = manifest('cells', 9, '[{ name: rep }]');
    const settingsWith = (locket) => availability(['--manifest', locket, cells, '--max-states', '200']).map(({ settings }) => settings);
    for (const settings of settingsWith(manifest('two', 2, '[{ name: locket }]'))) assert.match(settings, /, 2 Locket processes$/);
    for (const settings of settingsWith(manifest('some', '((lockets))', '[{ name: locket }]'))) assert.doesNotMatch(settings, /Locket/);
  });

  test('a client is not paused, however long a pause the question has', () => {
    for (const { bounds } of checksOf(['--fault', 'pause=20s,1', '--fault', 'lost-message,2', ...CUT])) assert.match(bounds, /no pause, no message lost/);
  });

  test('a search that was cut is unknown, and the next command searches further', () => {
    const args = [...UPSTREAM, '--max-states', '200'];
    const [check] = checksOf(args);
    assert.deepEqual([check.verdict, check.because], ['unknown', 'too-many-states']);
    assert.match(cli(['advise', ...args]).stdout, /\? Unknown whether an owner can give up while the row is its own \(1 Locket process\): the search was cut at \d+ states\.\n +Next: locket-wasm explore (?!.*--max-states)/);
  });
});

describe('reports', () => {
  test('an owner that can give up changes no exit code, and no case of JUnit fails', () => {
    const xml = join(folder, 'a.xml');
    const { status, stdout } = cli(['advise', ...UPSTREAM, '--junit', xml]);
    assert.equal(status, 0);
    assert.match(stdout, /^Availability of lock, upstream runner, TTL 15 s$[^]*^ {4}✗ An owner can give up while the row is its own \(1 Locket process\)\.$/m);
    assert.match(readFileSync(xml, 'utf8'), /tests="9" failures="0" errors="0" skipped="3">[^]*<skipped message="An owner can give up/);
  });

  test('jobs with the same settings are asked about once', () => {
    const jobs = ['bbs', 'auctioneer', 'rep', 'rep'].map((job) => `  - name: ${job}\n`).join('');
    const path = join(folder, 'cf.yml');
    writeFileSync(path, `instance_groups:\n- name: all\n  jobs:\n${jobs}`);
    assert.deepEqual(availability(['--manifest', path]).map((one) => one.jobs), [['bbs', 'auctioneer'], ['rep']]);
  });

  test('the cheapest settings of the advice are asked about too, and a matrix comes first', () => {
    const { stdout } = cli(['advise', ...UPSTREAM, '--fault', 'pause=12s,1']);
    const [head, asked, ...rest] = stdout.slice(stdout.indexOf('\nAvailability ') + 1).split('\n');
    assert.match(head, /^Availability +restart +rolling deploy +failover +stall$/);
    assert.equal(asked, 'lock, upstream runner, TTL 15 s');
    assert.match(rest[0], /^ {2}the owner keeps it +✗ +✓ +✓ +✗$/);
    assert.match(rest[2], /^instead, lock, \w+ runner, TTL \d+ s, retry \d+ s$/);
    assert.doesNotMatch(rest.slice(5).join('\n'), /✓/);
  });
});

const QUESTIONS = {
  'upstream with a pause': { runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '10s', count: 1 } } },
  'the Cloud Controller with a pause': { runner: 'cloud-controller', profile: 'upstream', latency: '1s', faults: { pause: { length: '15s', count: 1 } } },
  'the safe runner with a short lease': { ttl: '3s', retryInterval: '5s', latency: '1s' },
  'the presence of rep': { bosh: { job: 'rep' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } },
  'the lock of routing-api': { bosh: { job: 'routing-api' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } },
};

for (const [name, { bosh, ...bounds }] of Object.entries(QUESTIONS)) {
  test(`alternatives are safe for every property, and the cheapest is first: ${name}`, async () => {
    const advice = await advise({ ...bounds, ...(bosh && { bosh }) });
    const { alternatives, text } = advice;
    assert.ok(alternatives.length > 0);
    for (const { runner, ttlMs, retryIntervalMs, handoverMaxMs } of alternatives) {
      const asked = { ...advice.bosh?.question, ...bounds, runner, ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` };
      const { faults: _, ...withoutFault } = asked;
      const questions = [asked, { ...withoutFault, property: { is: 'false-loss' } }];
      if (asked.clients?.length !== 1) questions.push({ ...withoutFault, faults: { crash: 1 }, property: { is: 'no-client-acts', allow: `${handoverMaxMs}ms` } });
      for (const question of questions) assert.equal((await explore(question, { longest: false })).verdict, 'safe', JSON.stringify(question));
    }
    const costs = alternatives.map(({ handoverMaxMs, renewalsPerHour }) => handoverMaxMs * 1e6 + renewalsPerHour);
    assert.deepEqual(costs, costs.toSorted((one, other) => one - other));
    const lines = text.split('\n').filter((line) => line.startsWith('Safe instead: '));
    assert.deepEqual(lines.map((line) => Number(/TTL (\d+) s/.exec(line)[1]) * 1000), alternatives.map(({ ttlMs }) => ttlMs));
  });
}
