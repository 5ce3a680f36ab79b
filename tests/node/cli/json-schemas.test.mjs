// The output of each command with --json: it is what the package gives, and as its schema in the package says.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runScenario, Simulation } from 'locket-wasm';
import { advise, explore, mapSettings, minimize, safetyMargin, sweepSeeds } from 'locket-wasm/check';
import { diagnose } from 'locket-wasm/diagnose';
import { serve } from 'locket-wasm/serve';
import { stories } from 'locket-wasm/stories';

import { runCli } from '../../serve/support/serve-process.mjs';
import { cli } from '../support/command-line.mjs';
import { at, file } from '../support/folder.mjs';

const require = createRequire(import.meta.url);
const Ajv = require('ajv/dist/2020.js').default;
const SCHEMA = require('locket-wasm/output.schema.json');

const MANIFEST = file('cf.yml', 'releases: [{name: diego, version: 2.138.0}]\ninstance_groups:\n- name: all\n  instances: 2\n  jobs: [{name: bbs}, {name: rep}, {name: bbs, release: fork}, {name: tps}]\n');
const CLIENT = { key: 'k', ttl: '3s', retryInterval: '1s' };
const RANDOM = { name: 'random', random: true, until: '30s', network: { latency: { max: '1s' }, loss: '30%' }, clients: [{ ...CLIENT, name: 'a' }], expect: [{ at: '20s', key: 'k', owner: 'b' }] };
const FAILING = file('failing.json', RANDOM);

const INCIDENT = ['bbs-0', 'bbs-1', 'locket-a'].map((name) => fileURLToPath(new URL(`../../vectors/logs/c-sigstop/${name}.log`, import.meta.url)));
const MAP = ['explore', '--map', 'pause', '--runner', 'upstream', '--ttl', '3s..4s', '--retry-interval', '1s..2s'];
const PAUSED = 'holder-paused-longer-than-its-ttl';
const upstream = { runner: 'upstream', latency: '6s' };

const simulation = new Simulation(stories['first-look']);
simulation.runUntil('12s');
simulation.act({ do: 'delete-row', key: 'bbs' });

/** The schema, the command line, and what the package gives for each line. */
const OUTPUTS = [
  ['advise', ['advise'], () => [advise({})]],
  ['advise', ['advise', '--latency', '1s', '--fault', 'pause=9s,1', '--runner', 'upstream'], () => [advise({ runner: 'upstream', latency: '1s', faults: { pause: { length: '9s', count: 1 } } })]],
  ['advise', ['advise', '--runner', 'diego-rep@2.138.0']],
  ['advise', ['advise', '--manifest', MANIFEST]],
  ['explore', ['explore', '--runner', 'upstream', 'safe', '--latency', '6s'], () => [{ ...upstream }, { runner: 'safe', latency: '6s' }].map(async (question) => ({ ...(await explore(question)), runner: question.runner }))],
  ['explore', ['explore', '--max-states', '9']],
  ['explore', ['explore', '--runner', 'upstream', '--latency', '500ms', '--grid', '1s']],
  ['link', ['run', simulation.link()], () => [{ name: simulation.name, description: '', events: simulation.trace(), failures: [], digest: simulation.digest(), table: simulation.state().rows, nowMs: 12_000, endMs: simulation.endMs, isFaithful: true }]],
  ['map', MAP, () => [mapSettings({ runner: 'upstream', ttl: { from: '3s', to: '4s' }, retryInterval: { from: '1s', to: '2s' } })]],
  ['margin', ['run', PAUSED, '--margin', '--max-pause', '13s'], () => [safetyMargin(stories[PAUSED], { maxPause: '13s' })]],
  ['minimize', ['run', FAILING, '--minimize', '--max-runs', '1'], () => [minimize(RANDOM, { maxRuns: 1 })]],
  ['run', ['run', ...Object.keys(stories)], () => Object.values(stories).map((text) => runScenario(text))],
  ['stories', ['stories']],
  ['seeds', ['run', FAILING, '--seeds', '3'], () => [sweepSeeds(RANDOM, { seeds: 3 })]],
  ['diagnose', ['diagnose', ...INCIDENT], () => [diagnose(INCIDENT.map((name) => ({ name, data: readFileSync(name) })))]],
];

const ajv = new Ajv({ allErrors: true }).addSchema(SCHEMA, 'output');
const validatorOf = (command) => ajv.getSchema(`output#/$defs/${command}`);

function accept(command, args, { stdout, stderr }) {
  assert.notEqual(stdout, '', `${args.join(' ')}: ${stderr}`);
  for (const line of stdout.trimEnd().split('\n')) {
    const validate = validatorOf(command);
    assert.ok(validate(JSON.parse(line)), `${args.join(' ')}: ${ajv.errorsText(validate.errors)}`);
  }
}

for (const [command, args, given] of OUTPUTS) {
  test(`the schema of ${command} describes what the package gives: ${args.map((arg) => basename(arg)).join(' ').slice(0, 100)}`, async () => {
    const output = cli([...args, '--json']);
    accept(command, args, output);
    if (given === undefined) return;
    assert.deepEqual(output.stdout.trimEnd().split('\n').map((line) => JSON.parse(line)), JSON.parse(JSON.stringify(await Promise.all(given()))));
  });
}

test('the schema of diagnose-advice describes the second line of diagnose --advise', () => {
  const [, advice] = cli(['diagnose', '--advise', '--json', ...INCIDENT]).stdout.trimEnd().split('\n');
  accept('diagnose-advice', ['diagnose --advise'], { stdout: advice });
});

for (const args of [['run', FAILING, '--seeds', '3'], MAP]) {
  test(`the schema of shard describes the report of ${args[0]}`, () => {
    const report = at(`${args[0]}-report.json`);
    const { stderr } = cli([...args, '--output', report]);
    accept('shard', args, { stdout: readFileSync(report, 'utf8'), stderr });
  });
}

test('a member without a type is no valid output', () => {
  const [story, ...others] = JSON.parse(cli(['stories', '--json']).stdout);
  assert.equal(validatorOf('stories')([{ ...story, more: 1 }, ...others]), false);
});

let server;
before(async () => {
  server = await serve({ port: 0 });
});
after(() => server.close());

test('the schema of doctor describes its output about an endpoint', async () => {
  const args = ['doctor', '--url', server.url, '--json'];
  accept('doctor', args, await runCli(...args));
});

test('each schema has a test', () => {
  const names = Object.keys(SCHEMA.$defs).filter((name) => /^[a-z]/.test(name));
  assert.deepEqual(names.toSorted(), [...new Set(OUTPUTS.map(([name]) => name)), 'shard', 'doctor', 'diagnose-advice'].toSorted());
});
