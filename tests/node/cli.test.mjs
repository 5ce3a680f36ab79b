// The command line: what it prints, and its exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runScenario } from 'locket-wasm';

const CLI = fileURLToPath(new URL('../../pkg/dist/cli.js', import.meta.url));
const FIRST_LOOK = fileURLToPath(new URL('../../sim/scenarios/first-look.json', import.meta.url));
const TEXT = readFileSync(FIRST_LOOK, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'locket-cli-'));
after(() => rmSync(folder, { recursive: true }));

function cli(args, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function file(text) {
  const path = join(folder, 'scenario.json');
  writeFileSync(path, text);
  return path;
}

describe('locket-wasm run', () => {
  test('it prints a timeline that ends in the digest', () => {
    const { status, stdout, stderr } = cli(['run', FIRST_LOOK]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /2\.000 s {2}bbs-1 +locks bbs for 15 s +✗ lock-collision \(AlreadyExists\)/);
    assert.ok(stdout.endsWith(`\ndigest ${runScenario(TEXT).digest}\n`));
  });

  test('behind a pipe it prints no colours', () => {
    assert.ok(!cli(['run', FIRST_LOOK]).stdout.includes('\u001b'));
  });

  test('- reads standard input', () => {
    assert.deepEqual(cli(['run', '-'], TEXT), cli(['run', FIRST_LOOK]));
  });

  test('--json prints the run as the package gives it', () => {
    const { status, stdout } = cli(['run', '--json', FIRST_LOOK]);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), runScenario(TEXT));
  });

  test('control characters of a scenario do not reach the terminal', () => {
    const scenario = JSON.parse(TEXT);
    scenario.name = '\u001b[2Jgone';
    scenario.actions[0].text = '\u001b]0;title\u0007';
    const { status, stdout } = cli(['run', '-'], JSON.stringify(scenario));
    assert.equal(status, 0);
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f]/);
  });

  test('a mistake is shown with file, line, column and a mark under it', () => {
    const path = file('{\n  "name": "x",\n  "clients": [],\n  "actions": [{ "at": "soon", "do": "note" }]\n}');
    const { status, stdout, stderr } = cli(['run', path]);
    assert.deepEqual([status, stdout], [2, '']);
    const [message, line, mark] = stderr.split('\n');
    assert.ok(message.startsWith(`locket-wasm: ${path}:4:`), stderr);
    assert.match(message, /actions\[0\]\.at: .*duration/);
    assert.equal(line, '    "actions": [{ "at": "soon", "do": "note" }]');
    assert.match(mark, /^ +\^$/);
  });

  const failures = [
    { what: 'a file that does not exist', args: ['run', join(folder, 'nothing.json')], status: 1, says: /cannot read .*nothing\.json/ },
    { what: 'a folder', args: ['run', folder], status: 1, says: /cannot read/ },
    { what: 'no JSON', args: ['run', '-'], status: 2, says: /-:1:\d+: / },
    { what: 'no file', args: ['run'], status: 2, says: /run takes one scenario file/ },
    { what: 'two files', args: ['run', FIRST_LOOK, FIRST_LOOK], status: 2, says: /run takes one scenario file/ },
    { what: 'an unknown option', args: ['run', FIRST_LOOK, '--jason'], status: 2, says: /--jason/ },
    { what: 'an unknown command', args: ['walk'], status: 2, says: /unknown command "walk".* --help/ },
    { what: 'a name of every object', args: ['toString'], status: 2, says: /unknown command "toString"/ },
    { what: 'nothing at all', args: [], status: 2, says: /expected a command.* --help/ },
  ];
  for (const { what, args, status, says } of failures) {
    test(`${what} ends it with exit code ${status} and one message`, () => {
      const result = cli(args);
      assert.deepEqual([result.status, result.stdout], [status, '']);
      assert.match(result.stderr, says);
      assert.match(result.stderr, /^locket-wasm: /);
      assert.doesNotMatch(result.stderr, /^ +at /m, 'a stack is not for users');
    });
  }
});

describe('help', () => {
  for (const args of [['--help'], ['-h'], ['run', '--help']]) {
    test(`${args.join(' ')} prints how it is used`, () => {
      const { status, stdout, stderr } = cli(args);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /^Usage: locket-wasm /);
      assert.ok(stdout.split('\n').every((line) => line.length <= 80));
    });
  }

  test('the example in the help of run is one that runs', () => {
    const example = cli(['run', '--help']).stdout.match(/echo '([^']+)'/)[1];
    const { status, stdout } = cli(['run', '-'], example);
    assert.equal(status, 0);
    assert.match(stdout, /15\.000 s .* bbs expires: a has not renewed it/);
  });

  test('--version prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../pkg/package.json', import.meta.url), 'utf8'));
    assert.equal(cli(['--version']).stdout, `${version}\n`);
  });
});
