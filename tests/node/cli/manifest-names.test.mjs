// Names that `locket-wasm advise --manifest` does not know, or only assumes.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-names-'));
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
  const { status, stdout, stderr } = cli(['advise', '--manifest', ...paths, '--latency', '1s', '--json', ...args]);
  assert.notEqual(stdout, '', stderr);
  return { status, stderr, ...JSON.parse(stdout) };
}

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

describe('names that are not known', () => {
  const unknown = (job, ...args) => report([[['group', 1, ['bbs', job]]]], ...args).unknown.map(({ kind, name, nearest }) => [kind, name, nearest]);

  test('a mistyped job is named with the nearest known one, at its place', () => {
    const { status, stdout } = cli(['advise', '--manifest', file('typo.yml', manifest(['cell', 3, ['reb']], ['api', 2, ['bbs']])), '--latency', '1s']);
    assert.equal(status, 0);
    assert.match(stdout, /^! .*typo\.yml:6:12: cell\/reb: the job reb of the release diego is not known, so it is not checked; did you mean rep\?$/m);
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
    ['{name: cc_lock_keeper, release: capi}', [['job', 'cc_lock_keeper', null]]],
    ['{name: tcp_leader, release: routing}', [['job', 'tcp_leader', null]]],
    ['{name: elected, release: cf-networking}', [['job', 'elected', null]]],
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
    const { stdout } = cli(['advise', '--manifest', file('assumed.yml', manifest(...LARGE)), '--latency', '1s']);
    assert.match(stdout, /^ {2}Assumed: diego\.rep\.locket\.lock_ttl sets the TTL\. No published spec was at hand; compare jobs\/rep\/spec/m);
  });

  test('advice that only an assumed property brings about says so', () => {
    const { findings } = report([SMALL], '--fault', 'pause=9s,1');
    assert.deepEqual(findings.map(({ job, assumed }) => [job, assumed]), [['bbs', []], ['rep', ['diego.rep.locket.lock_ttl']], ['route_emitter', []]]);
  });

  test('--job-property refuses a property that does not affect the job', () => {
    const { status, stderr } = cli(['advise', '--job', 'rep', '--job-property', 'diego.rep.locket.lock_tll=45s']);
    assert.equal(status, 2);
    assert.match(stderr, /--job-property: diego\.rep\.locket\.lock_tll does not affect the settings of rep; it has .*; did you mean diego\.rep\.locket\.lock_ttl\?/);
  });
});
