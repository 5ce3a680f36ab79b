// Whatever files, arguments and servers have in them, nothing of it moves a terminal's cursor or turns its text around.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';

import { Simulation } from 'locket-wasm';

import { listen } from '../../net/support/listen.mjs';
import { runCli } from '../../serve/support/serve-process.mjs';
import { cli } from '../support/command-line.mjs';
import { logsOf } from '../support/diagnose-logs.mjs';
import { at, file } from '../support/folder.mjs';
import { reportOf } from '../support/shard-reports.mjs';

/** Clears the screen, in seven and eight bits, rings, turns the text around, and begins a line that looks like the program's. */
const EVIL = 'x\u001b[2J\u009b2J\u0007\u202e\u2066\u2028\rlocket-wasm: all is fine';
const EVIL_LINE = `${EVIL}\nlocket-wasm: all is fine`;

const client = { name: EVIL_LINE, key: EVIL_LINE, owner: EVIL_LINE, retryInterval: '5s' };
const SCENARIO = {
  name: EVIL_LINE,
  description: EVIL_LINE,
  until: '20s',
  clients: [client],
  actions: [{ at: '1s', do: 'note', text: EVIL_LINE }, { at: '6s', do: 'crash', node: EVIL_LINE }],
  expect: [{ at: '9s', key: EVIL_LINE, owner: EVIL }],
};
const RANDOM = { ...SCENARIO, random: true, network: { latency: { min: '1ms', max: '900ms', step: '1ms' }, loss: '30%' } };

const scenario = file('scenario.json', SCENARIO);
const random = file('random.json', RANDOM);
const badlyNamed = file(`named ${EVIL}.json`, SCENARIO);
const unknownField = file('unknown-field.json', { ...SCENARIO, [EVIL_LINE]: 1 });
const wrongValue = file('wrong-value.json', { ...SCENARIO, until: EVIL_LINE });
const wrongNode = file('wrong-node.json', { ...SCENARIO, actions: [{ at: '1s', do: 'crash', node: `no ${EVIL_LINE}` }] });
const noJson = file('no-json.json', `{ "name": "a",\n "${EVIL}"\u202e \u001b[2J }`);
const manifest = (version) =>
  file(`${Math.random()}.yml`, `releases: [{ name: diego, version: ${JSON.stringify(version)} }]\ninstance_groups: [{ name: ${JSON.stringify(EVIL_LINE)}, jobs: [{ name: bbs }] }]`);
const noManifest = file('no-manifest.yml', `instance_groups: "${EVIL}" "\u202e\n\u001b[2J`);
const link = (value) => `l1.${Buffer.from(value).toString('base64url')}`;
const goodLink = () => {
  const simulation = new Simulation(SCENARIO);
  simulation.seek({ time: '8s' });
  return simulation.link();
};
const sweepOf = (change) => ({ name: EVIL_LINE, firstSeed: 0, seeds: 1, shards: ['1/1'], runs: 1, failed: [], exercised: {}, digest: '0'.repeat(16), ...change });
const mistaken = [unknownField, wrongValue, wrongNode, noJson, at(`no such ${EVIL_LINE}`)];

/** An incident of which every name is evil. */
const hostileLog = file(
  'hostile.log',
  logsOf('k-operator-delete')
    .map(({ data }) => data.replaceAll('"bbs"', JSON.stringify(`bbs ${EVIL_LINE}`)))
    .join(''),
);

