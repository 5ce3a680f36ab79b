// `locket-wasm advise`: a line for each job of a deployment manifest, what is hostile in one, and alternatives of settings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { advise, explore } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';
import { at, file } from '../support/folder.mjs';

/** A manifest in JSON, which is YAML. Releases have a version, or other members. Groups are `[name, instances, jobs]`. */
function manifest(releases, groups) {
  const entries = Object.entries(releases).map(([name, version]) => ({ name, ...(typeof version === 'string' ? { version } : version) }));
  return JSON.stringify({ releases: entries, instance_groups: groups.map(([name, instances, jobs]) => ({ name, instances, jobs })) });
}

const BOUNDS = ['--latency', '1s', '--fault', 'pause=9s,1'];
const ONE_LOST = ['--latency', '1s', '--fault', 'lost-message,1'];

function advised(text, args = BOUNDS) {
  const { status, stdout, stderr } = cli(['advise', '--manifest', file('cf.yml', text), ...args]);
  return { status, stderr, lines: stdout.replaceAll(at('cf.yml'), 'cf.yml').trimEnd().split('\n') };
}

// The quoted "false" turns nothing off: to a template of BOSH it is true.
const bbs = (version, job = { name: 'bbs', release: 'diego', properties: { locks: { locket: { enabled: 'false' } } } }) => manifest({ diego: version }, [['api', 2, [job]]]);

