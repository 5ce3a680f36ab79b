// Random walks, for what is too large to be searched, and graphs, for what is small.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { runScenario } from 'locket-wasm';
import { randomWalks, stateGraph } from 'locket-wasm/check';

import { CLI, cli } from '../support/command-line.mjs';

const LARGE = { clients: [{}, {}, {}, {}], ttl: '15s', retryInterval: '5s', latency: '3s', lostMessages: 3, pauses: 3, pause: '60s' };
const FEW = { seed: 1, walks: 100, steps: 400 };

describe('random walks', () => {
  it('find a schedule, which runs as a scenario', async () => {
    const found = await randomWalks({ ...LARGE, runner: 'upstream' }, FEW);
    assert.deepEqual([found.verdict, found.walks, found.seed], ['unsafe', 100, 1]);
    assert.ok(found.twoOwnersMs > 0 && found.story.lines.length > 0);
    assert.deepEqual(runScenario(found.scenario).failures, []);
  });

  it('say the same for the same seed, and something else for another', async () => {
    const [one, again, other] = await Promise.all([3, 3, 4].map((seed) => randomWalks({ ...LARGE, runner: 'upstream' }, { ...FEW, seed })));
    assert.deepEqual(one, again);
    assert.notDeepEqual(one, other);
  });

  it('find nothing that a safe runner does, and say that this proves nothing', async () => {
    const found = await randomWalks({ ...LARGE, runner: 'safe' }, FEW);
    assert.deepEqual([found.verdict, found.scenario, found.link], ['unknown', null, null]);
    assert.match(found.summary, /That proves nothing\.$/);
  });

  it('report their progress, and end on request', async () => {
    const controller = new AbortController();
    const seen = [];
    const onProgress = (progress) => {
      seen.push(progress.walks);
      if (progress.walks === 5) controller.abort();
    };
    await assert.rejects(randomWalks(LARGE, { ...FEW, signal: controller.signal, onProgress }), { name: 'AbortError' });
    assert.deepEqual(seen.slice(0, 5), [1, 2, 3, 4, 5]);
  });

  for (const [field, options] of [['walks', { walks: 0 }], ['steps', { steps: 1.5 }], ['seed', { seed: -1 }]]) {
    it(`take no ${field} like ${JSON.stringify(options)}`, async () => {
      await assert.rejects(randomWalks(LARGE, options), { name: 'LocketArgumentError', field });
    });
  }
});

describe('a graph of states', () => {
  const SMALL = { runner: 'upstream', ttl: '3s', retryInterval: '1s', latency: '0s' };

  it('is in the language of Graphviz', () => {
    const dot = stateGraph(SMALL);
    assert.match(dot, /^digraph states \{\n[^]*\n {2}0 -> 1 \[label="a client starts"\];\n[^]*\}\n$/);
    assert.ok(!dot.includes('broken'));
  });

  it('shows where the property is broken', () => {
    assert.match(stateGraph({ ...SMALL, pause: '10s' }), /-> broken/);
  });

  it('is not made of too many states', () => {
    assert.throws(() => stateGraph({ ...SMALL, pause: '10s' }, { maxStates: 5 }), { name: 'LocketArgumentError', message: /more than 5 states/ });
  });
});

describe('explore --dot', () => {
  it('writes the graph, and says if there is too much', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'locket-graph-')), 'states.dot');
    const { status, stderr } = cli(['explore', '--runner', 'upstream', '--ttl', '3s', '--retry-interval', '1s', '--latency', '0s', '--dot', file]);
    assert.equal(status, 0, stderr);
    assert.match(readFileSync(file, 'utf8'), /^digraph/);
    const large = cli(['explore', '--runner', 'upstream', '--latency', '6s', '--dot', file]);
    assert.deepEqual([large.status, /--dot: .*too much for a graph/.test(large.stderr)], [5, true]);
  });
});

it('long work reports its progress without a terminal', async () => {
  const child = spawn(process.execPath, [CLI, ...'explore --runner upstream --clients 4 --latency 5s --lost-messages 3 --pauses 3 --pause 30s --max-states 50000000'.split(' ')]);
  const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
  child.kill();
  assert.match(line, /^upstream: [\d,]+ states, with \d faults? up to [\d.]+ s\n$/);
});

describe('explore --seed', () => {
  const ARGS = ['explore', '--clients', '3', '--latency', '3s', '--pauses', '2', '--pause', '60s', '--seed', '1', '--walks', '60'];

  it('takes walks, and has exit code 1 if they find something', () => {
    const { status, stdout } = cli([...ARGS, '--runner', 'upstream']);
    assert.equal(status, 1, stdout);
    assert.match(stdout, /60 random walks from seed 1/);
    assert.match(stdout, /locket-wasm replay /);
  });

  it('has exit code 5 if they do not', () => {
    const { status, stderr } = cli([...ARGS, '--runner', 'safe']);
    assert.deepEqual([status, /random walks prove nothing/.test(stderr)], [5, true]);
  });

  it('goes with --walks', () => {
    assert.equal(cli(['explore', '--walks', '5']).status, 2);
  });
});
