// The command line: what it prints, and its exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runScenario, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { CLI, cli, cliOnTerminal, cliProcess, noScript } from '../support/command-line.mjs';

const FIRST_LOOK = fileURLToPath(new URL('../../../sim/scenarios/first-look.json', import.meta.url));
const TEXT = readFileSync(FIRST_LOOK, 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'locket-cli-'));
after(() => rmSync(folder, { recursive: true }));

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
  return sim.export(format);
}

function file(text, name = 'scenario.json') {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('only the printer writes to standard output, and the files of commands do where they are `-`', () => {
  const root = fileURLToPath(new URL('../../../cli/', import.meta.url));
  const sources = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.ts'));
  const writing = sources.filter((name) => /process\.stdout\.write|console\./.test(readFileSync(join(root, name), 'utf8')));
  assert.deepEqual(writing.toSorted(), ['files.ts', 'printer.ts']);
});

describe('locket-wasm run', () => {
  test('a limit of no steps is wrong usage', () => {
    const { status, stderr } = cli(['run', FIRST_LOOK, '--max-steps', '0']);
    assert.deepEqual([status, stderr], [2, 'locket-wasm: --max-steps: expected at least 1, not 0; see locket-wasm run --help\n']);
  });

  test('--events prints a timeline that ends in the digest', () => {
    const { status, stdout, stderr } = cli(['run', FIRST_LOOK, '--events']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /2\.000 s {2}bbs-1 +locks bbs for 15 s +✗ lock-collision \(AlreadyExists\)/);
    assert.ok(stdout.endsWith(`\ndigest ${runScenario(TEXT).digest}\n`));
  });

  test('behind a pipe it prints no colours', () => {
    assert.ok(!cli(['run', FIRST_LOOK]).stdout.includes('\u001b'));
  });

  test('on a terminal it prints colours, unless NO_COLOR is set', { skip: noScript }, () => {
    assert.ok(cliOnTerminal(['run', FIRST_LOOK, '--events']).stdout.includes('\u001b[32m✓'));
    assert.ok(!cliOnTerminal(['run', FIRST_LOOK, '--events'], { NO_COLOR: '1' }).stdout.includes('\u001b'));
  });

  test('- reads standard input', () => {
    assert.deepEqual(cli(['run', '-'], TEXT), cli(['run', FIRST_LOOK]));
  });

  test('a shipped story is known by its name, but a file goes before it', () => {
    assert.deepEqual(cli(['run', 'first-look']), cli(['run', FIRST_LOOK]));
    writeFileSync(join(folder, 'first-look'), FAILING);
    const { stdout } = spawnSync(process.execPath, [CLI, 'run', 'first-look'], { cwd: folder, encoding: 'utf8' });
    assert.match(stdout, /^it fails\n/);
    assert.match(cli(['run', 'toString']).stderr, /cannot read toString: ENOENT/);
  });

  test('--json prints the run as the package gives it', () => {
    const { status, stdout } = cli(['run', '--json', FIRST_LOOK]);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), runScenario(TEXT));
  });

  test('an expectation that does not hold ends it with exit code 1', () => {
    const { status, stdout, stderr } = cli(['run', '-'], FAILING);
    assert.equal(status, 1);
    assert.match(stdout, /✗ at 9\.000 s: expected 'k' to be held by 'nobody', but 'a' holds it/);
    assert.equal(stderr, 'locket-wasm: expectations do not hold in 1 of 1 scenarios\n');
  });

  test('several scenarios get a line each, and their failures', () => {
    const failing = file(FAILING, 'failing.json');
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
    const report = join(folder, 'report.xml');
    const { status } = cli(['run', FIRST_LOOK, file(FAILING, 'failing.json'), '--junit', report]);
    assert.equal(status, 1);
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

  test('control characters of a scenario do not reach the terminal', () => {
    const scenario = JSON.parse(TEXT);
    scenario.name = '\u001b[2Jgone';
    scenario.actions[0].text = '\u001b]0;title\u0007';
    for (const events of [[], ['--events']]) {
      const { status, stdout } = cli(['run', '-', ...events], JSON.stringify(scenario));
      assert.equal(status, 0);
      assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f]/);
    }
  });

  test('a validation error is shown with file, line, column and a mark under it', () => {
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
    { what: 'a report that cannot be written', args: ['run', FIRST_LOOK, '--junit', folder], status: 1, says: /cannot write/, prints: true },
    { what: 'events for people and for programs', args: ['run', FIRST_LOOK, '--events', '--json'], status: 2, says: /--events and --json exclude each other/ },
    { what: 'no JSON', args: ['run', '-'], status: 2, says: /-:1:\d+: / },
    { what: 'no file', args: ['run'], status: 2, says: /missing required argument 'scenario'; see locket-wasm run --help/ },
    { what: 'an unknown option', args: ['run', FIRST_LOOK, '--jason'], status: 2, says: /unknown option '--jason' \(Did you mean --json\?\); see locket-wasm run --help/ },
    { what: 'an unknown command', args: ['rum'], status: 2, says: /unknown command 'rum' \(Did you mean run\?\); see locket-wasm --help/ },
    { what: 'an unknown name', args: ['help', 'exploer'], status: 2, says: /unknown command 'exploer' \(Did you mean explore\?\); see locket-wasm --help/ },
    { what: 'an unknown name beside --help', args: ['marge', '--help'], status: 2, says: /unknown command 'marge' \(Did you mean merge\?\); see/ },
    { what: 'a name of every object', args: ['toString'], status: 2, says: /unknown command 'toString'/ },
    { what: 'nothing at all', args: [], status: 2, says: /no command, such as run first-look; locket-wasm --help lists all/ },
    { what: 'an unknown format', args: ['run', FIRST_LOOK, '--export', 'png'], status: 2, says: /Allowed choices are json-lines, .*typescript-test; see locket-wasm run --help/ },
    { what: 'two things to do', args: ['run', FIRST_LOOK, '--minimize', '--margin'], status: 2, says: /--minimize and --margin exclude each other; leave out one of them; see locket-wasm run --help/ },
    { what: 'an option of another thing', args: ['run', FIRST_LOOK, '--minimize', '--events'], status: 2, says: /--minimize takes no --events; leave it out/ },
    { what: 'an option without its thing', args: ['run', FIRST_LOOK, '--shard', '1/2'], status: 2, says: /--shard needs --seeds; see/ },
    { what: 'two scenarios for one thing', args: ['run', FIRST_LOOK, FIRST_LOOK, '--margin'], status: 2, says: /--margin takes one scenario, but 2 are given/ },
    { what: 'a map of a scenario', args: ['explore', FIRST_LOOK, '--map', 'pause'], status: 2, says: /--map takes no scenario/ },
    { what: 'several leases without a map', args: ['explore', '--ttl', '3s..5s'], status: 2, says: /--ttl: several durations need --map/ },
    { what: 'an option of other work', args: ['explore', '--shard', '1/2'], status: 2, says: /--shard needs --map or --questions/ },
    ...['declare jobs.yml', 'job-property a=b', 'release 1.2.3', 'set a=b', 'svg x'].map((option) => ({
      what: `--${option} about nothing`, args: ['advise', ...`--${option}`.split(' ')], status: 2, says: /: --[a-z-]+ needs --(job|manifest|survive); see locket-wasm advise --help/,
    })),
    { what: 'a report of cases where there are none', args: ['advise', '--survive', '--fault', 'crash', '--junit', 'x'], status: 2, says: /'--survive' cannot be used with option '--junit <file>'/ },
    { what: 'an option that a link has not', args: ['run', 'l2..x', '--seeds', '9'], status: 2, says: /a link takes no --seeds; leave it out; see locket-wasm run --help/ },
    { what: 'a form of output that an export has not', args: ['run', 'l2..x', '--export', 'mermaid', '--json'], status: 2, says: /--export of a link takes no --json/ },
    { what: 'two links', args: ['run', 'l2..x', 'l2..y'], status: 2, says: /a link is run alone, but 2 arguments are given/ },
    { what: 'the end of no link', args: ['run', FIRST_LOOK, '--to-end'], status: 2, says: /--to-end needs a link/ },
    { what: 'no link', args: ['run', 'https://example.org/#nothing'], status: 2, says: /^locket-wasm: link: expected a text that begins with/ },
    { what: 'a Locket nowhere', args: ['locks'], status: 2, says: /no endpoint; pass --url or set LOCKET_API_LOCATION/ },
    { what: 'no URL', args: ['locks', '--url', 'http://'], status: 2, says: /--url: expected an https: or http: address/ },
    { what: 'an empty key', args: ['claim-lock', '-k', '', '-o', 'o', '-t', '1'], status: 2, says: /-k, --key <key>' argument '' is invalid. The value is empty/ },
    { what: 'a key given twice', args: ['release-lock', '-k', 'a', '--key', 'b', '-o', 'o'], status: 2, says: /The option is given twice/ },
    { what: 'a TTL that is none', args: ['claim-lock', '-k', 'k', '-o', 'o', '-t', '1.5'], status: 2, says: /1\.5 has no unit; write 1\.5s or 1500ms/ },
    { what: 'two TTLs', args: ['claim-lock', '-k', 'k', '-o', 'o', '--ttl', '15s', '-t', '15'], status: 2, says: /The option is given twice/ },
    { what: 'no TTL', args: ['claim-lock', '-k', 'k', '-o', 'o'], status: 2, says: /no TTL; pass --ttl, such as --ttl 15s; see locket-wasm claim-lock --help/ },
    { what: 'a timeout that is none', args: ['locks', '--url', 'h', '--timeout', 'soon'], status: 2, says: /--timeout <duration>' argument 'soon' is .*; see locket-wasm locks --help/ },
    { what: 'a timeout without a unit', args: ['locks', '--url', 'h', '--timeout', '1'], status: 2, says: /1 has no unit; write 1s or 1000ms/ },
    { what: 'a latency without a unit', args: ['serve', '--latency', '20'], status: 2, says: /20 has no unit; write 20s or 20000ms/ },
    { what: 'a header without a value', args: ['locks', '--url', 'h', '--header', 'x'], status: 2, says: /authorization: Bearer/ },
    { what: 'half a certificate', args: ['locks', '--url', 'h', '--cert-file', FIRST_LOOK], status: 2, says: /both --cert-file and --key-file/ },
    { what: 'a certificate that is not there', args: ['locks', '--url', 'h', '--ca-file', 'nowhere.pem'], status: 1, says: /cannot read nowhere\.pem/ },
  ];
  for (const { what, args, status, says, prints = false } of failures) {
    test(`${args[0] ?? 'it'} with ${what} ends with exit code ${status} and one message`, () => {
      const result = cli(args);
      assert.deepEqual([result.status, result.stdout !== ''], [status, prints], result.stderr);
      assert.match(result.stderr, says);
      assert.match(result.stderr, /^locket-wasm: /);
      assert.doesNotMatch(result.stderr, /^ +at /m, 'a stack is not for users');
    });
  }

  test('a stack is printed when it is asked for, by flag or variable', () => {
    const args = ['run', join(folder, 'nothing.json')];
    for (const { stderr } of [cli([...args, '--debug']), cli(args, '', { LOCKET_DEBUG: '1' })]) {
      assert.match(stderr, /^locket-wasm: cannot read [^]*\n +at [^]*ENOENT/);
    }
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
  });

  test('a URL is as good as the link', () => {
    const expected = cli(['run', link]);
    assert.deepEqual(cli(['run', sim.link({ stories })]), expected);
    assert.deepEqual(cli(['run', `https://example.org/lab#${link}`]), expected);
    assert.deepEqual(cli(['run', `https://example.org/lab?link=${link}`]), expected);
  });

  test('--json gives what the simulation gives', () => {
    const told = JSON.parse(cli(['run', link, '--json']).stdout);
    assert.deepEqual(told.events, sim.trace());
    assert.deepEqual([told.digest, told.nowMs, told.isFaithful], [sim.digest(), 12_000, true]);
    assert.deepEqual(told.table, sim.state().rows);
  });

  test('--to-end goes on, and then expectations count', () => {
    const failing = new Simulation(FAILING);
    failing.runUntil('1s');
    assert.equal(cli(['run', failing.link()]).status, 0);
    const { status, stdout } = cli(['run', failing.link(), '--to-end']);
    assert.equal(status, 1);
    assert.match(stdout, /✗ at [^]*at 20\.000 s of 20\.000 s\n$/);
  });

  test('a link to an invalid scenario is wrong usage, and names the error', () => {
    const content = ['{"at":"12s","count":0,"digest":"0000000000000000"}', '{"name":"a","clients":[],"untill":"5s"}'].join('\n');
    for (const command of [['run'], ['run', '--export', 'mermaid']]) {
      const { status, stderr } = cli([...command, `l1.${Buffer.from(content).toString('base64url')}`]);
      assert.equal(status, 2);
      assert.match(stderr, /^locket-wasm: link: its scenario is invalid: 1:\d+: .*untill/);
    }
  });

  test('a link whose story has changed gets a message and exit code 1', () => {
    const content = ['{"at":"12s","count":0,"digest":"0000000000000000"}', TEXT].join('\n');
    const forged = `l1.${Buffer.from(content).toString('base64url')}`;
    for (const command of [['run'], ['run', '--export', 'mermaid']]) {
      const { status, stderr } = cli([...command, forged]);
      assert.equal(status, 1);
      assert.match(stderr, /made by a version with other rules/);
    }
  });
});

describe('locket-wasm run --export', () => {
  const formats = cli(['run', '--help']).stdout.match(/\nValues:\n {2}export ([^]*)/)[1].match(/[\w-]+/g);

  for (const format of formats.filter((name) => name !== 'svg')) {
    test(`it writes ${format} as the package does, to a file or standard output`, () => {
      const expected = exported(TEXT, format);
      assert.equal(cli(['run', FIRST_LOOK, '--export', format]).stdout, expected);
      const output = join(folder, 'exported');
      assert.equal(cli(['run', '-', '--export', format, '-o', output], TEXT).stdout, '');
      assert.equal(readFileSync(output, 'utf8'), expected);
    });
  }

  test('it offers every format that there is, and a picture; --junit is an option of its own', () => {
    assert.throws(() => exported(TEXT, 'none'), ({ message }) => {
      assert.deepEqual(message.replace(/^.*expected /, '').split(/, | or /).sort(), [...formats.filter((name) => name !== 'svg'), 'junit'].sort());
      return true;
    });
  });

  test('it exports what a link points at', () => {
    const sim = new Simulation(TEXT);
    sim.runUntil('7s');
    assert.equal(cli(['run', sim.link(), '--export', 'mermaid']).stdout, sim.export('mermaid'));
  });

  test('it exports a link to its end, if that is asked for', () => {
    const sim = new Simulation(TEXT);
    const link = sim.link();
    sim.seek({ timeMs: sim.endMs });
    assert.equal(cli(['run', link, '--to-end', '--export', 'mermaid']).stdout, sim.export('mermaid'));
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
      assert.deepEqual(stdout.split('\n').filter((line) => line.length > (line.startsWith('  ') ? 90 : 80)), []);
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
    assert.match(stdout, /15\.000 s .* bbs expires: a has not renewed it/);
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
