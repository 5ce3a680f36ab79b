// The command line: what it prints, and its exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runScenario, Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';
import { stories } from 'locket-wasm/stories';

import { CLI, cli, cliOnTerminal, cliProcess, noScript } from '../support/command-line.mjs';
import { at, file, folder } from '../support/folder.mjs';

const FIRST_LOOK = fileURLToPath(new URL('../../../sim/scenarios/first-look.json', import.meta.url));
const TEXT = readFileSync(FIRST_LOOK, 'utf8');

const FAILING = JSON.stringify({
  name: 'it fails',
  until: '20s',
  clients: [{ name: 'a', key: 'k', retryInterval: '5s' }],
  expect: [{ at: '9s', key: 'k', owner: 'nobody' }],
});

/** A run in a format. */
function exported(scenario, format) {
  const sim = new Simulation(scenario);
  sim.seek({ timeMs: sim.endMs });
  return inFormat(sim, format);
}

const inFormat = (sim, format) => (format === 'svg' ? runPicture(sim) : sim.export(format));

test('only the printer writes to standard output, and the files of commands do where they are `-`', () => {
  const root = fileURLToPath(new URL('../../../cli/', import.meta.url));
  const sources = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.ts'));
  const writing = sources.filter((name) => /process\.stdout\.write|console\./.test(readFileSync(join(root, name), 'utf8')));
  assert.deepEqual(writing.toSorted(), ['files.ts', 'printer.ts']);
});

describe('locket-wasm run', () => {
  test('--events prints a timeline that ends in the digest', () => {
    const { status, stdout, stderr } = cli(['run', FIRST_LOOK, '--events']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /2\.000 s {2}bbs-1 +locks 'bbs' for 15 s +✗ lock-collision \(AlreadyExists\)/);
    assert.ok(stdout.endsWith(`\ndigest ${runScenario(TEXT).digest}\n`));
  });

  test('on a terminal it prints colours, unless NO_COLOR is set, and behind a pipe none', { skip: noScript }, () => {
    assert.ok(!cli(['run', FIRST_LOOK]).stdout.includes('\u001b'));
    assert.ok(cliOnTerminal(['run', FIRST_LOOK, '--events']).stdout.includes('\u001b[32m✓'));
    assert.ok(!cliOnTerminal(['run', FIRST_LOOK, '--events'], { NO_COLOR: '1' }).stdout.includes('\u001b'));
  });

  test('- reads standard input', () => {
    assert.deepEqual(cli(['run', '-'], TEXT), cli(['run', FIRST_LOOK]));
  });

  test('a shipped story is known by its name, but a file goes before it', () => {
    assert.deepEqual(cli(['run', 'first-look']), cli(['run', FIRST_LOOK]));
    file('first-look', FAILING);
    const { stdout } = spawnSync(process.execPath, [CLI, 'run', 'first-look'], { cwd: folder, encoding: 'utf8' });
    assert.match(stdout, /^it fails\n/);
  });

  test('an expectation that does not hold ends it with exit code 1', () => {
    const { status, stdout, stderr } = cli(['run', '-'], FAILING);
    assert.equal(status, 1);
    assert.match(stdout, /✗ at 9\.000 s: expected 'k' to be held by 'nobody', but 'a' holds it/);
    assert.equal(stderr, 'locket-wasm: expectations do not hold in 1 of 1 scenarios\n');
  });

  test('several scenarios get a line each, and their failures', () => {
    const failing = file('failing.json', FAILING);
    const { status, stdout } = cli(['run', FIRST_LOOK, failing]);
    assert.equal(status, 1);
    const [good, bad, failure] = stdout.split('\n');
    assert.equal(good, `✓ ${FIRST_LOOK}  ${runScenario(TEXT).digest}`);
    assert.ok(bad.startsWith(`✗ ${failing}  `));
    assert.match(failure, /^ {4}✗ at 9\.000 s: expected /);
  });

  test('on a terminal it says how far several scenarios are', { skip: noScript }, () => {
    const { stdout } = cliOnTerminal(['run', FIRST_LOOK, FIRST_LOOK]);
    assert.ok(stdout.includes('1/2 ') && stdout.includes('2/2 '), stdout);
    assert.equal(cli(['run', FIRST_LOOK, FIRST_LOOK]).stderr, '');
  });

  test('--junit writes one report of all scenarios', () => {
    const report = at('report.xml');
    const { status } = cli(['run', FIRST_LOOK, file('failing.json', FAILING), '--junit', report]);
    assert.equal(status, 1);
    assert.match(cli(['run', FIRST_LOOK, '--junit', folder]).stderr, /cannot write/);
    const xml = readFileSync(report, 'utf8');
    assert.deepEqual(xml.match(/<testsuite name="[^"]*"/g), [`<testsuite name="${runScenario(TEXT).name}"`, '<testsuite name="it fails"']);
    const single = exported(FAILING, 'junit').split('\n').slice(2, -2);
    assert.ok(single.length > 5 && xml.includes(single.join('\n')), xml);
    assert.match(xml, /^<\?xml[^>]*>\n<testsuites>\n[^]*\n<\/testsuites>\n$/);
  });

  test('a reader of only the first lines gets them, and no error', () => {
    // Ten times what a pipe holds, and done before a command reports its progress.
    const many = Array.from({ length: 25 }, () => FIRST_LOOK);
    const script = '"$0" "$1" run --json "${@:2}" | head -c 9; echo " ${PIPESTATUS[0]}"';
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, CLI, ...many], { encoding: 'utf8' });
    assert.deepEqual([stdout, stderr], ['{"name":" 0\n', '']);
  });
});

