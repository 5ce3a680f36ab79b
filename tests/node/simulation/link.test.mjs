// Links: short, opened by others, and nothing that somebody sends breaks anything.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { deflateSync } from 'fflate';
import { LocketArgumentError, ScenarioError, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

const SCENARIO = { name: 'kept', until: '20s', clients: [{ name: 'a', key: 'k', retryInterval: '5s' }] };

// What is out has to go on opening: of the scenario above when a had crashed at 7 s, at 9 s.
const LONG = 'l1.eyJhY3RzIjpbeyJhdCI6IjdzIiwiY291bnQiOjAsImFjdCI6eyJhdCI6IjBzIiwiZG8iOiJjcmFzaCIsIm5vZGUiOiJhIn19XSwiYXQiOiI5cyIsImNvdW50IjowLCJkaWdlc3QiOiJkZjgwYTUyYzFlNDE3OGJmIn0KeyJuYW1lIjoia2VwdCIsInVudGlsIjoiMjBzIiwiY2xpZW50cyI6W3sibmFtZSI6ImEiLCJrZXkiOiJrIiwicmV0cnlJbnRlcnZhbCI6IjVzIn1dfQ';
const SHORT = 'l2..PGlrFMNXARqgVoCIZIJW0ycq1YLcDlYEztMI_XAXpKRZGCSaGiUbppoYmlskpSnVcsEdlZ1aAEqqMC9BShRESMDVJcKDGxRt2KInthYA';
// The same of the first vocabulary, in which retryInterval was retry: no version of the package had it.
const FIRST = 'l1.eyJhY3RzIjpbeyJhdCI6IjdzIiwiY291bnQiOjAsImFjdCI6eyJhdCI6IjBzIiwiZG8iOiJjcmFzaCIsIm5vZGUiOiJhIn19XSwiYXQiOiI5cyIsImNvdW50IjowLCJkaWdlc3QiOiIwOWVlMWE5YmQ3OWMxNGJjIn0KeyJuYW1lIjoia2VwdCIsInVudGlsIjoiMjBzIiwiY2xpZW50cyI6W3sibmFtZSI6ImEiLCJrZXkiOiJrIiwicmV0cnkiOiI1cyJ9XX0';

const link = (options) => {
  const sim = new Simulation(stories['holder-crashes']);
  sim.runUntil('9s');
  return sim.link(options);
};

test('a simulation knows the actions that were done in it, also those that its link brought', () => {
  const sim = Simulation.fromLink(SHORT);
  assert.deepEqual(sim.acts(), [{ timeMs: 7_000, count: 0, action: { do: 'crash', node: 'a' } }]);
  sim.act({ do: 'start', node: 'a' });
  assert.deepEqual(sim.acts().map(({ timeMs, action }) => [timeMs, action.do]), [[7_000, 'crash'], [9_000, 'start']]);
  sim.seek({ timeMs: 3_000 });
  assert.deepEqual(sim.acts(), []);
});

describe('shipped stories', () => {
  for (const [name, text] of Object.entries(stories)) {
    test(`${name} takes less than 200 characters, and opens at the same moment`, () => {
      const sim = new Simulation(text);
      sim.seek({ timeMs: sim.endMs });
      for (const options of [{ stories }, {}]) {
        const made = sim.link(options);
        const there = Simulation.fromLink(made, options);
        assert.ok(made.length < (options.stories ? 200 : 800), `${made.length} characters`);
        assert.equal(there.isFaithful, true);
        assert.deepEqual([there.snapshot(), JSON.parse(there.scenario)], [sim.snapshot(), JSON.parse(sim.scenario)]);
      }
    });
  }

  test('a change of one is short, too', () => {
    const changed = { ...JSON.parse(stories['holder-crashes']), seed: 99, processes: 2 };
    const made = new Simulation(changed).link({ stories });
    assert.ok(made.length < 200, `${made.length} characters`);
    assert.equal(Simulation.fromLink(made, { stories }).digest(), new Simulation(changed).digest());
  });
});

describe('links of other versions', () => {
  for (const [what, text] of Object.entries({ 'a long one': LONG, 'a short one': SHORT })) {
    test(`${what} opens`, () => {
      const sim = Simulation.fromLink(text);
      assert.deepEqual([sim.name, sim.nowMs, sim.isFaithful], ['kept', 9000, true]);
      assert.equal(sim.state().nodes.find(({ name }) => name === 'a').status, 'down');
    });
  }

  test('one in words that scenarios do not have is refused, with the place', () => {
    assert.throws(() => Simulation.fromLink(FIRST), (error) => error instanceof ScenarioError && error.path === 'clients[0].retry');
  });

  test('a story that has changed since is reported', () => {
    const changed = { ...stories, 'holder-crashes': stories['holder-crashes'].replace('15s', '16s') };
    assert.throws(() => Simulation.fromLink(link({ stories }), { stories: changed }), /made from another story holder-crashes/);
  });

  test('a missing story is reported', () => {
    assert.throws(() => Simulation.fromLink(link({ stories })), /pass `stories` with its text/);
    assert.throws(() => Simulation.fromLink(link({ stories }), { stories: {} }), LocketArgumentError);
    assert.throws(() => Simulation.fromLink('l2.constructor.AAAA', { stories }), /pass `stories`/);
  });
});

describe('hostile links', () => {
  const refused = (text, options) =>
    assert.throws(() => Simulation.fromLink(text, options), (error) => error instanceof LocketArgumentError || error instanceof ScenarioError, text.slice(0, 80));

  test('one with any character changed, or cut anywhere, is refused', () => {
    for (const [made, options] of [[SHORT, {}], [link({ stories }), { stories }]]) {
      const data = made.lastIndexOf('.') + 1;
      // The last character may hold bits that no byte has.
      for (let at = data; at < made.length - 1; at += 1) {
        refused(made.slice(0, at), options);
        refused(`${made.slice(0, at)}${made[at] === 'A' ? 'B' : 'A'}${made.slice(at + 1)}`, options);
      }
    }
  });

  test('one that would fill the memory is refused', () => {
    const bomb = deflateSync(new Uint8Array(200 << 20), { level: 6 });
    const before = process.memoryUsage().arrayBuffers;
    refused(`l2..AAAA${Buffer.from(bomb).toString('base64url')}`);
    assert.ok(process.memoryUsage().arrayBuffers - before < 64 << 20);
  });

  test('stories that are no texts are refused', () => {
    assert.throws(() => Simulation.fromLink(SHORT, { stories: { a: 1 } }), /stories: expected texts of scenarios by name/);
    assert.throws(() => Simulation.fromLink(SHORT, { story: {} }), LocketArgumentError);
  });
});

test('a scenario of the same name that is no story at all still opens', () => {
  const odd = { __proto__: null, 'no json': 'x', 'not-json': '{', kept: JSON.stringify({ ...SCENARIO, until: '1h' }) };
  const sim = new Simulation(SCENARIO);
  sim.runUntil('9s');
  assert.equal(Simulation.fromLink(sim.link({ stories: odd }), { stories: odd }).digest(), sim.digest());
});
