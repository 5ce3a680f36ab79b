// Scenarios in files: an error has its place, and what commands write can be run.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { runScenario } from 'locket-wasm';

import { cli } from '../support/command-line.mjs';
import { logsOf } from '../support/diagnose-logs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'locket-scenarios-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The place and the message of the error in a scenario that is not valid. */
function refusal(text) {
  const path = file('refused.json', text);
  const { status, stdout, stderr } = cli(['run', path]);
  assert.deepEqual([status, stdout], [2, ''], stderr);
  const [message, ...excerpt] = stderr.trimEnd().split('\n');
  const [, place, words] = /^locket-wasm: .*?:(\d+:\d+): (.*)$/.exec(message) ?? assert.fail(stderr);
  assert.ok(message.startsWith(`locket-wasm: ${path}:${place}: `), stderr);
  return { place, words, excerpt };
}

describe('a validation error', () => {
  test('has its column in characters', () => {
    assert.equal(refusal('{ "name": "ä€🔑", "clients": [],\n "until": "🔑" }').place, '2:14');
  });

  test('in a long line is shown with the part around it', () => {
    const { excerpt } = refusal(`{ "name": "${'x'.repeat(5000)}", "until": 1, "clients": [] }`);
    assert.match(excerpt[0], /^ {2}x{40,}", "until": 1, "clients": \[\] \}$/);
    assert.equal(excerpt[0][excerpt[1].length - 1], '1');
  });

  test('in a run of several scenarios names its file', () => {
    const [fine, wrong] = [file('fine.json', '{ "name": "x", "clients": [] }'), file('wrong.json', '{ "name": "x",\n"clients": 3 }')];
    assert.ok(cli(['run', fine, wrong]).stderr.includes(`locket-wasm: ${wrong}:2:12: clients: `));
  });
});

for (const [what, text] of Object.entries({ 'a broken object': '"name": "x",\n  }', YAML: 'name: x\n', 'a page': '<!doctype html>\n<p>', nothing: '', spaces: ' \n\t\n' })) {
  test(`${what} is no scenario, and the error says what is`, () => {
    assert.deepEqual(refusal(text).words, 'expected a scenario in JSON, which begins with {');
  });
}

test('the scenario that diagnose writes keeps every character of the logs', () => {
  const evil = 'bbs \u001b[2J\u009b\u202e\u2028\u0085 off';
  const log = file('incident.log', logsOf('k-operator-delete').map(({ data }) => data.replaceAll('"bbs"', JSON.stringify(evil))).join(''));
  const output = join(folder, 'incident.json');
  assert.match(cli(['diagnose', log, '--scenario', output]).stderr, /it reproduces the incident/);
  const text = readFileSync(output, 'utf8');
  assert.doesNotMatch(text, /[\u001b\u009b\u202e\u2028\u0085]/);
  const { clients } = JSON.parse(text);
  assert.ok(clients.some(({ key }) => key === evil), text);
  assert.deepEqual(runScenario(text).failures, []);
});
