// The commands that check settings: what they print and write, and their exit codes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';

import { advise, explore, init, questionOfRun } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import { CLI, cli, cliOnTerminal, noScript } from '../support/command-line.mjs';
import { at, file } from '../support/folder.mjs';

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
    assert.match(stdout, /^ {2}pause=LENGTH +a client is paused, and may believe meanwhile that$/m);
    assert.match(stdout, /^ {2}locket-crash\[=DOWNTIME\] +a Locket process crashes$/m);
    assert.match(stdout, /^ {2}failover\[=COMMITS\] /m);
    const listed = stdout.match(/^ {2}[a-z-]+(?==|\[=| {2})/gm).map((name) => name.trim().replaceAll(/-[a-z]/g, ([, letter]) => letter.toUpperCase()));
    assert.deepEqual(listed, faults.map(({ name }) => name));
  });

  test('has a length and a count, and several are allowed', () => {
    assert.match(boundsOf('pause=5s,1', 'lost-message,2', 'crash,1'), /one pause ≤ 5 s, up to 2 messages lost, one crash, no other fault/);
    assert.match(boundsOf('failover=2,1', 'locket-crash=3s,1'), /one failover \(losing 2 commits\), one Locket crash \(down ≤ 3 s\)/);
  });
});

describe('locket-wasm explore', () => {
  test('settings that are safe end with exit code 0', async () => {
    const { status, stdout, stderr } = cli(SAFE);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, `✓ ${(await explore({ ...UPSTREAM, latency: '2s' })).text}`);
  });

  test('settings that are not end with exit code 1, and the story', async () => {
    const { status, stdout, stderr } = cli(BROKEN);
    assert.equal(status, 1);
    assert.match(stderr, /^locket-wasm: the settings are not safe\n$/);
    assert.equal(cli([...BROKEN, '-q']).stdout, `✗ ${(await explore({ ...UPSTREAM, latency: '6s' }, { longest: false })).summary}\n`);
    const { text, link, longest, scenario } = await explore({ ...UPSTREAM, latency: '6s' });
    assert.ok(stdout.includes(text.trimEnd()), stdout);
    const isAnother = longest.scenario !== scenario;
    assert.ok(stdout.endsWith(`\nlocket-wasm run ${link}\n${isAnother ? `locket-wasm run ${longest.link} # lasts longest\n` : ''}`));
  });

  test('the counterexample can be written as a scenario, which run plays without a failure', () => {
    const output = at('broken.json');
    assert.equal(cli([...BROKEN, '--output', output]).status, 1);
    const { status, stdout } = cli(['run', output, '--events']);
    assert.equal(status, 0);
    assert.match(stdout, /15\.000 s {2}b +believes it holds the lock/);
  });

  for (const [what, args, says, notes] of [
    ['a grid too coarse for an exact answer', '--latency 500ms --grid 1s', /^\? Preview within these bounds: .* an exact answer takes steps of 0\.5 s\./, /--grid is too coarse; leave it out for an exact answer/],
    ['clocks that drift further than the margin', '--latency 2s --drift 4%', /^\? Unknown within these bounds: .* clocks may drift by up to 4 %, .* There is no proof for clocks that drift: among others/, /ask without --drift/],
    ['a search that is cut', '--latency 2s --max-states 50', /^\? Unknown within these bounds: the search stopped at 50 states\./, /raise --max-states/],
    ['a property that was never tested', '--clients 1', /^\? /, /the property was never tested/],
    ['a map whose searches were cut', '--map pause --ttl 6s --retry-interval 1s..2s --max-states 5', /T 6 s +\? +\?$/m, /no verdict for 2 of 2 cells: .*raise --max-states/],
    ['a map with suspends', '--map pause --ttl 5s --retry-interval 1s --latency 0s --fault suspend=1s,1 --max-steps 3', /T 5 s +\?$/m, /for 1 of 1 cells: a search with suspends finds counterexamples and proves nothing;/],
  ]) {
    test(`${what} ends with exit code 5, and says why there is no verdict`, () => {
      const { status, stdout, stderr } = cli(['explore', ...args.split(' ')]);
      assert.equal(status, 5);
      assert.match(stdout, says);
      assert.match(stderr, notes);
    });
  }

  test('several runners are compared, one after another', () => {
    const { status, stdout } = cli(['explore', '--runner', 'upstream', 'safe', '--latency', '6s']);
    assert.equal(status, 1);
    assert.match(stdout, /^✗ upstream: Unsafe .*\n(locket-wasm run .*\n)+✓ safe: Safe .*\n$/);
  });

  test('--junit writes a case for each runner', () => {
    const output = at('report.xml');
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

test('an answer fits a terminal of 80 columns, and only its command with a link does not', { skip: noScript }, () => {
  const { stdout } = cliOnTerminal(BROKEN, { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.columns=80' });
  const lines = stripVTControlCharacters(stdout).split(/[\r\n]+/);
  const long = lines.filter((line) => line.length > 80);
  assert.deepEqual(long.map((line) => line.replace(/ l2\..*/, '')), ['locket-wasm run']);
  assert.match(lines.join(' '), /its renewal failed with context deadline exceeded/);
});

describe('locket-wasm explore --map', () => {
  const SMALL = ['explore', '--map', 'pause', ...SHIPPED, '--ttl', '5s,6s', '--retry-interval', '1s..3s', '--latency', '1s'];

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

  test('--junit has a case for each cell, which fails if the property breaks without a fault', () => {
    const output = at('map.xml');
    assert.equal(cli([...SMALL, '--junit', output]).status, 0);
    const xml = readFileSync(output, 'utf8');
    assert.match(xml, /<testsuite name="locket-wasm explore --map" tests="6" failures="1" errors="0">/);
    assert.match(xml, /name="TTL 6 s, retry interval 1 s">\n *<system-out>a pause of 4 s breaks the property; up to 3 s is safe within these bounds\. Bounds: messages ≤ 1 s, one pause ≤ the value of the cell, /);
    assert.match(xml, /name="TTL 5 s, retry interval 3 s">\n *<failure message="a pause of 0 s breaks the property; no value is safe within these bounds\. Bounds: /);
    cli([...SMALL, '--max-states', '5', '--junit', output]);
    assert.match(readFileSync(output, 'utf8'), /errors="6">[\s\S]*message="no pause tried breaks the property; no value is known to be safe within these bounds\. The rest is unknown: the search reached its limit of states; raise --max-states, or lower a bound\. Bounds: /);
  });

  test('a cell without a known limit shows the longest pause that was tried', () => {
    const { stdout } = cli(['explore', '--map', 'pause', '--ttl', '6s', '--retry-interval', '1s', '--runner', 'safe', '--max-steps', '3']);
    assert.match(stdout, /T 6 s +> 3 s/);
  });
});

describe('locket-wasm advise', () => {
  test('about safe settings it ends with exit code 0, also as JUnit', async () => {
    const xml = at('advice.xml');
    const { status, stdout, stderr } = cli(['advise', ...SHIPPED, '--latency', '1s', '--fault', 'pause=5s,1', '--junit', xml]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(readFileSync(xml, 'utf8'), /name="upstream runner">\n *<system-out>Safe within these bounds: [^]*\nSpare pause: 2 s, with any number of clients\.\n/);
    assert.equal(stdout, (await advise({ ...UPSTREAM, latency: '1s', faults: { pause: { length: '5s', count: 1 } } })).text);
  });

  test('about others it names safe ones, and ends with exit code 1', () => {
    const { status, stdout } = cli(['advise', ...SHIPPED, '--latency', '1s', '--fault', 'pause=10s,1']);
    assert.equal(status, 1);
    assert.match(stdout, /^Safe instead: upstream runner, TTL \d+ s, retry 5 s/m);
  });
});

describe('locket-wasm explore with a scenario', () => {
  const client = (name) => ({ name, key: 'k', ttl: '6s', retryInterval: '2s', runner: 'upstream' });
  const scenario = { name: 'two', profile: 'upstream', clients: [client('a'), client('b')] };
  const path = file('two.json', scenario);

  test('takes the faults of the scenario as bounds, unless an option says otherwise, and names what no search tries', () => {
    assert.match(cli(['explore', 'holder-crashes']).stdout, /, one crash, /);
    assert.match(cli(['explore', 'holder-crashes', '--fault', 'crash,2']).stdout, /, up to 2 crashes, /);
    assert.match(cli(['explore', 'table-dropped']).stdout, /Not searched: a dropped table\./);
  });

  test('refuses options that the scenario already sets, and takes those that it leaves open', () => {
    assert.match(cli(['explore', path, '--ttl', '6s']).stderr, /--ttl: the scenario sets this/);
    assert.match(cli(['explore', path, '--retry-interval', '6s']).stderr, /--retry-interval: the scenario sets this/);
    assert.match(cli(['explore', path, '--profile', 'documented']).stderr, /--profile: the scenario already has this/);
    assert.equal(cli(['explore', path, '--processes', '2']).status, 0);
    const open = file('open.json', { ...scenario, profile: undefined });
    assert.deepEqual(cli(['explore', open, '--profile', 'upstream', '--fault', 'pause=5s,1']).stdout, cli(['explore', path, '--fault', 'pause=5s,1']).stdout);
  });

  test('says of a scenario without a runner that there is no verdict', () => {
    const { status, stdout, stderr } = cli(['explore', 'first-look']);
    assert.deepEqual([status, stdout], [5, '']);
    assert.match(stderr, /^locket-wasm: no verdict: clients: no client is a runner, so there is nothing to search; give one a retryInterval\n$/);
  });
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
});

test('long work reports its progress without a terminal', async () => {
  const child = spawn(process.execPath, [CLI, ...'explore --runner upstream --clients 4 --latency 5s --fault lost-message,3 --fault pause=30s,3 --max-states 16777216'.split(' ')]);
  const [line] = await once(child.stderr.setEncoding('utf8'), 'data');
  child.kill();
  assert.match(line, /^upstream: [\d,]+ states, with \d faults? up to [\d.]+ s\n$/);
});
