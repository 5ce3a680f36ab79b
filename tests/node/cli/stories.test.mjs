// `locket-wasm stories`, and the hint for a story's name with a typing error.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';

describe('locket-wasm stories', () => {
  test('it lists every shipped story in a line with its first sentence', () => {
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
});

describe('a mistyped story', () => {
  const hint = 'did you mean holder-crashes? locket-wasm stories lists them\n';

  test('stories names the nearest one', () => {
    assert.deepEqual(cli(['stories', 'hodler-crashes']), { status: 2, stdout: '', stderr: `locket-wasm: unknown story hodler-crashes; ${hint}` });
  });

  test('every command with a scenario names the nearest one', () => {
    for (const args of [['run'], ['run', '--seeds', '1'], ['run', '--minimize'], ['run', '--margin'], ['explore'], ['run', '--export', 'mermaid']]) {
      const { status, stderr } = cli([...args, 'hodler-crashes']);
      assert.equal(status, 1);
      assert.match(stderr, /^locket-wasm: cannot read hodler-crashes: ENOENT: /);
      assert.ok(stderr.endsWith(`; ${hint}`), stderr);
    }
  });

  test('the name of a file is compared without its folder and its ending', () => {
    assert.match(cli(['run', 'stories/holder-crash.json']).stderr, /; did you mean holder-crashes\? /);
  });

  for (const name of ['xyzzy', 'toString']) {
    test(`${name}, which is like no story, names none`, () => {
      assert.match(cli(['stories', name]).stderr, /; locket-wasm stories lists the shipped stories\n$/);
    });
  }
});