describe('each job of the table has one line', () => {
  test('with its preset, the verdict for how many clients, and the property that would change it', () => {
    const retry = (interval) => ({ name: 'routing-api', release: 'routing', properties: { routing_api: { lock_retry_interval: interval } } });
    const jobs = [{ name: 'bbs', release: 'diego' }, { name: 'route_emitter', release: 'diego', properties: { diego: { route_emitter: { local_mode: true } } } }, { name: 'rep' }];
    const releases = { diego: '2.146.0', routing: '0.391.0' };
    const { status, stderr, lines } = advised(manifest(releases, [['api', 2, jobs], ['one', 2, [retry('5s')]], ['two', 2, [retry('3s')]], ['none', 0, [retry('5s')]], ['three', 1, [retry('soon')]]]));
    const two = 'Unsafe within these bounds: a schedule with 1 fault has two owners at the same time, after 15 s; ';
    const one = 'Safe within these bounds: no schedule has two owners at the same time, for any number of clients';
    assert.deepEqual(lines, [
      `✗ cf.yml: api/bbs: diego-bbs@2.146.0: ${two}no property changes its settings`,
      '– cf.yml: api/route_emitter: diego-route_emitter@2.146.0: keeps nothing in Locket: diego.route_emitter.local_mode is true',
      '✗ cf.yml: api/rep: diego-rep@2.146.0: Unsafe within these bounds: a schedule with 1 fault leaves the presence without a row for more than 0 s, after 15 s; safe with diego.rep.locket.lock_ttl or diego.rep.lock_ttl: 16s',
      `✗ cf.yml: one/routing-api: routing-routing-api@0.391.0: ${two}safe with routing_api.lock_retry_interval: 3s`,
      `✓ cf.yml: two/routing-api: routing-routing-api@0.391.0: ${one}`,
      '– cf.yml: none/routing-api: routing-routing-api@0.391.0: keeps nothing in Locket: 0 instances',
      `? cf.yml: three/routing-api: routing-routing-api@0.391.0: retryInterval: "soon" is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h`,
    ]);
    assert.equal(status, 1);
    assert.match(stderr, /3 of 5 jobs have settings that are not safe/);
  });

  // sim/tests/check/presets.rs has the versions that are refused.
  for (const [release, says] of [
    ['2.102.0', '✗ Unsafe'],
    ['2.50.0', '✗ Unsafe'],
    // A compiled release has its version behind its name. The other numbers are those of the stemcell and of the build.
    [{ url: 'https://example.com/diego-2.102.0-ubuntu-jammy-1.500-20240901-000000-123456789.tgz' }, '✗ Unsafe'],
    [{ url: 'https://example.com/diego-ubuntu-jammy-1.500-20240901-000000-123456789.tgz' }, '? expected a version'],
    [{ url: 'https://example.com/diego-2.102.0-rc1.tgz' }, '? expected a version'],
    [{ url: 'https://example.com/diego-123456789.tgz' }, '? expected a version'],
    [{ url: 'https://bosh.io/d/github.com/cloudfoundry/diego-release?v=2.102.0' }, '✗ Unsafe'],
    [{ url: 'file:///releases/diego-release-2.102.0.tgz' }, '✗ Unsafe'],
    [{ url: 'file:///releases/other-2.138.0.tgz' }, '? expected a version'],
    [{ url: 'https://example.com/diego-2.102.0.tgz?v=2.138.0' }, '? expected a version'],
    [{ version: '2.102.0', url: 'file:///releases/diego-2.138.0.tgz' }, '✗ Unsafe'],
    ['2.102.x', '? expected a version such as diego-bbs@2.102.0, not "2.102.x"'],
    ['((diego_version))', '? expected a version'],
    ['latest', '? expected a version'],
    [{}, '? expected a version'],
    ['2.999.0', '? nothing is known of diego-bbs in version 2.999.0; known are '],
  ]) {
    test(`of diego ${JSON.stringify(release)}: ${says}`, () => {
      const { status, lines } = advised(bbs(release), ONE_LOST);
      const [mark, ...rest] = says.split(' ');
      assert.ok(lines[0].startsWith(`${mark} cf.yml: api/bbs: diego-bbs@`) && lines[0].includes(`: ${rest.join(' ')}`), lines[0]);
      assert.deepEqual([lines.length, status], [1, mark === '?' ? 5 : 1]);
    });
  }

  test('two versions of its release are none, so nothing is said of a property that turns it off', () => {
    const job = { name: 'route_emitter', release: 'diego', properties: { diego: { route_emitter: { local_mode: true } } } };
    const text = bbs('2.102.0', job).replace('"releases":[', '"releases":[{"name":"diego","version":"2.138.0"},');
    assert.match(advised(text).lines[0], /expected a version such as diego-route_emitter@2\.102\.0, not "2\.138\.0 and 2\.102\.0"$/);
  });

  test('jobs with an address of Locket, or of other releases, are named in one line', () => {
    const broker = { name: 'rds-broker', release: 'rds', properties: { rds: { locket: { api_location: 'locket:8891' } } } };
    const locket = { name: 'locket', release: 'diego', properties: { diego: { locket: { sql: { db_host: 'x' } } } } };
    const { status, stderr, lines } = advised(manifest({ diego: '2.102.0' }, [['api', 2, [locket, broker, { name: 'bbs', release: 'fork' }]]]));
    assert.deepEqual(lines, ['! not judged, for they are not in the table and may keep a lock in Locket: api/rds-broker, api/bbs']);
    assert.equal(status, 5);
    assert.match(stderr, /no verdict: no job of the table keeps a lock or presence/);
  });

  test('several manifests are judged together, - is standard input, and --junit has a case for each job', () => {
    const xml = at('advice.xml');
    const { status, stdout } = cli(['advise', '--manifest', '-', file('two.yml', bbs('2.138.0', { name: 'auctioneer' })), ...ONE_LOST, '--junit', xml], bbs('2.102.0').replace('"api"', '"<b>"'));
    assert.equal(status, 1);
    assert.match(stdout, /^✗ -: <b>\/bbs: .*\n✓ .*two\.yml: api\/auctioneer: diego-auctioneer@2\.138\.0: /);
    assert.match(readFileSync(xml, 'utf8'), /tests="2" failures="1" errors="0">\n.*name="-: &lt;b&gt;\/bbs: diego-bbs@2\.102\.0">/);
  });

  test('in 17 versions of cf-deployment it has the settings and the verdict of its release', async () => {
    const { versions } = JSON.parse(readFileSync(new URL('../support/cf-deployment.json', import.meta.url), 'utf8'));
    assert.equal(versions.length, 17);
    const nested = (properties) => {
      const root = {};
      for (const [name, value] of Object.entries(properties)) {
        const path = name.split('.');
        const last = path.pop();
        path.reduce((at, key) => (at[key] ??= {}), root)[last] = value;
      }
      return root;
    };
    const paths = versions.map(({ tag, releases, jobs }) => {
      const groups = jobs.map(({ group, instances, job, release, properties }) => [group, instances, [{ name: job, release, properties: nested(properties) }]]);
      return file(`${tag}.yml`, manifest(releases, groups));
    });
    const { jobs: found } = JSON.parse(cli(['advise', '--json', ...ONE_LOST, '--manifest', ...paths]).stdout);
    const expected = versions.flatMap(({ jobs }) => jobs.map(({ job, expect }) => ({ job, expect })));
    assert.deepEqual(found.map(({ job, verdict }) => `${job}: ${verdict}`), expected.map(({ job, expect }) => `${job}: ${expect.split(' ').at(-1)}`));
    // Asked by hand, with the runner and the times of the record.
    const settings = new Map(found.flatMap(({ preset }, index) => (expected[index].expect.includes(' ') ? [[preset, expected[index].expect]] : [])));
    assert.ok(settings.size > 50);
    for (const [preset, expect] of settings) {
      const [runner, ttl, retry, verdict] = expect.split(' ');
      const { summary, ...answer } = await explore({ runner: preset, latency: '1s', faults: { lostMessage: 1 } }, { longest: false });
      assert.equal(answer.verdict, verdict, preset);
      assert.match(summary, new RegExp(` Settings: ${runner} runner(?: of a presence)?, TTL ${ttl} s, retry ${retry} s, on the shipped Locket\\. `));
    }
  });
});

