// What help promises of a scenario argument, every command keeps: it takes each shipped story, and the scenario of a diagnosis.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';

/** The exit codes of an answer: done, unsafe or lost, and no verdict. */
const ANSWERS = new Set([0, 1, 5]);

const COMMANDS = [
  ['explore', '--max-states', '300'],
  ['run', '--minimize'],
  ['run', '--seeds', '2'],
  ['run', '--margin', '--step', '60s', '--max-pause', '1s'],
];

for (const [command, ...options] of COMMANDS) {
  test(`${command} ${options[0]} takes every shipped story`, () => {
    const refused = Object.keys(stories).flatMap((story) => {
      const { status, stdout, stderr } = cli([command, story, ...options]);
      const isAnswer = ANSWERS.has(status) && (stdout !== '' || /no verdict: /.test(stderr));
      return isAnswer ? [] : [`${story}: ${status} ${stderr}`];
    });
    assert.deepEqual(refused, []);
  });
}

test('run says of a client without a runner and without an action that it does nothing', () => {
  const scenario = JSON.stringify({ name: 'idle', until: '20s', clients: [{ name: 'a', key: 'k', ttl: '15s' }] });
  const { status, stderr } = cli(['run', '-'], scenario);
  assert.deepEqual([status, stderr], [0, 'a does nothing: it is no runner and has no action; add "retryInterval": "5s", or an action such as lock\n']);
  assert.equal(cli(['run', 'first-look']).stderr, '');
});

test('minimize leaves a run whose expectations hold as it is', () => {
  assert.deepEqual(cli(['run', 'holder-crashes', '--minimize']), { status: 0, stdout: 'every expectation holds, so there is nothing to minimize\n', stderr: '' });
  assert.equal(cli(['run', 'holder-crashes', '--minimize', '--json']).stdout, 'null\n');
});

test('sweep runs a scenario without randomness once, and says so', () => {
  const { status, stdout, stderr } = cli(['run', 'holder-crashes', '--seeds', '9']);
  assert.equal(status, 0);
  assert.match(stdout, /1 seeds? from 0 to 0/);
  assert.match(stderr, /^the scenario is not random, so all seeds give the same run; it is run once; /);
});