describe('locket-wasm run of a link', () => {
  const sim = new Simulation(TEXT);
  sim.runUntil('12s');
  sim.act({ do: 'delete-row', key: 'bbs' });
  const link = sim.link();

  test('it tells the story up to where the link points, with what was done from outside', () => {
    const { status, stdout } = cli(['run', link]);
    assert.equal(status, 0);
    assert.ok(stdout.includes(`\ndigest ${sim.digest()}\nat 12.000 s of ${(sim.endMs / 1000).toFixed(3)} s\n`), stdout);
    assert.notEqual(sim.digest(), runScenario(TEXT).digest);
    assert.match(cli(['run', link, '--events']).stdout, /2\.000 s {2}bbs-1 +locks 'bbs' for 15 s +✗ lock-collision/);
  });

  test('a URL is as good as the link', () => {
    const expected = cli(['run', link]);
    assert.deepEqual(cli(['run', sim.link({ stories })]), expected);
    assert.deepEqual(cli(['run', `https://example.org/lab#${link}`]), expected);
    assert.deepEqual(cli(['run', `https://example.org/lab?link=${link}`]), expected);
  });

  test('--to-end goes on, and then expectations count', () => {
    const failing = new Simulation(FAILING);
    failing.runUntil('1s');
    assert.equal(cli(['run', failing.link()]).status, 0);
    const { status, stdout } = cli(['run', failing.link(), '--to-end']);
    assert.equal(status, 1);
    assert.match(stdout, /✗ at [^]*at 20\.000 s of 20\.000 s\n$/);
  });

  for (const [what, scenario, code, says] of [
    ['invalid', '{"name":"a","clients":[],"untill":"5s"}', 2, /^locket-wasm: link: its scenario is invalid: 1:\d+: .*untill/],
    ['run by other rules', TEXT, 1, /made by a version with other rules/],
  ]) {
    test(`a link whose scenario is ${what} ends with exit code ${code}, also with --export`, () => {
      const forged = `l1.${Buffer.from(`{"at":"12s","count":0,"digest":"0000000000000000"}\n${scenario}`).toString('base64url')}`;
      for (const more of [[], ['--export', 'mermaid']]) {
        const { status, stderr } = cli(['run', forged, ...more]);
        assert.equal(status, code);
        assert.match(stderr, says);
      }
    });
  }
});

describe('locket-wasm run --export', () => {
  const formats = cli(['run', '--help']).stdout.match(/\nValues:\n {2}export ([^]*)/)[1].match(/[\w-]+/g);

  for (const format of formats) {
    test(`it writes ${format} as the package does, to a file or standard output`, () => {
      const expected = exported(TEXT, format);
      assert.equal(cli(['run', FIRST_LOOK, '--export', format]).stdout, expected);
      const output = at('exported');
      assert.equal(cli(['run', '-', '--export', format, '-o', output], TEXT).stdout, '');
      assert.equal(readFileSync(output, 'utf8'), expected);
    });

    test(`it exports a link as ${format} up to its moment, or to its end`, () => {
      const sim = new Simulation(TEXT);
      sim.runUntil('12s');
      const link = sim.link();
      assert.equal(cli(['run', link, '--export', format]).stdout, inFormat(sim, format));
      assert.equal(cli(['run', link, '--to-end', '--export', format]).stdout, exported(TEXT, format));
    });
  }

  test('it exports the run of --seed', () => {
    const random = { ...JSON.parse(TEXT), random: true, network: { latency: { min: '1ms', max: '900ms' } } };
    assert.equal(cli(['run', '-', '--seed', '2', '--export', 'mermaid'], JSON.stringify(random)).stdout, exported({ ...random, seed: 2 }, 'mermaid'));
  });

  test('it offers every format that there is, and a picture; --junit is an option of its own', () => {
    assert.throws(() => exported(TEXT, 'none'), ({ message }) => {
      assert.deepEqual(message.replace(/^.*expected /, '').split(/, | or /).sort(), [...formats.filter((name) => name !== 'svg'), 'junit'].sort());
      return true;
    });
  });
});