test('--runner takes a job of a release in every command, and refuses what the table does not say', async () => {
  const asked = cli(['explore', '--runner', 'diego-bbs@2.102.0', 'safe', ...ONE_LOST, '--json']);
  assert.deepEqual(asked.stdout.trim().split('\n').map((line) => JSON.parse(line)).map(({ runner, verdict }) => [runner, verdict]), [['diego-bbs@2.102.0', 'unsafe'], ['safe', 'safe']]);
  assert.deepEqual(JSON.parse(cli(['advise', '--runner', 'diego-bbs@2.138.0', ...BOUNDS, '--json']).stdout), await advise({ runner: 'diego-bbs@2.138.0', latency: '1s', faults: { pause: { length: '9s', count: 1 } } }));
  const map = cli(['explore', '--map', 'pause', '--runner', 'diego-bbs@2.102.0', '--ttl', '6s', '--retry-interval', '1s', '--json']);
  assert.deepEqual(JSON.parse(map.stdout).cells, JSON.parse(cli(['explore', '--map', 'pause', '--runner', 'upstream-before-2025-10', '--profile', 'upstream', '--ttl', '6s', '--retry-interval', '1s', '--json']).stdout).cells);
  for (const command of [['explore'], ['explore', '--map', 'pause'], ['advise'], ['advise', '--survive', '--fault', 'crash']]) {
    const { status, stdout, stderr } = cli([...command, '--runner', 'diego-bbs@2.999.0']);
    assert.deepEqual([status, stdout], [2, ''], command.join(' '));
    assert.match(stderr, /--runner: nothing is known of diego-bbs in version 2\.999\.0; known are 1\.14\.1 to 1\.x, /);
  }
  await assert.rejects(explore({ clients: [{ runner: 'diego-bbs@new' }] }), { name: 'LocketArgumentError', field: 'clients[0].runner' });
});

