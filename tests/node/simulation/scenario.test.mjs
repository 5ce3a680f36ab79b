// Scenarios: what a run gives, and mistakes with their place.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { runScenario, ScenarioError } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { thrownBy } from '../support/helpers.mjs';

const FIRST_LOOK = stories['first-look'];

const EXPIRY = {
  name: 'expiry',
  profile: 'upstream',
  until: '20s',
  clients: [{ name: 'a', key: 'bbs', ttl: '15s' }],
  actions: [{ at: '0s', node: 'a', do: 'lock' }],
};

describe('digests', () => {
  test('another seed gives another digest, another remark does not', () => {
    const { digest } = runScenario(FIRST_LOOK);
    assert.notEqual(runScenario({ ...JSON.parse(FIRST_LOOK), seed: 2 }).digest, digest);
    assert.equal(runScenario({ ...JSON.parse(FIRST_LOOK), description: 'something else' }).digest, digest);
  });
});

describe('runs', () => {
  test('a text and a value of the same content are the same run', () => {
    assert.deepEqual(runScenario(JSON.parse(FIRST_LOOK)), runScenario(FIRST_LOOK));
  });

  test('a client with a retry interval is a safe runner, on the documented Locket, unless the scenario says another', () => {
    const cut = { name: 'cut', until: '30s', clients: [{ name: 'a', key: 'k', retryInterval: '5s' }], actions: [{ at: '6s', do: 'cut', from: 'a', to: 'locket' }] };
    const lossOf = (scenario) => runScenario(scenario).events.find(({ runner }) => runner === 'lost')?.timeMs;
    const saying = (runner) => ({ ...cut, clients: [{ ...cut.clients[0], runner }] });
    assert.deepEqual([cut, saying('safe'), saying('upstream')].map(lossOf), [19_000, 19_000, 15_000]);
    assert.equal(runScenario(cut).digest, runScenario({ ...saying('safe'), profile: 'documented' }).digest);
  });
});

describe('runs without a trace', () => {
  test('they tell the same but for the events', () => {
    const { events, ...told } = runScenario(FIRST_LOOK);
    assert.ok(events.length > 0);
    assert.deepEqual(runScenario(FIRST_LOOK, { trace: false }), { ...told, events: [] });
  });

  test('they may be longer than a trace could be', () => {
    const long = { name: 'long', until: '2000h', clients: [{ name: 'a', key: 'k', retryInterval: '5s' }] };
    assert.throws(() => runScenario(long), ScenarioError);
    assert.equal(runScenario({ ...long, until: '300h' }, { trace: false }).table[0].modified_index, 216_001);
  });
});

describe('validation errors', () => {
  const mistakes = [
    { what: 'a text that ends too soon', text: '{\n  "name": "x"', line: 2, column: 13, path: '' },
    { what: 'an unknown member', text: '{\n  "name": "x",\n  "colour": 1\n}', line: 3, column: 10, path: 'colour' },
    { what: 'an unknown client', text: json({ actions: [{ at: '0s', node: 'b', do: 'lock' }] }), path: 'actions[0].node', found: '"b"' },
    { what: 'a TTL with a fraction', text: json({ clients: [{ name: 'a', key: 'k', ttl: '1.5s' }] }), path: 'clients[0].ttl', found: '"1.5s"' },
  ];
  for (const { what, text, line, column, path, found } of mistakes) {
    test(`${what} is answered with its place`, () => {
      const error = thrownBy(() => runScenario(text));
      assert.ok(error instanceof ScenarioError && error instanceof SyntaxError, error.stack);
      assert.equal(error.path, path, error.message);
      if (line !== undefined) assert.deepEqual([error.line, error.column], [line, column], error.message);
      if (found !== undefined) assert.ok(text.split('\n')[error.line - 1].slice(error.column - 1).startsWith(found), error.message);
      assert.ok(error.message.startsWith(`${error.line}:${error.column}: `), error.message);
    });
  }
});

function json(changes) {
  return JSON.stringify({ ...EXPIRY, ...changes }, undefined, 2);
}

