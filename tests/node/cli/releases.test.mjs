// `locket-wasm advise --manifest` judges each job by the facts of its release, and says which these are.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { boshFacts, boshSettings, explore } from 'locket-wasm/check';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-releases-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A manifest in JSON, which is YAML. Groups are `[name, instances, jobs]`. */
function manifest(releases, groups, more = {}) {
  const instance_groups = groups.map(([name, instances, jobs]) => ({ name, instances, jobs }));
  return JSON.stringify({ releases: Object.entries(releases).map(([name, version]) => ({ name, ...(typeof version === 'object' ? version : { version }) })), instance_groups, ...more });
}

const ONE_LOST = ['--latency', '1s', '--fault', 'lost-message,1'];

function advised(text, args = ['--latency', '1s']) {
  const path = file('cf.yml', text);
  const { status, stdout, stderr } = cli(['advise', '--manifest', path, ...args]);
  return { status, stderr, stdout: stdout.replaceAll(path, 'cf.yml') };
}

function report(text, args = ['--latency', '1s']) {
  const { stdout, stderr } = advised(text, [...args, '--json']);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

const verdicts = ({ findings }) => findings.map(({ group, job, verdict }) => [`${group}/${job}`, verdict]);

describe('a fact with a date is told of the releases that have it', () => {
  const bbs = (version) => manifest({ diego: version }, [['api', 2, [{ name: 'bbs', release: 'diego' }]]]);

  test('bbs of diego 2.102.0 is judged with its own runner, and explore says the same', async () => {
    const { status, stdout } = advised(bbs('2.102.0'), ONE_LOST);
    assert.equal(status, 1);
    assert.match(stdout, /^ {2}bbs keeps a lock with the upstream-before-2025-10 runner: TTL 15 s, fixed in the job; retry 1 s, fixed in the job\.$/m);
    assert.match(stdout, /^ {2}Facts of diego 2\.102\.0: since 2\.75\.0, 2023-04-28: cloudfoundry\/locket locket_client\.go 1f63346\.$/m);
    assert.match(stdout, /^ {2}Unsafe within these bounds: /m);
    assert.doesNotMatch(stdout, /^ {2}Safe within|the upstream runner/m);
    assert.match(stdout, /^! cf\.yml:\d+:\d+: releases\/diego: Locket of diego 2\.102\.0 undoes the work of a call whose caller has given up/m);
    const asked = { runner: 'upstream-before-2025-10', profile: 'upstream', ttl: '15s', retryInterval: '1s', latency: '1s', faults: { lostMessage: 1 } };
    assert.equal((await explore(asked)).verdict, 'unsafe');
    const { question } = boshSettings({ job: 'bbs', version: '2.102.0' });
    assert.equal((await explore({ ...question, latency: '1s', faults: { lostMessage: 1 } })).verdict, 'unsafe');
  });

  for (const [version, runner, retry] of [
    ['2.122.0', 'upstream-before-2025-10', 1],
    ['2.102', 'upstream-before-2025-10', 1],
    ['v2.102.0', 'upstream-before-2025-10', 1],
    [{ version: '2.102.0+dev.7' }, 'upstream-before-2025-10', 1],
    [{ url: 'https://bosh.io/d/github.com/cloudfoundry/diego-release?v=2.102.0' }, 'upstream-before-2025-10', 1],
    [{ version: 'create', url: 'file:///releases/diego' }, 'upstream', 5],
    [{ url: 'file:///releases/diego-release-2.138.0.tgz' }, 'upstream', 2],
    [{ url: 'https://example.com/diego-2.102.0-ubuntu-jammy-1.500-20240901-000000-123456789.tgz' }, 'upstream-before-2025-10', 1],
    ['2.123.0', 'upstream', 2],
    ['latest', 'upstream', 5],
    ['2.999.0', 'upstream', 5],
  ]) {
    test(`${JSON.stringify(version)} gives the ${runner} runner with a retry interval of ${retry} s`, () => {
      const [{ advice }] = report(bbs(version)).findings;
      assert.deepEqual([advice.bosh.runner, advice.bosh.retryIntervalMs], [runner, retry * 1_000]);
      const isAssumed = ['latest', 'create'].includes(version.version ?? version);
      assert.equal(/^Facts, assumed: newest diego/m.test(advice.text), isAssumed);
    });
  }

  test('a version that names no release, or a build, is noted', () => {
    const notes = (version) => report(bbs(version)).notes.filter(({ kind }) => kind === 'version').map(({ message }) => message);
    assert.deepEqual(notes('latest'), ['the version latest names no release; assumed: newest']);
    assert.deepEqual(notes('2.102.0+dev.7'), ['the version 2.102.0+dev.7 is judged as 2.102.0']);
    assert.deepEqual(notes('2.102.0'), []);
  });

  test('without releases, the newest is assumed, and the text says so', () => {
    const { stdout } = advised(manifest({}, [['api', 2, [{ name: 'bbs', release: 'diego' }]]]));
    assert.match(stdout, /^ {2}Facts, assumed: newest diego: assumed: since 2\.146\.0, 2026-08-20: cloudfoundry\/diego-release pull request 1183\.$/m);
  });

  for (const version of ['2.102.x', '2.1O2.0', 'diego/2.102.0', ' ', '2.102.0 ', { url: 'file:///releases/diego.tgz' }]) {
    test(`${JSON.stringify(version)} is not understood, so it is not judged by the newest release`, () => {
      const { status, stdout } = advised(bbs(version));
      const text = version.url ?? version;
      assert.equal(status, 5);
      assert.ok(stdout.includes(`api/bbs: not judged: version: expected a version such as 2.102.0, or latest for the newest, not ${JSON.stringify(text)}\n`), stdout);
      assert.doesNotMatch(stdout, /Safe|Facts|newest diego/);
      if (text === version) {
        const asked = cli(['advise', '--job', 'bbs', '--release', text]);
        assert.deepEqual([asked.status, asked.stdout], [2, '']);
        assert.match(asked.stderr, /--release: expected a version such as 2\.102\.0/);
        for (const call of [() => boshSettings({ job: 'bbs', version: text }), () => boshFacts(text)]) assert.throws(call, { name: 'LocketArgumentError', field: 'version' });
      }
    });
  }

  test('a version in a variable is read with --set, and asked for without', () => {
    assert.deepEqual(verdicts(report(bbs('((v))'))), [['api/bbs', 'unset']]);
    const { findings } = report(bbs('((v))'), ['--latency', '1s', '--set', 'v=2.102.0']);
    assert.equal(findings[0].advice.bosh.version, '2.102.0');
  });

  test('each job has the version of its own release', () => {
    const jobs = [{ name: 'bbs', release: 'diego' }, { name: 'tps', release: 'capi' }, { name: 'routing-api', release: 'routing' }];
    const { findings } = report(manifest({ diego: '2.102.0', capi: '1.221.0', routing: '0.385.0' }, [['api', 2, jobs]]));
    assert.deepEqual(findings.map(({ advice }) => [advice.bosh.version, advice.bosh.runner]), [['2.102.0', 'upstream-before-2025-10'], ['1.221.0', 'upstream'], ['0.385.0', 'upstream']]);
  });

  test('a job without a release has that of its name; the version of a fork says nothing', () => {
    const [own, fork] = report(manifest({ diego: '2.102.0', fork: '9.0.0' }, [['api', 2, [{ name: 'bbs' }, { name: 'bbs', release: 'fork' }]]])).findings;
    assert.deepEqual([own.advice.bosh.version, fork.advice.bosh.version], ['2.102.0', null]);
  });
});

describe('what cannot be judged is not judged', () => {
  for (const [release, version, job, says] of [
    ['diego', '1.4.0', 'bbs', /^not judged: bbs of diego 1\.4\.0 keeps no lock in Locket yet; later ones do \(since 1\.6\.2, 2017-02-06: /],
    ['diego', '0.1482.0', 'rep_windows', /keeps no presence in Locket yet/],
    ['diego', '1.10.0', 'bbs', /^not judged: bbs of diego 1\.10\.0 cannot be judged: its runner has no deadline for an attempt/],
    ['diego', '2.144.0', 'auctioneer', /its retry interval became 5 s in this version or a later one/],
    ['routing', '0.353.0', 'routing-api', /the one before or after Locket's change of 2025-10-27, and it is not known which/],
  ]) {
    test(`${job} of ${release} ${version}`, () => {
      const text = manifest({ [release]: version }, [['api', 2, [{ name: job, release }]]]);
      const [finding] = report(text).findings;
      assert.deepEqual([finding.verdict, finding.advice], ['unknown', null]);
      assert.match(finding.message, says);
      assert.equal(advised(text).status, 5);
    });
  }

  test('--job with --release says so too', () => {
    const { status, stderr } = cli(['advise', '--job', 'bbs', '--release', '1.4.0']);
    assert.equal(status, 2);
    assert.match(stderr, /--job: bbs of diego 1\.4\.0 keeps no lock in Locket yet/);
    assert.equal(cli(['advise', '--job', 'bbs', '--release', '2.144.0']).status, 5);
    assert.match(cli(['advise', '--job', 'bbs', '--release', '2.102.0', '--latency', '1s']).stdout, /^Facts of diego 2\.102\.0: /m);
  });
});

describe('a property that decides has a line', () => {
  const job = (name, version, properties) => manifest({ diego: version }, [['group', 2, [{ name, release: 'diego', properties }]]]);
  const off = { locks: { locket: { enabled: false } }, cell_registrations: { locket: { enabled: false } } };

  test('a lock that is switched off is said to be off, at its switch', () => {
    for (const name of ['auctioneer', 'bbs', 'rep']) {
      const { status, stdout, stderr } = advised(job(name, '2.70.0', off));
      assert.equal(status, 5);
      assert.match(stdout, new RegExp(`^– cf\\.yml:1:\\d+: group/${name}: ${name} of diego 2\\.70\\.0 keeps no (lock|presence) in Locket: (locks|cell_registrations)\\.locket\\.enabled is false$`, 'm'));
      assert.match(stderr, /no job in these manifests keeps a lock or presence/);
    }
  });

  test('a switch that no later program reads is said to have no effect', () => {
    for (const [name, property] of [['auctioneer', 'locks.locket.enabled'], ['rep', 'cell_registrations.locket.enabled']]) {
      for (const version of ['2.71.0', 'latest']) {
        const { stdout } = advised(job(name, version, off));
        assert.match(stdout, new RegExp(`^  ${name} keeps a .*; ${property} has no effect\\.$`, 'm'));
      }
    }
  });

  test('keepalive is told, and one that the template refuses is invalid', () => {
    const pings = (time, timeout) => ({ diego: { rep: { locket: { client_keepalive_time: time, client_keepalive_timeout: timeout } } } });
    assert.match(advised(job('rep', '2.138.0', pings(15, 40))).stdout, /^ {2}Keepalive: a ping after 15 s without traffic, its answer within 40 s; a dead connection is noticed within 55 s; no question here depends on that\.$/m);
    assert.deepEqual(verdicts(report(job('rep', '2.138.0', pings(30, 22)))), [['group/rep', 'invalid']]);
    assert.match(advised(job('rep', '2.74.0', pings(15, 40))).stdout, /client_keepalive_time has no effect/);
  });

  test('a TTL or retry interval of a later release has no effect in an earlier one', () => {
    const text = job('rep', '2.138.0', { diego: { rep: { locket: { lock_ttl: '45s' } } } });
    const [{ advice, assumed }] = report(text).findings;
    assert.deepEqual([advice.bosh.ttlMs, advice.bosh.ignored, assumed], [15_000, ['diego.rep.locket.lock_ttl'], []]);
    const routing = manifest({ routing: '0.385.0' }, [['api', 2, [{ name: 'routing-api', release: 'routing', properties: { routing_api: { lock_retry_interval: '4s' } } }]]]);
    assert.equal(report(routing).findings[0].advice.bosh.retryIntervalMs, 1_000);
  });

  test('a lock that is in Consul, too, has a line', () => {
    const properties = { diego: { bbs: { locket: { api_location: 'locket.service.cf.internal:8891' } } } };
    assert.match(advised(job('bbs', '1.29.1', properties)).stdout, /^ {2}Without diego\.bbs\.skip_consul_lock it takes a lock in Consul, too, which no question here covers\.$/m);
    assert.match(advised(job('bbs', '1.29.1', {})).stdout, /^– .*diego\.bbs\.locket\.api_location is not set$/m);
  });
});

describe('groups', () => {
  const bbs = { name: 'bbs', release: 'diego' };

  test('a group of 0 instances has nothing to judge, one instance has no rival', () => {
    const { findings, notes } = report(manifest({ diego: '2.138.0' }, [['none', 0, [bbs]], ['one', 1, [bbs]]]), ['--latency', '500ms']);
    assert.deepEqual(findings.map(({ group, verdict }) => [group, verdict]), [['none', 'off'], ['one', 'safe']]);
    assert.deepEqual(notes.filter(({ kind }) => kind === 'instances').map(({ group }) => group), ['one']);
  });

  test('jobs of one name in two groups are both judged, and other settings are noted', () => {
    const routing = (retry) => ({ name: 'routing-api', release: 'routing', properties: { routing_api: { lock_retry_interval: retry } } });
    const { findings, notes } = report(manifest({}, [['a', 1, [routing('5s')]], ['b', 1, [routing('2s')]]]), ['--latency', '500ms']);
    assert.deepEqual(findings.map(({ verdict }) => verdict), ['safe', 'safe']);
    assert.deepEqual(notes.map(({ kind, group }) => [kind, group]), [['rivals', 'b']]);
  });

  test('colocated jobs, Windows cells and addons are judged by their release', () => {
    const windows = { name: 'rep_windows', release: 'diego' };
    const emitter = { name: 'route_emitter_windows', release: 'diego' };
    const text = manifest({ diego: '2.102.0' }, [['windows', 3, [windows, emitter]]], { addons: [{ name: 'more', jobs: [bbs] }] });
    const { findings } = report(text);
    assert.deepEqual(findings.map(({ job, advice }) => [job, advice.bosh.runner]), [windows, emitter, bbs].map(({ name }) => [name, 'upstream-before-2025-10']));
  });
});

describe('--declare', () => {
  const text = manifest({}, [['mine', 2, [{ name: 'my-job', release: 'mine' }]]]);

  test('a declared job is judged as explore judges its settings', async () => {
    const jobs = file('jobs.yml', '- {name: my-job, key: my-lock, ttl: 12s, retry_interval: 4s, runner: upstream-before-2025-10}\n');
    const { status, stdout } = advised(text, ['--latency', '1s', '--fault', 'pause=9s,1', '--declare', jobs]);
    assert.equal(status, 1);
    assert.ok(stdout.includes(`  my-job keeps the lock my-lock with the upstream-before-2025-10 runner: TTL 12 s; retry 4 s; declared at ${jobs}:1:3.\n`), stdout);
    const asked = { runner: 'upstream-before-2025-10', profile: 'upstream', ttl: '12s', retryInterval: '4s', latency: '1s', faults: { pause: { length: '9s', count: 1 } } };
    assert.equal((await explore(asked)).verdict, 'unsafe');
    assert.equal(report(text, ['--latency', '1s', '--fault', 'pause=1s,1', '--declare', file('safe.yml', '- {name: my-job, ttl: 30s, retry_interval: 5s}\n')]).findings[0].verdict, 'safe');
  });

  test('a declaration takes the place of the table', () => {
    const jobs = file('bbs.yml', '- {name: bbs, ttl: 40s, retry_interval: 5s}\n');
    const { findings } = report(manifest({ diego: '1.4.0' }, [['api', 2, [{ name: 'bbs', release: 'diego' }]]]), ['--latency', '1s', '--declare', jobs]);
    assert.deepEqual([findings[0].verdict, findings[0].question.ttl], ['safe', '40s']);
  });

  for (const [declared, says] of [
    ['name: x\n', /:1:1: expected a list of jobs, such as - \{name: my-job/],
    ['- x\n', /:1:3: expected a job, such as/],
    ['- {name: x, ttl: 15s}\n', /:1:3: retry_interval: expected a text/],
    ['- {name: x, ttl: 15, retry_interval: 5s}\n', /:1:18: ttl: expected a duration with its unit, such as 15s/],
    ['- {name: x, ttl: 1500ms, retry_interval: 500ms}\n', /ttl: expected whole seconds/],
    ['- {name: x, ttl: 15s, retry_interval: 5s, runner: upsteam}\n', /runner: expected .*; did you mean upstream\?/],
    ['- {name: x, tll: 15s}\n', /unknown field tll; the fields are .*; did you mean ttl\?/],
    ['- {name: x, ttl: 15s, retry_interval: 5s, kind: joint}\n', /kind: expected lock, presence/],
    ['- [\n', /:\d+:\d+: /],
  ]) {
    test(`${JSON.stringify(declared)} is refused at its place`, () => {
      const { status, stdout, stderr } = cli(['advise', '--manifest', file('cf.yml', text), '--declare', file('wrong.yml', declared)]);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, says);
    });
  }
});

// sim/tests/check/cf_deployment.rs has the verdicts.
test('17 versions of cf-deployment have the settings of their releases', () => {
  const { versions } = JSON.parse(readFileSync(new URL('../../../sim/tests/check/cf_deployment.json', import.meta.url), 'utf8'));
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
  const { stdout, stderr } = cli(['advise', '--max-states', '1', '--json', '--manifest', ...paths]);
  assert.notEqual(stdout, '', stderr);
  const found = JSON.parse(stdout).findings.map(({ job, verdict, advice, message }) => {
    if (advice === null) return `${job}: ${message.includes('in Locket yet') ? 'before-locket' : verdict}`;
    const { runner, ttlMs, retryIntervalMs } = advice.bosh;
    return `${job}: ${runner} ${ttlMs / 1_000} ${retryIntervalMs / 1_000}`;
  });
  const expected = versions.flatMap(({ jobs }) => jobs.map(({ job, expect }) => `${job}: ${expect.replace(/ (safe|unsafe)$/, '')}`));
  assert.deepEqual(found, expected);
});
