// The commands that check settings: what they print and write, and their exit codes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { advise, explore, init, mapSettings, questionOfRun } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { CLI, cli, cliOnTerminal, noScript } from '../support/command-line.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-check-'));
after(() => rmSync(folder, { recursive: true }));
const written = (name) => join(folder, name);

/** As Locket's own runner and server ship. */
const SHIPPED = ['--runner', 'upstream', '--profile', 'upstream'];
const UPSTREAM = { runner: 'upstream', profile: 'upstream' };
const SAFE = ['explore', ...SHIPPED, '--latency', '2s'];
const BROKEN = ['explore', ...SHIPPED, '--latency', '6s'];

describe('--fault', () => {
  /** What is there for a question with these faults, in words. */
  const boundsOf = (...faults) => JSON.parse(cli(['explore', ...faults.flatMap((fault) => ['--fault', fault]), '--json']).stdout).bounds;

  test('help lists every fault of a question, with a line for each', async () => {
    await init();
    const { faults } = questionOfRun(stories['holder-crashes']);
    const { status, stdout, stderr } = cli(['explore', '--fault', 'help']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^ {2}pause=LENGTH +a client is paused, and may believe meanwhile that it holds the lock$/m);
    assert.match(stdout, /^ {2}locket-crash\[=DOWNTIME\] +a Locket process crashes$/m);
    assert.match(stdout, /^ {2}failover\[=COMMITS\] /m);
    const listed = stdout.match(/^ {2}[a-z-]+(?==|\[=| {2})/gm).map((name) => name.trim().replaceAll(/-[a-z]/g, ([, letter]) => letter.toUpperCase()));
    assert.deepEqual(listed, faults.map(({ name }) => name));
  });

  test('has a length and a count, and several are allowed', () => {
    assert.match(boundsOf('pause=5s,1', 'lost-message,2', 'crash,1'), /one pause ≤ 5 s, up to 2 messages lost, one crash, no other fault/);
    assert.match(boundsOf('failover=2,1', 'locket-crash=3s,1'), /one failover \(losing 2 commits\), one Locket crash \(down ≤ 3 s\)/);
  });

  test('without a count is any number where that can be proved, and one where not', () => {
    assert.match(boundsOf('pause=5s', 'crash'), /any number of pauses ≤ 5 s each, no message lost, any number of crashes/);
    const { stdout } = cli(['explore', '--fault', 'crash', '--property', 'no-client-acts', '--allow', '30s', '--json']);
    assert.match(JSON.parse(stdout).bounds, /one crash/);
  });

  test('is one of few options of explore: all that most need fit on a screen of 24 lines', () => {
    const [common] = cli(['explore', '--help']).stdout.split('\nThe default is');
    assert.ok(common.trimEnd().split('\n').length <= 24, common);
  });
});

describe('locket-wasm explore', () => {
  test('settings that are safe end with exit code 0', async () => {
    const { status, stdout, stderr } = cli(SAFE);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, `✓ ${(await explore({ ...UPSTREAM, latency: '2s' })).text}`);
  });

  test('without options the question is about the safe runner on the documented Locket', async () => {
    const [nothing, same] = [[], ['--runner', 'safe', '--profile', 'documented']].map((said) => cli(['explore', ...said, '--latency', '6s', '--json']).stdout);
    assert.equal(nothing, same);
    assert.deepEqual(JSON.parse(nothing), { ...(await explore({ latency: '6s' })), runner: 'safe' });
  });

  test('settings that are not end with exit code 1, and the story', async () => {
    const { status, stdout, stderr } = cli(BROKEN);
    assert.equal(status, 1);
    assert.match(stderr, /^locket-wasm: the property can be broken\n$/);
    const { text, link, longest, scenario } = await explore({ ...UPSTREAM, latency: '6s' });
    assert.ok(stdout.includes(text.trimEnd()), stdout);
    const isAnother = longest.scenario !== scenario;
    assert.ok(stdout.endsWith(`\nlocket-wasm run ${link}\n${isAnother ? `locket-wasm run ${longest.link} # lasts longest\n` : ''}`));
  });

  test('the counterexample can be written as a scenario, which run plays without a failure', () => {
    const output = written('broken.json');
    assert.equal(cli([...BROKEN, '--output', output]).status, 1);
    const { status, stdout } = cli(['run', output, '--events']);
    assert.equal(status, 0);
    assert.match(stdout, /15\.000 s {2}b +believes it holds the lock/);
    const simulation = new Simulation(readFileSync(output, 'utf8'));
    const believers = () => simulation.state().nodes.filter(({ believes }) => believes).length;
    assert.ok(simulation.runUntil(() => believers() === 2));
    simulation.close();
  });

  test('the link that it prints is one that run follows to that moment', () => {
    const link = /^locket-wasm run (\S+)$/m.exec(cli(BROKEN).stdout)[1];
    const { status, stdout } = cli(['run', link]);
    assert.equal(status, 0);
    assert.match(stdout, /\nat 15\.000 s of /);
  });

  test('the schedule that breaks them for longest can be replayed too, unless the first is enough', () => {
    const paused = ['explore', ...SHIPPED, '--latency', '1s', '--fault', 'pause=16s,1'];
    const { stdout } = cli(paused);
    assert.match(stdout, /^✗ Unsafe .* At the longest that lasts 9 s\./);
    const longest = /^locket-wasm run (\S+) # lasts longest$/m.exec(stdout)[1];
    assert.equal(cli(['run', longest]).status, 0);
    assert.doesNotMatch(cli([...paused, '--first']).stdout, /longest/);
  });

  test('a grid too coarse for an exact answer gives no verdict, with exit code 5', () => {
    const { status, stdout, stderr } = cli(['explore', '--latency', '500ms', '--grid', '1s']);
    assert.equal(status, 5);
    assert.match(stdout, /^\? Preview within these bounds: no schedule in steps of 1 s .* an exact answer takes steps of 0\.5 s\. Bounds: /);
    assert.match(stderr, /--grid is too coarse; leave it out for an exact answer/);
  });

  test('a search that is cut ends with exit code 5 and a remedy', () => {
    const { status, stdout, stderr } = cli([...SAFE, '--max-states', '50']);
    assert.equal(status, 5);
    assert.match(stdout, /^\? Unknown within these bounds: the search stopped at 50 states\. .* Bounds: messages ≤ 2 s, /);
    assert.match(stderr, /raise --max-states/);
  });

  test('a property that was never tested ends with exit code 5', () => {
    const { status, stderr } = cli([...SAFE, '--clients', '1']);
    assert.equal(status, 5);
    assert.match(stderr, /the property was never tested/);
  });

  test('several runners are compared, one after another', () => {
    const { status, stdout } = cli(['explore', '--runner', 'upstream', 'safe', '--latency', '6s']);
    assert.equal(status, 1);
    assert.match(stdout, /^✗ upstream: Unsafe .*\n(locket-wasm run .*\n)+✓ safe: Safe .*\n$/);
  });

  test('--json prints the answer of each runner as the package gives it', async () => {
    const { stdout } = cli(['explore', '--latency', '6s', '--json', '--runner', 'upstream', 'safe']);
    const answers = stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(answers[0], { ...(await explore({ runner: 'upstream', latency: '6s' })), runner: 'upstream' });
    assert.deepEqual(answers.map(({ verdict }) => verdict), ['unsafe', 'safe']);
  });

  test('--junit writes a case for each runner', () => {
    const output = written('report.xml');
    cli(['explore', '--latency', '6s', '--runner', 'upstream', 'safe', '--junit', output]);
    const xml = readFileSync(output, 'utf8');
    assert.match(xml, /<testsuite name="locket-wasm explore" tests="2" failures="1" errors="0">/);
    assert.match(xml, /name="upstream keeps the property">\n *<failure message="Unsafe within these bounds: a schedule without a fault has two owners .* Bounds: messages ≤ 6 s, no pause/);
    assert.match(xml, /name="safe keeps the property">\n *<system-out>Safe within these bounds: .* Bounds: messages ≤ 6 s, no pause/);
  });

  test('every option reaches the question', async () => {
    const args = ['--ttl', '3s', '--retry-interval', '1s', '--runner', 'safe', '--margin', '1s', '--fault', 'crash,1', '--fault', 'lost-message,1'];
    const { stdout } = cli(['explore', ...args, '--property', 'no-client-acts', '--allow', '9s', '--grid', '500ms', '--json']);
    const question = { ttl: '3s', retryInterval: '1s', runner: 'safe', margin: '1s', faults: { crash: 1, lostMessage: 1 }, grid: '500ms' };
    const expected = await explore({ ...question, property: { is: 'no-client-acts', allow: '9s' } });
    assert.deepEqual(JSON.parse(stdout), { ...expected, runner: 'safe' });
  });

  test('on a terminal it says how far it is, and takes that back', { skip: noScript }, () => {
    const { stdout } = cliOnTerminal(['explore', ...SHIPPED, '--latency', '5s', '--first-attempt-deadline']);
    assert.match(stdout, /\r\u001b\[2Kupstream: \d+ states, with 0 faults up to [^]*\r\u001b\[2K\u001b\[32m✓/);
  });
});

describe('locket-wasm explore --map', () => {
  const SMALL = ['explore', '--map', 'pause', ...SHIPPED, '--ttl', '5s,6s', '--retry-interval', '1s..3s', '--latency', '1s'];
  const QUESTION = { ...UPSTREAM, ttl: ['5s', '6s'], retryInterval: { from: '1s', to: '3s' }, latency: '1s' };

  test('it draws the cells in rows and columns', () => {
    const { status, stdout, stderr } = cli(SMALL);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^Bounds: messages ≤ 1 s, one pause ≤ the value of the cell, no message lost, no other fault\. A paused client /m);
    const rows = stdout.trimEnd().split('\n').slice(-3).map((line) => line.trim().split(/ {2,}/));
    assert.deepEqual(rows, [['r 1 s', 'r 2 s', 'r 3 s'], ['T 5 s', '3 s', '1 s', '0 s'], ['T 6 s', '4 s', '2 s', '1 s']]);
    assert.match(stdout, /^All that is safe is safe with any number of clients\.$/m);
  });

  test('on a terminal, cells that nothing has to break are red', { skip: noScript }, () => {
    assert.match(cliOnTerminal(SMALL).stdout, /\u001b\[31m +0 s\u001b\[0m/);
  });

  test('--json prints the map as the package gives it', async () => {
    assert.deepEqual(JSON.parse(cli([...SMALL, '--json']).stdout), await mapSettings(QUESTION));
  });

  test('--junit has a case for each cell, which fails if the property breaks without a fault', () => {
    const output = written('map.xml');
    assert.equal(cli([...SMALL, '--junit', output]).status, 0);
    const xml = readFileSync(output, 'utf8');
    assert.match(xml, /<testsuite name="locket-wasm explore --map" tests="6" failures="1" errors="0">/);
    assert.match(xml, /name="lease 6 s, retry interval 1 s">\n *<system-out>a pause of 4 s breaks the property; up to 3 s is safe within these bounds\. Bounds: messages ≤ 1 s, one pause ≤ the value of the cell, /);
    assert.match(xml, /name="lease 5 s, retry interval 3 s">\n *<failure message="a pause of 0 s breaks the property; no value is safe within these bounds\. Bounds: /);
    cli([...SMALL, '--max-states', '5', '--junit', output]);
    assert.match(readFileSync(output, 'utf8'), /errors="6">[\s\S]*message="no pause tried breaks the property; no value is known to be safe within these bounds\. The rest is unknown: the search reached its limit of states; raise --max-states, or lower a bound\. Bounds: /);
  });

  test('cells whose search was cut are marked, with exit code 5', () => {
    const { status, stdout, stderr } = cli([...SMALL, '--max-states', '5']);
    assert.equal(status, 5);
    assert.match(stdout, /T 6 s +\? +\? +\?/);
    assert.match(stderr, /for 6 of 6 cells/);
  });

  test('a cell without a verdict says why', () => {
    const { status, stdout, stderr } = cli(['explore', '--map', 'pause', '--ttl', '5s', '--retry-interval', '1s..2s', '--latency', '0s', '--fault', 'suspend=1s,1', '--max-steps', '3']);
    assert.equal(status, 5);
    assert.match(stdout, /T 5 s +\? +≤ 3 s/);
    assert.match(stderr, /no verdict for 2 of 2 cells: a search with suspends finds counterexamples and proves nothing/);
    assert.doesNotMatch(stderr, /raise --max-states/);
  });

  test('a clock error that breaks a cell is an upper bound if smaller ones are known in steps only', () => {
    const { status, stdout, stderr } = cli(['explore', '--map', 'clock-rate', '--max-steps', '6', '--ttl', '5s..6s', '--retry-interval', '2s..4s', '--latency', '1s']);
    assert.equal(status, 5);
    assert.match(stdout, /T 5 s +> 30 % +≤ 25 % +15 %\n *T 6 s +> 30 % +> 30 % +≤ 20 %/);
    assert.match(stderr, /no verdict for 2 of 6 cells: no step of a search fits a clock/);
  });

  test('a cell without a known limit shows the longest pause that was tried', () => {
    const { stdout } = cli(['explore', '--map', 'pause', '--ttl', '6s', '--retry-interval', '1s', '--runner', 'safe', '--max-steps', '3']);
    assert.match(stdout, /T 6 s +> 3 s/);
  });
});

describe('locket-wasm advise', () => {
  test('about safe settings it ends with exit code 0', async () => {
    const { status, stdout, stderr } = cli(['advise', ...SHIPPED, '--latency', '1s', '--fault', 'pause=5s,1']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, (await advise({ ...UPSTREAM, latency: '1s', faults: { pause: { length: '5s', count: 1 } } })).text);
  });

  test('about others it names safe ones, and ends with exit code 1', () => {
    const { status, stdout } = cli(['advise', ...SHIPPED, '--latency', '1s', '--fault', 'pause=10s,1']);
    assert.equal(status, 1);
    assert.match(stdout, /^Safe instead: upstream runner, TTL \d+ s, retry 5 s/m);
  });

  test('--json prints it as the package gives it', async () => {
    const args = ['advise', ...SHIPPED, '--ttl', '6s', '--retry-interval', '2s', '--fault', 'pause=3s,1', '--json'];
    const question = { ...UPSTREAM, ttl: '6s', retryInterval: '2s', faults: { pause: { length: '3s', count: 1 } } };
    assert.deepEqual(JSON.parse(cli(args).stdout), await advise(question));
  });
});

describe('locket-wasm explore with a scenario', () => {
  const client = (name) => ({ name, key: 'k', ttl: '6s', retryInterval: '2s', runner: 'upstream' });
  const scenario = { name: 'two', profile: 'upstream', clients: [client('a'), client('b')] };
  const path = written('two.json');
  writeFileSync(path, JSON.stringify(scenario));

  test('says what it says about the same settings', () => {
    for (const pause of ['2s', '5s']) {
      const about = cli(['explore', path, '--fault', `pause=${pause},1`]);
      const same = cli(['explore', ...SHIPPED, '--ttl', '6s', '--retry-interval', '2s', '--latency', '0s', '--fault', `pause=${pause},1`]);
      assert.deepEqual(about, same);
      assert.equal(about.status, pause === '5s' ? 1 : 0);
    }
  });

  test('takes the faults of the scenario as bounds, and names what no search tries', () => {
    const other = written('other.json');
    const actions = [{ at: '1s', do: 'pause', node: 'a', for: '2s' }, { at: '9s', do: 'drop-table' }];
    writeFileSync(other, JSON.stringify({ ...scenario, actions }));
    const { status, stdout } = cli(['explore', other]);
    assert.equal(status, 0);
    assert.match(stdout, /^✓ Safe within these bounds: .* one pause ≤ 2 s, .* Not searched: a dropped table\. /);
    const longer = cli(['explore', other, '--fault', 'pause=5s,1', '--first']);
    assert.equal(longer.status, 1);
    assert.match(longer.stdout, /one pause ≤ 5 s/);
    assert.match(longer.stderr, /: the property can be broken\n$/);
  });

  test('refuses options that the scenario already sets, and takes those that it leaves open', () => {
    assert.match(cli(['explore', path, '--ttl', '6s']).stderr, /--ttl: the scenario sets this/);
    assert.match(cli(['explore', path, '--retry-interval', '6s']).stderr, /--retry-interval: the scenario sets this/);
    assert.match(cli(['explore', path, '--profile', 'documented']).stderr, /--profile: the scenario already has this/);
    assert.equal(cli(['explore', path, '--processes', '2']).status, 0);
    const open = written('open.json');
    writeFileSync(open, JSON.stringify({ ...scenario, profile: undefined }));
    assert.deepEqual(cli(['explore', open, '--profile', 'upstream', '--fault', 'pause=5s,1']).stdout, cli(['explore', path, '--fault', 'pause=5s,1']).stdout);
  });

  test('says of a scenario without a runner that there is no verdict', () => {
    const { status, stdout, stderr } = cli(['explore', 'first-look']);
    assert.deepEqual([status, stdout], [5, '']);
    assert.match(stderr, /^locket-wasm: no verdict: clients: no client is a runner, so there is nothing to search; give one a retryInterval\n$/);
  });
});

test('--junit of advise reports the one answer', () => {
  const xml = written('advice.xml');
  assert.equal(cli(['advise', ...SHIPPED, '--latency', '1s', '--fault', 'pause=5s,1', '--junit', xml]).status, 0);
  assert.match(readFileSync(xml, 'utf8'), /name="upstream, lease 15 s">\n *<system-out>Safe within these bounds: [^]*\nSpare pause: 2 s, with any number of clients\.\n/);
});

describe('wrong usage', () => {
  const MISTAKES = [
    { args: ['explore', '--ttl', '1500ms'], says: /^locket-wasm: --ttl: expected whole seconds, at least 1; see/ },
    { args: ['explore', '--ttl', '0s'], says: /^locket-wasm: --ttl: expected whole seconds, at least 1; see/ },
    { args: ['explore', '--retry-interval', 'soon'], says: /'--retry-interval <duration>' argument 'soon' is invalid\. "soon" is not a duration; .*see locket-wasm explore --help/ },
    ...['--ttl', '--retry-interval', '--latency', '--database-latency', '--grid', '--margin', '--allow'].map((option) => ({
      args: ['explore', option, '5'],
      says: /argument '5' is invalid\. 5 has no unit; write 5s or 5000ms; see locket-wasm explore --help/,
    })),
    { args: ['explore', '--fault', 'pause=5'], says: /argument 'pause=5' is invalid\. 5 has no unit; write 5s or 5000ms; see/ },
    { args: ['explore', '--fault', 'pause'], says: /pause needs a length, such as pause=20s; see locket-wasm explore --help/ },
    { args: ['explore', '--fault', 'pasue=5s'], says: /There is no fault pasue; did you mean pause\?; see/ },
    { args: ['explore', '--map', 'pause', '--fault', 'crash=5s'], says: /crash has no length; write a count as crash,2; see/ },
    { args: ['advise', '--fault', 'crash,1', '--fault', 'crash,2'], says: /crash is given twice; see/ },
    { args: ['explore', '--fault', 'lost-message,many'], says: /Expected a whole number, or any; see/ },
    { args: ['explore', '--fault', 'lost-message,16'], says: /^locket-wasm: --fault lost-message: expected at most 15, not 16; see/ },
    ...[['advise'], ['explore'], ['explore', '--map', 'pause']].flatMap((command) =>
      ['--ttl', '--retry-interval'].map((option) => ({ args: [...command, option, '5'], says: /5 has no unit; write 5s or 5000ms/ })),
    ),
    ...['--max-pause', '--pause-step', '--step'].map((option) => ({
      args: ['run', 'first-look', '--margin', option, '5'],
      says: /5 has no unit; write 5s or 5000ms/,
    })),
    { args: ['explore', '--map', 'pause', '--ttl', '3s..9'], says: /9 has no unit; write 9s or 9000ms/ },
    { args: ['explore', '--latency', '2h'], says: /^locket-wasm: --latency: expected at most 1h, not 2h/ },
    { args: ['explore', '--runner', 'mine'], says: /Allowed choices are cloud-controller, safe/ },
    { args: ['explore', '--runner', 'safe', 'safe'], says: /--runner: a runner is given twice/ },
    { args: ['explore', '--property', 'acquired'], says: /--property acquired needs --allow/ },
    { args: ['explore', '--property', 'false-loss', '--allow', '1s'], says: /takes no --allow/ },
    { args: ['explore', '--clients', '9'], says: /--clients: expected 1 to 4/ },
    { args: ['explore', '--map', 'pause', '--ttl', '3s..9s..12s'], says: /Expected a range such as 3s..14s, or a list such as 5s,10s,15s/ },
    { args: ['explore', '--map', 'weather'], says: /Allowed choices are clock-rate, latency, lost-message, pause/ },
    { args: ['explore', '--map', 'pause', '--ttl', '9s..3s'], says: /^locket-wasm: --ttl\.to: expected whole seconds from 9s to/ },
  ];
  for (const { args, says } of MISTAKES) {
    test(`${args.join(' ')} ends with exit code 2 and one message`, () => {
      const { status, stdout, stderr } = cli(args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /^ +at /m);
    });
  }
});

describe('--storage', () => {
  const explored = (storage, ...more) => cli(['explore', '--profile', 'upstream', '--latency', '0s', '--storage', storage, '--fault', 'pause=20s,1', ...more]);

  test('is a guard and the longest write, and asks for a wrong write', () => {
    const { status, stdout } = explored('none,1s');
    assert.equal(status, 1);
    assert.match(stdout, /^✗ Unsafe within these bounds: a schedule with 1 fault has a write that the storage takes after one of a later holder/);
    assert.match(stdout, /the storage takes a late write of a after one of b: wrong/);
    assert.match(explored('token,any').stdout, /^✓ Safe.* writes of any latency, .* That holds for any number of clients\./s);
  });

  test('of another form is refused with the guards', () => {
    const { status, stderr } = explored('lease');
    assert.equal(status, 2);
    assert.match(stderr, /expected modified-index, none, owner, renewed-token, token, perhaps with a comma and the longest write/);
    assert.match(cli(['explore', '--property', 'no-wrong-write']).stderr, /storage: missing/);
  });

  test('of a scenario is counted in the summary of its run', () => {
    const { status, stdout } = cli(['run', 'modified-index-is-no-token']);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /the storage took 1 wrong write, and refused 1 right one/);
  });
});

test('long work reports its progress without a terminal', async () => {
  const child = spawn(process.execPath, [CLI, ...'explore --runner upstream --clients 4 --latency 5s --fault lost-message,3 --fault pause=30s,3 --max-states 16777216'.split(' ')]);
  const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
  child.kill();
  assert.match(line, /^upstream: [\d,]+ states, with \d faults? up to [\d.]+ s\n$/);
});
