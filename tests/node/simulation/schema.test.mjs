// The JSON Schema of scenarios, and the TypeScript type that is made of it, accept what the module reads.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv2020 from 'ajv/dist/2020.js';
import { runScenario } from 'locket-wasm';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = join(ROOT, 'sim/scenarios');
const SCHEMA = createRequire(import.meta.url)('locket-wasm/scenario.schema.json');
const NAMES = Object.keys(JSON.parse(readFileSync(join(FOLDER, 'digests.json'), 'utf8')));
const SCENARIOS = NAMES.map((name) => [name, JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))]);

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(SCHEMA);

const SMALL = {
  name: 'small',
  clients: [{ name: 'a', key: 'k', clock: {} }],
  network: {},
  database: {},
  profile: {},
  actions: [{ at: '0s', do: 'note', text: 'x' }],
  expect: [{ event: 'x' }],
};

function isRead(scenario) {
  try {
    runScenario(scenario);
    return true;
  } catch {
    return false;
  }
}

test('every shipped scenario is valid', () => {
  assert.ok(SCENARIOS.length > 0);
  for (const [name, scenario] of SCENARIOS) assert.ok(validate(scenario), `${name}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
});

test('schema and module need and take the same members for every action', () => {
  const members = { node: 'a', from: 'a', to: 'locket', for: '1s', count: 1, lostCommits: 1, latency: '1s', loss: '5%', text: 't', key: 'k', owner: 'o', ttl: '1s', oneWay: true };
  for (const { properties } of SCHEMA.$defs.ScenarioAct.oneOf) {
    const name = properties.do.const;
    const all = Object.keys(members);
    for (let bits = 0; bits < 2 ** all.length; bits += 1) {
      // Each subset of at most three members is enough to tell what is needed and what is taken.
      const chosen = all.filter((_, index) => bits & (1 << index));
      if (chosen.length > 3) continue;
      const action = Object.fromEntries([['at', '0s'], ['do', name], ...chosen.map((member) => [member, members[member]])]);
      // The only action that no client can do.
      if (name === 'drain' && 'node' in action) action.node = 'locket';
      const scenario = { name: 'x', random: true, storage: { guard: 'none' }, clients: [{ name: 'a', key: 'k' }], actions: [action] };
      assert.equal(validate(scenario), isRead(scenario), JSON.stringify(action));
    }
  }
});

test('schema and module agree about single values', () => {
  const changes = [
    (it) => (it.clients[0].ttl = '15s'),
    (it) => (it.clients[0].ttl = 15_000),
    (it) => (it.clients[0].ttl = ' 1.5m '),
    (it) => (it.clients[0].ttl = '15 parsecs'),
    (it) => (it.clients[0].ttl = '15'),
    (it) => (it.clients[0].ttl = '-15s'),
    (it) => (it.clients[0].ttl = -1),
    (it) => (it.clients[0].ttl = 1.5),
    (it) => (it.clients[0].ttl = ''),
    (it) => (it.clients[0].key = undefined),
    (it) => (it.unknown = 1),
    (it) => (it.clients[0].unknown = 1),
    (it) => (it.clients[0].clock.unknown = 1),
    (it) => (it.network.unknown = 1),
    (it) => (it.database.unknown = 1),
    (it) => (it.profile.unknown = 1),
    (it) => (it.actions[0].unknown = 1),
    (it) => (it.expect[0].unknown = 1),
    (it) => (it.clients[0].kind = 'unknown'),
    (it) => (it.clients[0].runner = 'unknown'),
    (it) => (it.actions[0].do = 'unknown'),
    (it) => (it.profile.expiry = 'unknown'),
    (it) => (it.profile.expiry = 'upstream-timers'),
    (it) => (it.profile.extends = 'upstream'),
    (it) => (it.actions[0].every = false),
    (it) => (it.clients[0].retry = '1s'),
    (it) => (it.clients[0].startAt = '1s'),
    (it) => (it.clients[0].start = '1s'),
    (it) => delete it.clients[0].key,
    (it) => delete it.name,
    (it) => delete it.clients,
    (it) => delete it.actions[0].at,
    (it) => (it.processes = 0),
    (it) => (it.processes = 17),
    (it) => (it.seed = -1),
    (it) => (it.random = 'yes'),
    (it) => (it.profile = 'upstream'),
    (it) => (it.profile = 'downstream'),
    (it) => (it.overrides = { 'l3.17': 1 }),
    (it) => (it.overrides = { l3: 1 }),
    (it) => (it.overrides = { 'z3.1': 1 }),
    (it) => (it.network.latency = { max: '1s' }),
    (it) => (it.network.latency = { min: '1s' }),
    (it) => (it.network.lossPerMille = 10),
    (it) => (it.network.loss = '0%'),
    (it) => (it.network.loss = '30%'),
    (it) => (it.network.loss = '0.5%'),
    (it) => (it.network.loss = '100%'),
    (it) => (it.network.loss = '101%'),
    (it) => (it.network.loss = '0.05%'),
    (it) => (it.network.loss = '30'),
    (it) => (it.network.loss = 30),
    (it) => (it.network.loss = '-1%'),
    (it) => (it.clients[0].clock.ratePpm = 10_000_000),
    (it) => (it.expect[0] = {}),
    (it) => (it.expect[0] = { at: '0s', key: 'k', owner: null }),
    (it) => (it.expect[0] = { key: 'k', owner: null }),
    (it) => (it.expect[0] = { at: '0s', owner: 'a' }),
    (it) => (it.expect[0] = { key: 'k', twoOwnersFor: '0s' }),
    (it) => (it.expect[0] = { key: 'k', noRowFor: '5s' }),
    (it) => (it.expect[0] = { noRowFor: '5s' }),
    (it) => (it.expect[0] = { event: 'x', count: 2 }),
    (it) => (it.expect[0] = { key: 'k', twoOwnersFor: '0s', count: 2 }),
    (it) => (it.clients[0].count = 0),
    (it) => Object.assign(it.clients[0], { count: 3, name: 'a-{i}', startEvery: '1s' }),
    (it) => (it.actions[0].every = '1s'),
    (it) => (it.actions[0].until = '1s'),
    (it) => Object.assign(it.actions[0], { every: '1s', until: '3s' }),
  ];
  for (const change of changes) {
    // Shares of messages need chance, which is no single value.
    const scenario = { ...structuredClone(SMALL), random: true };
    change(scenario);
    assert.equal(validate(scenario), isRead(scenario), String(change));
  }
});

test('every shipped scenario is a Scenario for the compiler too, and a wrong one is not', () => {
  const folder = mkdtempSync(join(ROOT, 'target/scenarios-'));
  try {
    const right = SCENARIOS.map(([, scenario]) => `runScenario(${JSON.stringify(scenario)} satisfies Scenario);`);
    const wrong = [
      { name: 'x', clients: [], unheardOf: 1 },
      { name: 'x', clients: [{ name: 'a', key: 'k', runner: 'none' }] },
      { name: 'x', clients: [], actions: [{ at: '0s', do: 'explode' }] },
      { name: 'x', clients: [], actions: [{ at: '0s', do: 'crash' }] },
      { name: 'x', clients: [], actions: [{ do: 'crash', node: 'a' }] },
      { name: 'x', clients: [], actions: [{ at: '0s', do: 'crash', node: 'a', text: 'x' }] },
      { name: 'x', clients: [], actions: [{ at: '0s', do: 'crash', node: 'a', every: '1s' }] },
      { name: 'x', clients: [], actions: [{ at: '5', do: 'crash', node: 'a' }] },
      { name: 'x' },
    ];
    const refused = wrong.map((scenario) => `// @ts-expect-error\nrunScenario(${JSON.stringify(scenario)} satisfies Scenario);`);
    writeFileSync(join(folder, 'scenarios.mts'), ["import { runScenario, type Scenario } from 'locket-wasm';", ...right, ...refused].join('\n'));
    const options = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'], types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, strict: true, noEmit: true } }));
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw error.stdout ? new Error(error.stdout) : error;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('no scenario is left out of the list', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'digests.json');
  assert.deepEqual(files.sort(), [...NAMES].sort());
});
