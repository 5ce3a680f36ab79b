// Command lines: each command with its options and their values in any order. A mistake is named with the exit code of one, a
// bug has another, and no stack is printed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import fc from 'fast-check';
import { stringify } from 'yaml';

import { CLI, cli } from '../node/support/command-line.mjs';
import { folder } from '../node/support/folder.mjs';
import { QUESTION, SCENARIO } from './good.mjs';
import { fuzz } from './round.mjs';
import { near, nearText } from './values.mjs';

/** What says of itself that it is a bug. */
const EXIT_BUG = 70;
const LONGEST_MS = 15_000;

/** By command, as its help lists them. `serve` does not end by itself, and many jobs are much work. */
const OPTIONS = new Map(
  [...cli(['--help']).stdout.matchAll(/^ {2}([a-z-]+) [[<]/gm)]
    .map(([, command]) => [command, [...cli([command, '--help']).stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option).filter((option) => option !== '--jobs')])
    .filter(([command]) => command !== 'serve'),
);
const LIMITS = { '--max-states': '300', '--max-steps': '2000', '--max-runs': '20', '--for': '10ms' };
const VALUES = ['', '-', '--', '1', '15', '-1', '1s', '5', '0s', '1e9', 'safe', 'upstream', 'presence', 'junit', 'mermaid', 'one-owner', 'k', 'é', '\u202e', 'http://127.0.0.1:1', '/nothing', '/dev/null', '.', 'l1.e30', '{}'];

const input = fc.oneof(
  nearText(SCENARIO),
  nearText(QUESTION),
  fc.constantFrom('', 'jobs: [', '- &a [*a, *a]', '!!js/function x', 'instance_groups:\n- jobs:\n  - name: bbs\n    properties: {diego: 7}'),
);
const commandLine = fc.constantFrom(...OPTIONS.keys()).chain((command) => {
  const option = fc.constantFrom('--nope', ...OPTIONS.get(command));
  const words = fc.array(fc.oneof(option, option, fc.constantFrom(...VALUES)), { maxLength: 6 });
  return fc.tuple(fc.constant(command), words, input);
});

fuzz('command lines', 4, commandLine, async ([command, words, input]) => {
  const limits = Object.entries(LIMITS).filter(([option]) => OPTIONS.get(command).includes(option));
  await assertEnds([command, ...words, ...limits.flat()], input);
});

const JOBS = [
  { name: 'routing-api', properties: { routing_api: { lock_ttl: '15s', lock_retry_interval: '5s' } } },
  { name: 'rep', properties: { diego: { rep: { locket: { lock_ttl: '15s' } } }, cell_registrations: { locket: { enabled: false } } } },
];
const MANIFEST = { releases: [{ name: 'diego', version: '2.138.0' }, { name: 'routing', url: 'https://example.com/routing-0.385.0.tgz' }], instance_groups: [{ name: 'api', instances: 2, jobs: JOBS }], name: 'cf' };
const manifest = fc.tuple(near(MANIFEST), fc.option(fc.tuple(fc.nat(), fc.constantFrom('\t', '&a ', '*a', '<<: ', '!!binary ', '- ', '\n---\n', '((', '"')), { freq: 3 })).map(
  ([value, slip]) => {
    const text = textOf(value);
    return slip === null ? text : text.slice(0, slip[0] % (text.length + 1)) + slip[1] + text.slice(slip[0] % (text.length + 1));
  },
);

fuzz('manifests', 4, manifest, (text) => assertEnds(['advise', '--manifest', '-', '--max-states', '30'], text));

/** Values that YAML has no text for are none of a manifest's. */
function textOf(value) {
  try {
    return stringify(value) ?? '';
  } catch {
    return 'null';
  }
}

/** That a command ends by itself, with an exit code and words that are for its caller. */
async function assertEnds(args, input) {
  const { status, signal, stderr } = await run(args, input);
  assert.equal(signal, null, `it was ended after ${LONGEST_MS} ms`);
  assert.ok(status !== EXIT_BUG && status < 128, `exit code ${status}: ${stderr}`);
  if (!args.includes('--debug')) assert.doesNotMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m);
}

async function run(args, input) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, timeout: LONGEST_MS });
  child.stdin.on('error', () => {}).end(input);
  child.stdout.resume();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [status, signal] = await once(child, 'close');
  return { status, signal, stderr };
}
