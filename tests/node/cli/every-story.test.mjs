// What help promises of a scenario argument, every command keeps: it takes each shipped story, and the scenario of a diagnosis.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { init, questionOfRun } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';

/** The exit codes of an answer: done, unsafe or lost, and no verdict. */
const ANSWERS = new Set([0, 1, 5]);

const COMMANDS = [
  ['explore', '--first', '--max-states', '300'],
  ['run', '--minimize'],
  ['run', '--seeds', '2'],
  ['run', '--margin', '--step', '60s', '--max-pause', '10s', '--pause-step', '10s'],
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

/** What no search tries in a story. Clients with other keys change nothing. */
const NEVER = {
  'incident-lossy-zone': ['bbs-1, in a search with locket-1 as the process that it prefers'],
  'incident-rolling-restart-and-failover': ['bbs-1, in a search with locket-1 as the process that it prefers'],
  'lock-that-nobody-renews-expires': ['a lock that bbs-0 takes by hand'],
  'operator-claims-the-lock-for-an-hour': ['a lock that operator takes by hand'],
  'quick-restart-with-a-new-owner': ['a restart with another owner'],
  'slow-commits-before-april-2026': ['a Locket with rules of its own'],
  'table-dropped': ['a dropped table'],
};
const NOT_ASKED = {
  'first-look': 'no client is a runner, so there is nothing to search; give one a retryInterval',
  'operator-empties-the-owner': 'no client is a runner, so there is nothing to search; give one a retryInterval',
  'ttl-that-overflows': 'no search can try bbs-0 (ttl: expected at most 1h, not 9223372037s)',
};

test('what no search tries of a shipped story is named, and there is little of it', async () => {
  await init();
  const never = {};
  const notAsked = {};
  for (const [name, story] of Object.entries(stories)) {
    try {
      const words = questionOfRun(story).outside.filter(({ is }) => is === 'never').map((part) => part.words);
      if (words.length > 0) never[name] = words;
    } catch (error) {
      notAsked[name] = error.message.replace(/^scenario: /, '');
    }
  }
  assert.deepEqual([never, notAsked], [NEVER, NOT_ASKED]);
});

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

test('margin says of a run without rivals that there are never two owners', () => {
  const { status, stdout } = cli(['run', 'first-look', '--margin']);
  assert.equal(status, 0);
  assert.match(stdout, /^no two runners want the same key, so there are never two owners; /);
});
