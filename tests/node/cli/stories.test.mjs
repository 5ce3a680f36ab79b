// `locket-wasm stories`.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';

test('stories lists every shipped story in a line with its first sentence', () => {
  const { status, stdout } = cli(['stories']);
  assert.equal(status, 0);
  assert.deepEqual(stdout.trimEnd().split('\n').map((line) => line.split(' ')[0]), Object.keys(stories));
  assert.match(stdout, /^holder-crashes +A process that crashes does not release its row\.$/m);
});

test('--json has the title and the whole description of each story', () => {
  const listed = JSON.parse(cli(['stories', '--json']).stdout);
  const expected = Object.entries(stories).map(([name, text]) => [name, JSON.parse(text).name, JSON.parse(text).description]);
  assert.deepEqual(listed.map(({ name, title, description }) => [name, title, description]), expected);
});

test('with a name it prints the scenario unchanged', () => {
  assert.equal(cli(['stories', 'holder-crashes']).stdout, stories['holder-crashes']);
});