describe('a text that is no manifest ends with exit code 2', () => {
  const cases = {
    'broken YAML': { text: 'instance_groups:\n  - {name: a\n', says: /expected YAML in line [23]: / },
    'operations on a manifest': { text: '- type: replace\n  path: /a\n', says: /expected a deployment manifest with a list of instance_groups; apply operations files first/ },
    'two documents': { text: 'instance_groups: []\n---\ninstance_groups: []\n', says: /expected YAML: more than one document/ },
    'an empty file': { text: '', says: /expected a deployment manifest/ },
    'a tab': { text: 'instance_groups:\n\t- name: a\n', says: /expected YAML in line 2: Tabs are not allowed as indentation/ },
    'nested lists in a row': { text: `instance_groups: ${'['.repeat(3_000_000)}`, says: /expected YAML/ },
    'nested lists': { text: '- '.repeat(20_000), says: /expected YAML/ },
    'too many merges': { text: `a0: &a0 {}\n${Array.from({ length: 20_000 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: *a${index}}\n`).join('')}instance_groups: []\n`, says: /expected YAML: at most 200 levels and 500 aliases/ },
    'an alias of nothing': { text: 'instance_groups: [*a]\n', says: /expected YAML/ },
    'too large a file': { text: `a: ${'b'.repeat(4 * 1024 * 1024)}\n`, says: /at most 4 MiB/ },
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

test('aliases of aliases and merges of merges cost nothing, and members named like those of objects are none', () => {
  const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
  const bomb = names.map((name, index) => `${name}: &${name} [${index === 0 ? 'x' : `*${names[index - 1]}, `.repeat(9)}]\n`).join('');
  const merges = `shared: &shared {release: diego}\ninstance_groups:\n- name: group\n  jobs:\n  - {<<: [${'*shared, '.repeat(99)}{name: rep}]}\n  - {name: x, properties: *a39}\n  - {name: __proto__, properties: {__proto__: 1, a}}\n`;
  const { lines } = advised(`${bomb}releases: [{name: diego, version: 2.138.0}]\n${merges}`, ['--latency', '1s']);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^✓ cf\.yml: group\/rep: diego-rep@2\.138\.0: Safe within/);
});

/** Questions whose advice has alternatives. */
const WITH_ALTERNATIVES = {
  'upstream with a pause': { runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s', faults: { pause: { length: '10s', count: 1 } } },
  'the Cloud Controller with a pause': { runner: 'cloud-controller', profile: 'upstream', latency: '1s', faults: { pause: { length: '15s', count: 1 } } },
  'the safe runner with a short TTL': { ttl: '3s', retryInterval: '5s', latency: '1s' },
  'a presence with a pause': { kind: 'presence', runner: 'upstream', profile: 'upstream', clients: [{}], property: { is: 'presence-gap', allow: '0s' }, latency: '1s', faults: { pause: { length: '9s', count: 1 } } },
};

for (const [name, question] of Object.entries(WITH_ALTERNATIVES)) {
  test(`alternatives are safe for every property, and the cheapest is first: ${name}`, async () => {
    const { alternatives, text } = await advise(question);
    assert.ok(alternatives.length > 0);
    for (const { runner, ttlMs, retryIntervalMs, handoverMaxMs } of alternatives) {
      const { faults, ...withoutFault } = { ...question, runner, ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` };
      const questions = [{ ...withoutFault, ...(faults && { faults }) }, { ...withoutFault, property: { is: 'false-loss' } }];
      if (question.clients === undefined) questions.push({ ...withoutFault, faults: { crash: 1 }, property: { is: 'no-client-acts', allow: `${handoverMaxMs}ms` } });
      for (const asked of questions) assert.equal((await explore(asked, { longest: false })).verdict, 'safe', JSON.stringify(asked));
    }
    const costs = alternatives.map(({ handoverMaxMs, renewalsPerHour }) => handoverMaxMs * 1e6 + renewalsPerHour);
    assert.deepEqual(costs, costs.toSorted((one, other) => one - other));
    const lines = text.split('\n').filter((line) => line.startsWith('Safe instead: '));
    assert.deepEqual(lines.map((line) => Number(/TTL (\d+) s/.exec(line)[1]) * 1000), alternatives.map(({ ttlMs }) => ttlMs));
  });
}