/** By command: arguments with which something goes wrong, or is told, that has such texts in it. */
const CASES = {
  run: [
    [scenario], ['--events', scenario], [scenario, badlyNamed], ['--json', scenario], ['--seed', EVIL, scenario], ...mistaken.map((it) => [it]),
    ...[[random], ['--json', random], [scenario], ['--shard', EVIL, random], ['--jobs', '2', scenario], [unknownField]].map((it) => ['--seeds', '3', ...it]),
    ...[[scenario], ['--seed', '1', random], ['--json', scenario], ['--output', at(EVIL, 'x'), scenario], [unknownField]].map((it) => ['--minimize', ...it]),
    ...[[scenario], ['--json', scenario], ['--fault', EVIL, scenario], ['--step', EVIL_LINE, scenario], [unknownField]].map((it) => ['--margin', ...it]),
    [scenario, '--export', EVIL],
    [scenario, '--export', 'junit', '--output', at(EVIL_LINE, 'x')],
    [unknownField, '--export', 'junit'],
    [goodLink()],
    ['--events', goodLink()],
    ['--to-end', '--json', goodLink()],
    ['--export', 'junit', EVIL],
    [EVIL],
    [`l2.${EVIL}.x`],
    [link(`{"at":"1ms","count":0,"digest":"","${EVIL}":1}\n{}`)],
    [link(`{"at":"1ms","count":0,"digest":""}\n${JSON.stringify({ ...SCENARIO, [EVIL_LINE]: 1 })}`)],
    [link(`{"at":"1ms","count":0,"digest":"","acts":[{"at":"0s","count":0,"act":{"do":"crash","node":"\\u001b\\u202e"}}]}\n${JSON.stringify(SCENARIO)}`)],
  ],
  stories: [[EVIL], [EVIL_LINE]],
  merge: [
    [file('failed.json', reportOf(sweepOf({ failed: [{ seed: 0, failures: [EVIL_LINE], digest: EVIL }] })))],
    [file('sweep.json', reportOf(sweepOf({}))), file('other.json', reportOf(sweepOf({}), { inputs: { name: `other ${EVIL_LINE}` } }))],
    [file('shards.json', reportOf(sweepOf({ shards: [EVIL_LINE] })))],
    [file('shard.json', reportOf(sweepOf({}), { shard: EVIL_LINE }))],
    [file('runs.json', reportOf(EVIL_LINE))],
    [noJson],
  ],
  diagnose: [[hostileLog], ['--json', hostileLog], ['--scenario', '-', hostileLog], ['--ttl', EVIL, hostileLog], [EVIL], [noJson]],
  serve: [['--host', EVIL], ['--profile', EVIL], ['--cert-file', EVIL, '--key-file', EVIL], ['--allow-origin', EVIL], ['--allow-host', EVIL_LINE], [EVIL]],
  explore: [
    ['--runner', EVIL], ['--latency', EVIL_LINE], ['--ttl', EVIL], ['--json', '--latency', '1s', '--junit', at(EVIL, 'x')], [unknownField],
    ['--grid', EVIL], ['--profile', EVIL],
    ...[['pause', '--ttl', EVIL_LINE], [EVIL], ['pause', '--latency', EVIL]].map((it) => ['--map', ...it]),
  ],
  advise: [
    ['--runner', `${EVIL_LINE}@2.102.0`],
    ['--runner', `diego-bbs@${EVIL_LINE}`],
    ['--manifest', noManifest],
    ['--manifest', at(EVIL_LINE)],
    ['--manifest', manifest('2.138.0')],
    ['--manifest', manifest(EVIL_LINE)],
  ],
  locks: [['--url', EVIL], ['--header', EVIL], ['--url', 'http://127.0.0.1:1', '--ca-file', EVIL]],
  presences: [['--url', `http://${EVIL}`], ['--timeout', EVIL_LINE]],
  'claim-lock': [['-k', EVIL, '-o', EVIL, '-t', EVIL], ['-k', EVIL_LINE, '-o', EVIL, '-t', '15', '--url', 'http://127.0.0.1:1']],
  'claim-presence': [['-k', 'k', '-o', 'o', '-t', '15', '--url', EVIL_LINE]],
  'release-lock': [['-k', EVIL, '-o', EVIL, '--url', EVIL]],
  doctor: [['--url', EVIL], ['--url', '127.0.0.1:1', '--json'], ['--url', `${EVIL}.invalid`]],
  watch: [['--url', '127.0.0.1:1', '--key', EVIL_LINE, '--for', '10ms'], ['--kind', EVIL], ['--interval', EVIL_LINE], ['--url', '127.0.0.1:1', '-o', at(EVIL_LINE, 'x')], ['-o', '-', '--url', EVIL]],
  help: [[EVIL]],
};

/** Of all that is printed, newlines and the program's own lines are what they look like. */
function checked({ stdout, stderr }) {
  for (const [name, text] of Object.entries({ stdout, stderr })) {
    const evil = /[^\n\P{Cc}]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/u.exec(text);
    assert.equal(evil, null, `${name} has U+${evil?.[0].codePointAt(0).toString(16)}: ${JSON.stringify(text)}`);
    assert.doesNotMatch(text, /^locket-wasm: all is fine/m, name);
  }
}

test('the cases are those of every command', () => {
  const commands = cli(['--help']).stdout.matchAll(/^ {2}([a-z-]+) [[<]/gm);
  assert.deepEqual(Object.keys(CASES).sort(), [...commands].map(([, name]) => name).sort());
});

for (const [command, cases] of Object.entries(CASES)) {
  describe(`locket-wasm ${command}`, () => {
    for (const [index, args] of cases.entries()) {
      test(`prints nothing that a terminal obeys, case ${index + 1}`, () => {
        // It prints all that it prints without --debug, too.
        const told = cli([command, '--debug', ...args]);
        checked(told);
        assert.notEqual(told.status, 70, told.stderr);
        assert.notEqual(told.stdout + told.stderr, '');
      });
    }
  });
}

test('nor does the program itself', () => {
  checked(cli([EVIL_LINE]));
  checked(cli([`--${EVIL_LINE}`]));
});

describe('a server', () => {
  const headers = { 'content-type': 'application/grpc-web+proto', 'grpc-status': '6', 'grpc-message': encodeURIComponent(EVIL_LINE) };
  let server;
  before(async () => (server = await listen(createServer((request, response) => response.writeHead(200, headers).end()))));
  after(() => server.close());

  for (const args of [
    ['locks'],
    ['presences'],
    ['claim-lock', '-k', 'k', '-o', 'o', '-t', '15'],
    ['claim-presence', '-k', 'k', '-o', 'o', '-t', '15'],
    ['release-lock', '-k', 'k', '-o', 'o'],
  ]) {
    test(`prints nothing that a terminal obeys, through ${args[0]}`, async () => {
      const told = await runCli(...args, '--url', server.url);
      assert.equal(told.code, 3);
      assert.match(told.stderr, /all is fine/);
      checked(told);
    });
  }
});
