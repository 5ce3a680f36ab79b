// What README.md claims: its example runs, and its timeline is what `make run` prints.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

function block(language) {
  return README.match(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``))[1];
}

test('the example of the README prints what its comments say', () => {
  const source = block('js');
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: new URL('../..', import.meta.url),
    encoding: 'utf8',
  });
  const expected = [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, comment]) => comment);
  assert.equal(expected.length, 2);
  assert.deepEqual(said.trim().split('\n'), expected);
});

test('the timeline of the README is part of what the first scenario prints, in its order', () => {
  const cli = new URL('../../pkg/dist/cli.js', import.meta.url);
  const scenario = new URL('../../sim/scenarios/first-look.json', import.meta.url);
  const printed = execFileSync(process.execPath, [cli.pathname, 'run', scenario.pathname], { encoding: 'utf8' });
  let rest = printed;
  for (const line of block('text').split('\n').filter((line) => line !== '')) {
    const at = rest.indexOf(`${line}\n`);
    assert.notEqual(at, -1, `not printed, or not in this order: ${line}`);
    rest = rest.slice(at + line.length);
  }
});
