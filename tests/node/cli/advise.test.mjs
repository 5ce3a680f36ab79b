// `locket-wasm advise` about deployment manifests and jobs of BOSH releases: places, verdicts, reports, and what is hostile.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { LocketArgumentError } from 'locket-wasm';
import { advise, boshFacts, boshSettings, explore } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-advise-'));
after(() => rmSync(folder, { recursive: true }));

const MANIFEST = `name: cf
instance_groups:
- name: diego-api
  jobs:
  - name: bbs
    properties: {diego: {bbs: {log_level: info}}}
  - name: locket
- name: api
  jobs:
  - name: routing-api
    properties:
      routing_api:
        lock_ttl: 30s
        lock_retry_interval: ((retry))
- name: diego-cell
  jobs:
  - name: rep
    properties: &rep
      diego:
        rep:
          locket:
            lock_ttl: 45s
  - name: route_emitter
    properties: {diego: {route_emitter: {local_mode: true}}}
addons:
- name: more
  jobs:
  - name: rep_windows
    properties:
      <<: *rep
`;
const BOUNDS = ['--latency', '1s', '--fault', 'pause=9s,1'];

function file(name, text = MANIFEST) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function findings(args, manifest) {
  const path = file('cf.yml', manifest);
  const { status, stdout, stderr } = cli(['advise', '--manifest', path, '--json', ...args]);
  assert.notEqual(stdout, '', stderr);
  const all = JSON.parse(stdout).findings.map(({ file: _, line, column, group, job, verdict }) => [`${line}:${column}`, `${group}/${job}`, verdict]);
  return { status, stderr, all };
}

/** A manifest with one job, whose properties these are. */
const manifestOf = (job, properties) => `instance_groups:\n- name: group\n  jobs:\n  - name: ${job}\n    properties: ${properties}\n`;

