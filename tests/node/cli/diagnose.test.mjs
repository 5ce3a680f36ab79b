// `locket-wasm diagnose`: what it prints and writes, and its exit codes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { cli } from '../support/command-line.mjs';
import { logsOf } from '../support/diagnose-logs.mjs';
import { at, file } from '../support/folder.mjs';
import { inserted, started } from '../support/log-lines.mjs';

const LOGS = fileURLToPath(new URL('../../vectors/logs/', import.meta.url));

const filesOf = (name) => logsOf(name).map((log) => `${LOGS}${name}/${log.name}`);

describe('locket-wasm diagnose', () => {
  test('an incident is exit code 1, and the report says who and why', () => {
    const { status, stdout, stderr } = cli(['diagnose', ...filesOf('k-operator-delete')]);
    assert.equal(status, 1);
    assert.match(stdout, /^Likely: Two owners of 'bbs' for 2\.76 s: bbs-0 and bbs-1 both believed to hold it\./);
    assert.match(stdout, /2\. row-deleted \(incident, likely\)/);
    assert.equal(stderr, 'locket-wasm: the logs show 3 incidents\n');
  });

  test('healthy logs are exit code 0', () => {
    const { status, stdout, stderr } = cli(['diagnose', ...filesOf('e-failover-graceful'), '--expect', 'bbs']);
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /^No incident: of the given clients, none lost a lock, and no two held the same one at once\./);
  });

  const ended = ({ status, stderr }) => [status, stderr];
  for (const [what, args, why] of [
    ['files without a line about locks', ['-'], 'no verdict: the files have no line about locks'],
    ['logs without a line about a key that is expected', [...filesOf('a-healthy'), '--expect', 'bbs', '--expect', 'cell-7'], 'no verdict: no line is about a key that is expected'],
    ['healthy logs with --scenario', ['--scenario', at('b.json'), ...filesOf('a-healthy')], 'no scenario: the logs show no incident that a scenario can reproduce'],
  ]) test(`${what} are exit code 5`, () => assert.deepEqual(ended(cli(['diagnose', ...args], 'hello\n')), [5, `locket-wasm: ${why}\n`]));

  test('an incident that is only possible is exit code 5, and the headline says so', () => {
    const logs = { a: [started(0), inserted(1, 'a', 'u')], b: [started(0.5), inserted(30, 'b', 'v')] };
    const files = Object.entries(logs).map(([name, lines]) => file(`locket-${name}.log`, lines.join('\n')));
    const { status, stdout, stderr } = cli(['diagnose', ...files]);
    assert.deepEqual([status, stderr], [5, 'locket-wasm: no verdict: an incident is possible, and the logs do not show whether it happened\n']);
    assert.match(stdout, /^Possible, and not shown by the logs: /);
  });

  test('--scenario writes a scenario that run takes, and that does the same again', () => {
    const { stderr } = cli(['diagnose', '--scenario', at('a.json'), ...filesOf('c-sigstop')]);
    assert.match(stderr, /^scenario: .*a\.json: it reproduces the incident\n/);
    assert.equal(cli(['run', at('a.json')]).status, 0);
  });

  test('--scenario keeps every character of the logs, and none that a terminal obeys', () => {
    const evil = 'bbs \u001b[2J\u009b\u202e\u2028\u0085 off';
    const log = logsOf('k-operator-delete').map(({ data }) => data.replaceAll('"bbs"', JSON.stringify(evil))).join('');
    cli(['diagnose', '-', '--scenario', at('evil.json')], log);
    const text = readFileSync(at('evil.json'), 'utf8');
    assert.doesNotMatch(text, /[\u001b\u009b\u202e\u2028\u0085]/);
    assert.ok(JSON.parse(text).clients.some(({ key }) => key === evil), text);
    assert.equal(cli(['run', at('evil.json')]).status, 0);
  });

  for (const name of ['b-sigkill', 'c-sigstop', 'd-locket-kill-lose', 'e-two-lockets-kill-a', 'f-pg-outage', 'g-handover-debug', 'i-same-owner', 'j-slow-replies', 'p-table-dropped']) {
    test(`explore takes the scenario of ${name} that --scenario writes`, () => {
      cli(['diagnose', '--scenario', at(`${name}.json`), ...filesOf(name)]);
      const { status, stdout } = cli(['explore', '--max-states', '20000', at(`${name}.json`)]);
      assert.ok([0, 1, 5].includes(status), stdout);
      assert.match(stdout, /within these bounds/);
    });
  }

  test('--advise names the parts of the scenario that no search tries', () => {
    const { stdout } = cli(['diagnose', '--advise', ...filesOf('p-table-dropped')]);
    assert.match(stdout, /\nNot searched: a dropped table\.\n/);
  });

  test('--advise names settings that would have prevented it, and has tried them', () => {
    const { stdout } = cli(['diagnose', '--advise', ...filesOf('c-sigstop-debug')]);
    assert.match(stdout, /Settings that prevent this incident: Two owners of 'bbs'/);
    assert.match(stdout, /Unsafe within these bounds: .* one pause ≤ 14 s/);
    assert.match(stdout, /Safe instead: safe runner, TTL 9 s, retry 3 s;/);
    assert.match(stdout, /Tried: the scenario of these logs has one owner at a time with the safe runner, TTL 9 s, retry 3 s\./);
    assert.match(stdout, /\nWhat if, in the scenario of these logs: as it was, two owners for [\d.]+ s, no client acts for [\d.]+ s;\nwith the safe runner, TTL 9 s, retry 3 s, two owners for 0 s, no client acts for [\d.]+ s\.\n$/);
  });

  test('--advise after a crash of Locket asks for settings that keep the lock, and has tried them', () => {
    const { stdout } = cli(['diagnose', '--advise', ...filesOf('d-locket-kill-lose')]);
    assert.match(stdout, /Unsafe within these bounds: .* one Locket crash \(down ≤ 10 s\), one restart/);
    assert.match(stdout, /Tried: the scenario of these logs keeps the lock with the safe runner, TTL 39 s, retry 13 s\./);
  });

  test('--advise says so if settings did not decide it', () => {
    const { stdout } = cli(['diagnose', '--advise', ...filesOf('i-same-owner')]);
    assert.match(stdout, /Safe within these bounds/);
    assert.match(stdout, /But the scenario of these logs has two owners with these settings; other settings do not prevent it\.\n/);
    assert.doesNotMatch(stdout, /Tried|What if/);
  });

  test('a TTL that no line shows and an expected key that none is about are limits; --ttl sets the TTL', () => {
    const locket = filesOf('b-sigkill').filter((file) => file.includes('locket'));
    assert.match(cli(['diagnose', ...locket, '--expect', 'bbs', '--expect', 'cell-7']).stdout, /No line shows the TTL.*No line is about 'cell-7': was it there, and is its log given\?/s);
    assert.match(cli(['diagnose', '--ttl', '15s', ...locket]).stdout, /its last renewal was about 15\.0\d s before/);
  });
});