describe('help', () => {
  const namesOf = (text) => text.match(/^ {2}[a-z-]+(?= [[<]|$| {2,})/gm).map((name) => name.trim());
  const [first, more] = cli(['--help']).stdout.split('\nMore commands:\n');
  const commands = namesOf(first.slice(0, first.indexOf('Exit codes:')));

  test('its first list has at most 16 commands, and the rest is behind the exit codes', () => {
    assert.deepEqual(commands, ['run', 'explore', 'advise', 'diagnose', 'serve', 'stories', 'locks', 'presences', 'claim-lock', 'claim-presence', 'release-lock', 'doctor', 'watch']);
    assert.deepEqual(namesOf(more.slice(0, more.indexOf('More options:'))), ['merge', 'help']);
  });

  for (const command of ['run', 'explore']) {
    test(`the options that most need of ${command} fit a screen of 24 lines`, () => {
      const { stdout } = cli([command, '--help']);
      assert.ok(stdout.slice(0, stdout.indexOf('print this help')).split('\n').length <= 24, stdout);
    });
  }

  for (const args of [['--help'], ['-h'], ['help', 'run'], ...[...commands, 'merge'].map((name) => [name, '--help'])]) {
    test(`${args.join(' ')} prints how it is used, with an example, and fits a terminal`, () => {
      const { status, stdout, stderr } = cli(args);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /^Usage: locket-wasm /);
      if (!args[0].startsWith('-')) assert.match(stdout, /\n {2}.*locket-wasm/);
      // Commands to copy stay in one line.
      assert.deepEqual(stdout.split('\n').filter((line) => line.length > 80), []);
      assert.deepEqual(stdout.match(/^\w+$(?=\n\w)/gm), null, 'a word alone in a line of a paragraph');
    });
  }

  test('the exit codes are listed', () => {
    const { stdout } = cli(['--help']);
    assert.deepEqual(stdout.slice(stdout.indexOf('Exit codes:')).match(/^ {2}\d+/gm).map(Number), [0, 1, 2, 3, 4, 5, 70]);
  });

  test('the example in the help of run is one that runs', () => {
    const example = cli(['run', '--help']).stdout.match(/echo '([^']+)'/)[1];
    const { status, stdout } = cli(['run', '-'], example);
    assert.equal(status, 0);
    assert.match(stdout, /15\.000 s .* 'bbs' expires: a has not renewed it/);
  });

  test('--version prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../pkg/package.json', import.meta.url), 'utf8'));
    for (const option of ['--version', '-V']) assert.equal(cli([option]).stdout, `${version}\n`);
  });
});

test('a process of its own ends and prints as the thread in which the other tests run commands', () => {
  for (const [args, input] of [[[]], [['--version']], [['run', '-', '--events'], TEXT], [['run', '-'], FAILING], [['run', 'missing.json']], [['diagnose', '-'], 'no log']]) {
    assert.deepEqual(cli(args, input), cliProcess(args, input), args.join(' '));
  }
});

test('a bug of ours ends with exit code 70, a message, and a stack only if that is asked for', () => {
  const broken = 'process.stdout.write = () => { throw new TypeError("broken on purpose"); };';
  const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(broken)}` };
  const run = (...more) => cliProcess(['explore', '--latency', '1s', ...more], '', env);
  const { status, stdout, stderr } = run();
  assert.deepEqual([status, stdout], [70, '']);
  assert.equal(stderr, 'locket-wasm: bug, please report it: broken on purpose; --debug prints the stack\n');
  assert.match(run('--debug').stderr, /^ +at /m);
});
