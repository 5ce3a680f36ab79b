// The summary of a run: its parts, and that it fits a screen.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { runScenario, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { cli, cliOnTerminal, noScript } from '../support/command-line.mjs';

const PAUSED = 'holder-paused-longer-than-its-ttl';

const runner = (name, key, more = {}) => ({ name, key, retryInterval: '5s', runner: 'upstream', ...more });
const cells = (count) => Array.from({ length: count }, (_, index) => runner(`cell-${index}`, `cell-${index}`, { kind: 'presence' }));
const scenario = (more) => JSON.stringify({ name: 'a test', profile: 'upstream', until: '1m', clients: [], ...more });

/** The summary's lines. */
function summaryOf(more) {
  const { stdout, stderr } = cli(['run', '-'], scenario(more));
  assert.doesNotMatch(stderr, /bug/);
  return stdout.trimEnd().split('\n');
}

/** The lines of a part. */
function part(lines, title) {
  const from = lines.indexOf(title) + 1;
  assert.ok(from > 0, `${title} of\n${lines.join('\n')}`);
  return lines.slice(from, lines.indexOf('', from));
}

describe('the summary', () => {
  test('it has the periods of each owner, without a row, with two owners and without a client that acts', () => {
    const lines = cli(['run', PAUSED]).stdout.split('\n');
    assert.deepEqual(part(lines, 'Owners'), [
      '  bbs   0.000 s –  0.100 s   0.100 s  no row',
      '        0.100 s – 20.300 s  20.200 s  bbs-0',
      '        6.000 s – 23.200 s  17.200 s  no client acts',
      '       20.300 s – 23.100 s   2.800 s  no row',
      '       23.100 s – 28.000 s   4.900 s  bbs-1',
      '       23.200 s – 26.200 s   3.000 s  ✗ two owners: bbs-0, bbs-1',
    ]);
  });

  test('an entry with a count is so many clients', () => {
    const lines = summaryOf({ clients: [{ ...runner('cell-{i}', 'cell-{i}', { kind: 'presence' }), count: 7 }, runner('bbs', 'bbs')] });
    assert.match(lines[1], /^8 clients, /);
    assert.deepEqual(part(lines, 'Owners').filter((line) => line.includes('presences')), ['  7 presences: 7 kept from the first row to the end, 0 absent for a time']);
  });

  test('it has the faults in words, and the load by kind and outcome', () => {
    const lines = cli(['run', PAUSED]).stdout.split('\n');
    assert.deepEqual(part(lines, 'Faults and actions'), ['   6.000 s  bbs-0 is paused for 20 s']);
    assert.deepEqual(part(lines, 'Load')[0], '  9 requests, 0.321 a second: 8 Lock (5 refused), 1 Fetch');
  });

  test('a request that is lost has failed, and one under way at the end has not', () => {
    const lost = summaryOf({ clients: [runner('a', 'k')], actions: [{ at: '9s', do: 'lose-messages', from: 'a', to: 'locket' }] });
    assert.match(part(lost, 'Load')[0], /3 Lock \(1 failed\)/);
    const underWay = summaryOf({ until: '11s', clients: [runner('a', 'k')], actions: [{ at: '9s', do: 'lose-messages', from: 'a', to: 'locket' }] });
    assert.match(part(underWay, 'Load')[0], /: 3 Lock$/);
  });

  test('of a long run it has the important events, and says how many more there are', () => {
    const lines = cli(['run', PAUSED]).stdout.split('\n');
    const events = part(lines, 'Important events');
    assert.ok(events.some((line) => line.includes('bbs-0     no longer believes it holds the lock')));
    assert.equal(events.filter((line) => line.includes("row 'bbs' owner=bbs-0")).length, 1, 'a renewal is no change');
    assert.match(events.at(-1), /^… \d+ more events; --events prints all$/);
  });

  test('a takeover is more important than the first owner', () => {
    const clients = [runner('a', 'k'), runner('b', 'k', { startAt: '2s' }), ...cells(20)];
    const crashes = Array.from({ length: 5 }, (_, index) => ({ at: `${30 + index}s`, do: 'crash', node: `cell-${index}` }));
    const events = part(summaryOf({ clients, actions: [{ at: '6s', do: 'crash', node: 'a' }, ...crashes] }), 'Important events');
    assert.ok(events.some((line) => /22\.000 s {2}b +believes it holds the lock$/.test(line)), events.join('\n'));
  });

  test('of a short run it has all events, as --events prints them', () => {
    const text = stories['value-too-long'];
    const all = cli(['run', '-', '--events'], text).stdout;
    const timeline = all.slice(all.indexOf('\n\n') + 2);
    assert.ok(cli(['run', '-'], text).stdout.endsWith(`\nEvents\n${timeline}`));
  });

  test('many presences are counted, and those that were absent are named, the worst first', () => {
    const stop = (node, at, until) => [{ at, do: 'crash', node }, { at: until, do: 'start', node }];
    const lines = summaryOf({ clients: [runner('a', 'k'), ...cells(50)], actions: [...stop('cell-3', '6s', '25s'), ...stop('cell-9', '6s', '40s')] });
    const owners = part(lines, 'Owners');
    assert.match(owners[0], /^ {2}k +0\.000 s – 60\.000 s +60\.000 s {2}a$/);
    assert.equal(owners[1], '  50 presences: 48 kept from the first row to the end, 2 absent for a time');
    assert.match(owners[2], /^ {2}cell-9 +20\.000 s – 40\.000 s +20\.000 s {2}absent$/);
    assert.match(owners[3], /^ {2}cell-3 +20\.000 s – 25\.000 s +5\.000 s {2}absent$/);
    assert.equal(owners.length, 4);
  });

  test('a presence that starts late was not absent before', () => {
    const late = runner('cell-late', 'cell-late', { kind: 'presence', startAt: '30s' });
    const [counts, ...absent] = part(summaryOf({ clients: [...cells(3), late] }), 'Owners');
    assert.equal(counts, '  4 presences: 4 kept from the first row to the end, 0 absent for a time');
    assert.deepEqual(absent, []);
  });

  test('of many locks those with two owners and gaps are named, and the others are counted', () => {
    const clients = Array.from({ length: 40 }, (_, index) => runner(`c-${index}`, `k-${index}`));
    const owners = part(summaryOf({ clients, actions: [{ at: '6s', do: 'crash', node: 'c-30' }] }), 'Owners');
    assert.ok(owners.some((line) => /^ {2}k-30 .* c-30$/.test(line)), owners.join('\n'));
    assert.match(owners.at(-1), /^ {2}… and \d+ more keys, none with a gap or two owners$/);
  });

  test('a failed expectation comes before the digest', () => {
    const more = { clients: [runner('a', 'k')], expect: [{ at: '9s', key: 'k', owner: 'nobody' }] };
    const lines = summaryOf(more);
    assert.match(lines.at(-2), /^✗ at 9\.000 s: expected 'k' to be held by 'nobody'/);
    assert.equal(lines.at(-1), `digest ${runScenario(scenario(more)).digest}`);
  });

  test('a run without events says so', () => {
    assert.deepEqual(part(summaryOf({}), 'Events'), ['  no events']);
  });

  test('a long period is in minutes or hours', () => {
    const [owner] = part(summaryOf({ until: '3h', clients: [runner('a', 'k')] }), 'Owners');
    assert.match(owner, /0\.000 s – 10800\.000 s {2}3\.0 h {2}a$/);
  });

  test('it is the run of the seed', () => {
    const random = { random: true, network: { latency: { min: '10ms', max: '900ms' } }, clients: [runner('a', 'k'), runner('b', 'k')] };
    const [one, other] = ['1', '2'].map((seed) => cli(['run', '-', '--seed', seed], scenario(random)).stdout);
    assert.notEqual(one, other);
    assert.ok(other.endsWith(`digest ${runScenario(scenario({ ...random, seed: 2 })).digest}\n`));
  });

  test('on a terminal two owners are red', { skip: noScript }, () => {
    assert.match(cliOnTerminal(['run', PAUSED]).stdout, /\u001b\[31m[^\n]*✗ two owners: bbs-0, bbs-1\u001b\[0m/);
  });
});

describe('a screen', () => {
  const crowd = {
    until: '10m',
    random: true,
    network: { latency: { min: '5ms', max: '2s' }, loss: '3%' },
    clients: [...Array.from({ length: 50 }, (_, index) => runner(`c-${index}`, `k-${index % 9}`)), ...cells(50)],
    actions: Array.from({ length: 30 }, (_, index) => ({ at: `${20 * index}s`, do: 'restart', node: `c-${index}` })),
    expect: Array.from({ length: 20 }, (_, index) => ({ at: '9s', key: `k-${index % 9}`, owner: `x-${index}` })),
  };

  const busiest = ['first-look', 'locket-process-stopped-longer-than-the-ttl', 'thundering-herd'];
  for (const [name, text] of [...busiest.map((name) => [name, stories[name]]), ['100 clients with every kind of trouble', scenario(crowd)]]) {
    test(`the summary of ${name} fits it`, () => {
      const lines = cli(['run', '-'], text).stdout.trimEnd().split('\n');
      const failures = lines.filter((line) => line.startsWith('✗ ')).length;
      assert.ok(lines.length - failures <= 52, lines.join('\n'));
      const isAll = lines.includes('Events');
      for (const line of lines) assert.ok(isAll || line.length <= 100 || line.startsWith('✗ '), line);
    });
  }
});

describe('the summary of a link', () => {
  test('it ends at the moment of the link, and has the actions from outside', () => {
    const simulation = new Simulation(scenario({ clients: [runner('a', 'k'), runner('b', 'k', { startAt: '2s' })] }));
    simulation.runUntil('7s');
    simulation.act({ do: 'crash', node: 'a' });
    simulation.runUntil('30s');
    const lines = cli(['run', simulation.link()]).stdout.trimEnd().split('\n');
    assert.deepEqual(part(lines, 'Faults and actions'), ['   7.000 s  a crashes']);
    assert.match(part(lines, 'Owners').at(-1), /– 30\.000 s +\d+\.000 s {2}b$/);
    assert.deepEqual(lines.slice(-2), [`digest ${simulation.digest()}`, 'at 30.000 s of 60.000 s']);
  });

  test('it tells of no write that comes later', () => {
    const simulation = new Simulation(stories['modified-index-is-no-token']);
    const told = (options = []) => part(cli(['run', simulation.link(), ...options]).stdout.trimEnd().split('\n'), 'Load').at(-1);
    simulation.runUntil('3s');
    assert.equal(told(), '  the storage took 0 wrong writes, and refused 0 good writes');
    assert.equal(told(['--to-end']), '  the storage took 1 wrong write, and refused 1 good write');
  });
});
