// Random walks, for what is too large to be searched.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';

import { runScenario } from 'locket-wasm';
import { randomWalks } from 'locket-wasm/check';

import { CLI, cli } from '../support/command-line.mjs';

const LARGE = { clients: [{}, {}, {}, {}], ttl: '15s', retryInterval: '5s', latency: '3s', faults: { lostMessage: 3, pause: { length: '60s', count: 3 } } };
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

it('long work reports its progress without a terminal', async () => {
  const child = spawn(process.execPath, [CLI, ...'explore --runner upstream --clients 4 --latency 5s --fault lost-message,3 --fault pause=30s,3 --max-states 50000000'.split(' ')]);
  const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
  child.kill();
  assert.match(line, /^upstream: [\d,]+ states, with \d faults? up to [\d.]+ s\n$/);
});

describe('explore --seed', () => {
  const ARGS = ['explore', '--clients', '3', '--latency', '3s', '--fault', 'pause=60s,2', '--seed', '1', '--walks', '60'];

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