describe('a deployment manifest', () => {
  test('each job that keeps something in Locket is judged, at the line of what decides', () => {
    const { status, all } = findings(['--set', 'retry=3s', ...BOUNDS]);
    assert.equal(status, 1);
    assert.deepEqual(all, [
      ['5:11', 'diego-api/bbs', 'unsafe'],
      ['14:30', 'api/routing-api', 'safe'],
      ['22:23', 'diego-cell/rep', 'safe'],
      ['24:54', 'diego-cell/route_emitter', 'off'],
      ['22:23', 'more/rep_windows', 'safe'],
    ]);
  });

  test('the text says what is wrong, what it costs and what no property sets', () => {
    const path = file('text.yml');
    const { status, stdout, stderr } = cli(['advise', '--manifest', path, '--set', 'retry=5s', ...BOUNDS]);
    assert.equal(status, 1);
    assert.ok(stdout.startsWith(`✗ ${path}:5:11: diego-api/bbs\n`), stdout);
    assert.match(stdout, /^ {2}bbs keeps a lock with the upstream runner: TTL 15 s, fixed in the job; retry 5 s, fixed in the job\.$/m);
    assert.match(stdout, /^ {2}Unsafe within these bounds: .* Bounds: messages ≤ 1 s, one pause ≤ 9 s, /m);
    assert.match(stdout, /^ {2}Why: .*believes it holds the lock\.$/m);
    assert.match(stdout, /^ {2}Cost: another owner within 24 s after a crash, 720 renewals an hour\.$/m);
    assert.match(stdout, /^ {2}Safe instead: upstream runner, TTL 15 s, retry 3 s; .* renewals an hour; the property holds for any number of clients\.$/m);
    assert.match(stdout, /routing_api\.lock_ttl has no effect/);
    assert.match(stderr, /2 of 4 jobs have settings that are not safe/);
  });

  test('a variable without a value is said to be missing, with exit code 5', () => {
    const { status, all, stderr } = findings(['--latency', '1s']);
    assert.equal(status, 5);
    assert.deepEqual(all[1], ['14:30', 'api/routing-api', 'unset']);
    assert.match(stderr, /no verdict about .*cf.yml:14:30: api\/routing-api/);
    const { stdout } = cli(['advise', '--manifest', file('unset.yml'), '--latency', '1s']);
    assert.match(stdout, /\(\(retry\)\) has no value; pass --set retry=VALUE/);
  });

  test('an invalid property of a job fails, at its line', () => {
    for (const value of ['45', '"((x))ms"', 'soon', '[1]', '{}', '0s']) {
      const { status, all } = findings(['--set', 'x=1'], manifestOf('rep', `{diego: {rep: {locket: {lock_ttl: ${value}}}}}`));
      assert.deepEqual([status, all], [1, [['5:51', 'group/rep', 'invalid']]], value);
    }
  });

  test('null is as good as nothing, and of two the last one counts', () => {
    assert.equal(findings(BOUNDS, manifestOf('rep', '{diego: {rep: {locket: {lock_ttl: ~}}}}')).all[0][0], '4:11');
    const twice = '{diego: {rep: {locket: {lock_ttl: soon, lock_ttl: 45s}}}}';
    assert.deepEqual(findings(BOUNDS, manifestOf('rep', twice)).all, [['5:67', 'group/rep', 'safe']]);
  });

  test('properties of the group count for jobs without their own', () => {
    const manifest = 'instance_groups:\n- name: group\n  jobs: [{name: rep}]\n  properties: {diego: {rep: {lock_ttl: 45s}}}\n';
    assert.deepEqual(findings(BOUNDS, manifest).all, [['4:40', 'group/rep', 'safe']]);
  });

  test('nothing to judge is no verdict', () => {
    const { status, all, stderr } = findings([], manifestOf('gorouter', '{}'));
    assert.deepEqual([status, all], [5, []]);
    assert.match(stderr, /no verdict: no job/);
  });

  test('several manifests are judged together, and - is standard input', () => {
    const { status, stdout } = cli(['advise', '--manifest', '-', file('two.yml', manifestOf('tps', '{}')), '--latency', '1s'], manifestOf('bbs', '{}'));
    assert.equal(status, 0);
    assert.match(stdout, /^✓ -:4:11: group\/bbs[^]*^✓ .*two\.yml:4:11: group\/tps/m);
  });

  test('--junit has a case for each job, with what was given escaped', () => {
    const path = file('report.yml', `${manifestOf('bbs', '{}').replace('name: group', 'name: "<b>&"')}  - name: route_emitter\n`);
    const xml = join(folder, 'advice.xml');
    assert.equal(cli(['advise', '--manifest', path, ...BOUNDS, '--junit', xml]).status, 1);
    assert.match(readFileSync(xml, 'utf8'), /<testsuite name="locket-wasm advise" tests="2" failures="2" errors="0">/);
    assert.match(readFileSync(xml, 'utf8'), /report\.yml:4:11: &lt;b&gt;&amp;\/bbs">\n *<failure message="Unsafe within these bounds: [^"]* Bounds: messages ≤ 1 s, [^"]*">bbs keeps a lock/);
  });
});

describe('a text that is no manifest ends with exit code 2 and its place', () => {
  const cases = {
    'broken YAML': { text: 'instance_groups:\n  - {name: a\n', says: /:\d+:\d+: / },
    'operations on a manifest': { text: '- type: replace\n  path: /a\n', says: /expected a manifest, not an operations file.*bosh interpolate/ },
    'something else': { text: 'jobs: []\n', says: /:1:1: expected a deployment manifest, with a list of instance_groups/ },
    'an empty file': { text: '', says: /expected a deployment manifest/ },
    'a tab': { text: 'instance_groups:\n\t- name: a\n', says: /:2:1: a tab cannot indent a line; use spaces/ },
    'a second colon': { text: 'name: a: b\n', says: /:1:7: a second ": " in one line; put a text that contains it in quotes/ },
    'a character that begins no text': { text: 'name: @a\n', says: /:1:7: a text cannot begin with this character; put the text in quotes/ },
    'too deep a nesting': { text: '['.repeat(8_000_000), says: /:1:201: the nesting is deeper than 200 levels/ },
    'nested maps': { text: `name: ${'{a: '.repeat(20_000)}`, says: /:1:\d{3}: the nesting is deeper than 200 levels/ },
    'nested lists': { text: '- '.repeat(20_000), says: /:1:\d{3}: the nesting is deeper than 200 levels/ },
    'nested keys': { text: '? '.repeat(20_000), says: /:1:\d{3}: the nesting is deeper than 200 levels/ },
    'a long row of merges': {
      text: `a0: &a0 {}\n${Array.from({ length: 20_000 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: *a${index}}\n`).join('')}instance_groups: [{ jobs: [{ <<: *a20000 }] }]\n`,
      says: /:19902:\d+: maps merge maps with << in more than 100 levels/,
    },
    'too large a file': { text: `a: ${'b'.repeat(8 * 1024 * 1024)}\n`, says: /at most 8 MiB/ },
  };
  for (const [name, { text, says }] of Object.entries(cases)) {
    test(name, () => {
      const { status, stdout, stderr } = cli(['advise', '--manifest', file('hostile.yml', text)]);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /^ +at /m);
    });
  }
});

test('aliases of aliases cost nothing, wherever they lead', () => {
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  const bomb = names.map((name, index) => `${name}: &${name} [${index === 0 ? 'x' : `*${names[index - 1]}, `.repeat(9)}]\n`).join('');
  const cycle = 'instance_groups:\n- &self\n  name: *self\n  jobs:\n  - name: rep\n    properties: &p\n      <<: [*p, *p, *p]\n      diego: *a39\n';
  const { status, stdout } = cli(['advise', '--manifest', file('bomb.yml', bomb + cycle), '--latency', '1s']);
  assert.equal(status, 0);
  assert.match(stdout, /^✓ .*bomb\.yml:\d+:11: a map\/rep\n.*\n {2}Facts.*\n {2}Safe within these bounds: /m);
});

test('a map may merge very many maps', () => {
  const text = `shared: &shared {release: diego}\ninstance_groups:\n- name: group\n  jobs:\n  - {<<: [${'*shared, '.repeat(200_000)}{name: rep}]}\n`;
  assert.deepEqual(findings(BOUNDS, text).all.map(([, name]) => name), ['group/rep']);
});

describe('a job of a BOSH release', () => {
  const REP = { job: 'rep', properties: { 'diego.rep.locket.lock_ttl': '45s' } };

  test('its settings are a question for every other function', async () => {
    const { question, summary, ttlMs, isTtlFixed, isRetryIntervalFixed } = boshSettings(REP);
    assert.deepEqual([ttlMs, isTtlFixed, isRetryIntervalFixed], [45_000, false, true]);
    assert.equal(summary, 'rep keeps a presence with the upstream runner: TTL 45 s; retry 5 s, fixed in the job');
    assert.equal((await explore({ ...question, latency: '1s', faults: { pause: { length: '20s', count: 1 } } })).verdict, 'safe');
    assert.equal((await explore({ ...question, latency: '1s', faults: { pause: { length: '45s', count: 1 } } })).verdict, 'unsafe');
  });

  test('advice names the settings that no property brings about', async () => {
    const { bosh, alternatives } = await advise({ bosh: { job: 'routing-api' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } });
    assert.equal(bosh.isTtlFixed, true);
    assert.deepEqual(
      alternatives.map(({ ttlMs, retryIntervalMs, isSettable }) => [ttlMs, retryIntervalMs, isSettable]),
      [[15_000, 3_000, true], [15_000, 5_000, false], [17_000, 5_000, false]],
    );
  });

  test('the command line gives the same', async () => {
    const args = ['advise', '--job', 'rep', '--job-property', 'diego.rep.locket.lock_ttl=45s', '--latency', '1s', '--fault', 'pause=20s,1', '--json'];
    assert.deepEqual(JSON.parse(cli(args).stdout), await advise({ bosh: REP, latency: '1s', faults: { pause: { length: '20s', count: 1 } } }));
  });

  test('with some properties it keeps nothing in Locket', async () => {
    const bosh = { job: 'route_emitter', properties: { 'diego.route_emitter.local_mode': 'true' } };
    assert.equal(boshSettings(bosh).state, 'off');
    await assert.rejects(advise({ bosh }), LocketArgumentError);
  });

  test('every job that is listed has settings', () => {
    const names = boshFacts().jobs.map(({ job }) => job);
    assert.ok(names.includes('bbs') && names.includes('rep'));
    for (const job of names) assert.equal(boshSettings({ job }).job, job);
  });

  for (const [bosh, field] of [
    [{ job: 'gorouter' }, 'job'],
    [{ job: 'rep', properties: { 'diego.rep.lock_ttl': 'soon' } }, 'properties.diego.rep.lock_ttl'],
    [{ job: 'rep', properties: { 'diego.rep.lock_ttl': 45 } }, 'properties.diego.rep.lock_ttl'],
    [{ job: 'rep', properties: [] }, 'properties'],
    [{ job: 1 }, 'job'],
    [{ name: 'rep' }, 'bosh.name'],
    ['rep', 'bosh'],
  ]) {
    test(`${JSON.stringify(bosh)} is refused with its field`, () => {
      assert.throws(() => boshSettings(bosh), (error) => error instanceof LocketArgumentError && error.field === field);
    });
  }
});

test('wrong usage ends with exit code 2 and one message', () => {
  for (const [args, says] of [
    [['--manifest', 'cf.yml', '--ttl', '15s'], /--manifest <file...>' cannot be used with option '--ttl/],
    [['--manifest', 'cf.yml', '--job', 'rep'], /cannot be used with/],
    [['--job', 'rep', '--runner', 'safe'], /cannot be used with/],
    [['--job', 'gorouter'], /--job: gorouter is no job that keeps something in Locket; there are/],
    [['--set', 'x'], /Expected name=value/],
    [['--set', 'x=1', 'x=2'], /The name x appears twice/],
  ]) {
    const { status, stdout, stderr } = cli(['advise', ...args]);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, says);
  }
});

/** Questions whose advice has alternatives. */
const WITH_ALTERNATIVES = {
  'upstream with a pause': { runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '10s', count: 1 } } },
  'the Cloud Controller with a pause': { runner: 'cloud-controller', profile: 'upstream', latency: '1s', faults: { pause: { length: '15s', count: 1 } } },
  'the safe runner with a short lease': { ttl: '3s', retryInterval: '5s', latency: '1s' },
  'the presence of rep': { bosh: { job: 'rep' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } },
  'the lock of routing-api': { bosh: { job: 'routing-api' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } },
};

for (const [name, { bosh, ...bounds }] of Object.entries(WITH_ALTERNATIVES)) {
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
