// Shell completion: what shells offer, asked of the shells that this machine has.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { cli } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-completion-'));
after(() => rmSync(folder, { recursive: true }));

const printed = (...args) => cli(args).stdout;
const has = (shell) => spawnSync(shell, ['-c', 'true']).status === 0;
const bashScript = printed('completion', 'bash');
const commands = printed('--help').match(/^ {2}[a-z-]+(?= \[|$)/gm).map((name) => name.trim());

/** What bash offers behind these words, of which the last is being typed. */
function bashOffers(...words) {
  const script = `eval "$(cat)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _locket_wasm; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'locket-wasm', ...words], { input: bashScript, encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  test('first come the commands', () => {
    assert.deepEqual(bashOffers('').slice(0, commands.length), commands);
    assert.deepEqual(bashOffers('cl'), ['claim-lock', 'claim-presence']);
  });

  for (const command of commands.slice(0, -1)) {
    test(`${command} has the options of its help`, () => {
      const documented = printed(command, '--help').match(/^ {2}(?:-\w, )?--[\w-]+/gm).flatMap((line) => line.match(/--?[\w-]+/g));
      assert.deepEqual(bashOffers(command, '-').sort(), documented.sort());
    });
  }

  test('values are offered where there is a choice', () => {
    assert.deepEqual(bashOffers('serve', '--profile', ''), ['documented', 'upstream']);
    assert.deepEqual(bashOffers('run', 'story.json', '--export', 'j'), ['json-lines']);
    assert.deepEqual(bashOffers('completion', ''), ['bash', 'fish', 'zsh']);
    assert.deepEqual(bashOffers('explore', '--fault', 'lo'), ['locket-crash', 'locket-drain', 'locket-pause', 'lost-message', 'lost-reply']);
    assert.deepEqual(bashOffers('run', '--margin', '--fault', ''), ['isolation', 'pause', 'suspend']);
  });

  test('a scenario can be a shipped story or a file', () => {
    writeFileSync(join(folder, 'holder of mine.json'), '');
    assert.deepEqual(bashOffers('run', 'holder-cr'), ['holder-crashes']);
    assert.deepEqual(bashOffers('run', join(folder, 'hold')), [join(folder, 'holder of mine.json')]);
    assert.deepEqual(bashOffers('run', 'holder-p'), ['holder-paused-longer-than-its-lease']);
    assert.deepEqual(bashOffers('stories', 'holder-cr'), ['holder-crashes']);
  });

  test('elsewhere nothing is offered, so that bash offers files', () => {
    assert.deepEqual(bashOffers('diagnose', ''), []);
    assert.deepEqual(bashOffers('serve', '--cert-file', ''), []);
  });
});

describe('fish', { skip: !has('fish') && 'there is no fish' }, () => {
  const script = join(folder, 'locket-wasm.fish');
  const offers = (line) => {
    writeFileSync(script, printed('completion', 'fish'));
    const { stdout, stderr } = spawnSync('fish', ['-c', `source ${script}; complete -C'${line}'`], { encoding: 'utf8', cwd: folder });
    assert.equal(stderr, '');
    return stdout.split('\n').map((entry) => entry.split('\t')[0]);
  };

  test('it offers commands, options and values', () => {
    assert.deepEqual(offers('locket-wasm cl').slice(0, 2), ['claim-lock', 'claim-presence']);
    assert.ok(offers('locket-wasm claim-lock --').includes('--ttl'));
    assert.deepEqual(offers('locket-wasm serve --profile ').slice(0, 2), ['documented', 'upstream']);
  });
});

describe('zsh', { skip: !has('zsh') && 'there is no zsh' }, () => {
  test('its script loads, and gives every option a place', () => {
    const script = join(folder, '_locket-wasm');
    writeFileSync(script, printed('completion', 'zsh'));
    const load = `autoload -Uz compinit; compinit -u -d ${join(folder, 'dump')}; source ${script}; whence -w _locket_wasm`;
    const { stdout, stderr } = spawnSync('zsh', ['-fc', load], { encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['_locket_wasm: function\n', '']);
  });
});
