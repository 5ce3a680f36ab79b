// What is wrong with a command line, or with what it names: the exit code, and one message that says where and what to do.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { cli } from '../support/command-line.mjs';
import { at, file, folder } from '../support/folder.mjs';

const FIRST_LOOK = fileURLToPath(new URL('../../../sim/scenarios/first-look.json', import.meta.url));

const scenario = (members) => JSON.stringify({ name: 'x', until: '10s', clients: [{ name: 'bbs', key: 'k' }], ...members });
/** The shell's words; a word of several parts is a list. */
const words = (line) => (typeof line === 'string' ? line.split(' ').filter(Boolean) : line);

/** By exit code: command lines with the message of each, and standard input for some. */
const MISTAKES = {
  1: [
    [['run', at('nothing.json')], /cannot read .*nothing\.json/],
    [['run', folder], /cannot read/],
    ['locks --url h --ca-file nowhere.pem', /cannot read nowhere\.pem/],
    ['serve --cert-file nowhere.pem --key-file nowhere.pem', /cannot read nowhere\.pem/],
    ['run toString', /cannot read toString: ENOENT.*; locket-wasm stories lists the shipped stories/],
    ['run stories/holder-crash.json', /; did you mean holder-crashes\? locket-wasm stories lists them$/m],
    ...['run', 'run --seeds 1', 'run --minimize', 'run --margin', 'run --export mermaid', 'explore'].map((command) => [
      `${command} hodler-crashes`, /cannot read hodler-crashes: ENOENT: .*; did you mean holder-crashes\? locket-wasm stories lists them$/m,
    ]),
    ['diagnose /nothing/here.log', /cannot read \/nothing\/here\.log: ENOENT/],
  ],
  2: [
    ['', /no command, such as run first-look; locket-wasm --help lists all/],
    ['rum', /unknown command 'rum' \(Did you mean run\?\); see locket-wasm --help/],
    ['help exploer', /unknown command 'exploer' \(Did you mean explore\?\); see locket-wasm --help/],
    ['marge --help', /unknown command 'marge' \(Did you mean merge\?\); see/],
    ['toString', /unknown command 'toString'; see/],
    ['run', /missing required argument 'scenario'; see locket-wasm run --help/],
    ['run first-look --jason', /unknown option '--jason' \(Did you mean --json\?\); see locket-wasm run --help/],
    ['stories hodler-crashes', /unknown story hodler-crashes; did you mean holder-crashes\? locket-wasm stories lists them/],
    ['stories xyzzy', /; locket-wasm stories lists the shipped stories/],

    // Options that do not go together.
    ['run first-look --events --json', /--events and --json exclude each other/],
    ['run first-look --minimize --margin', /--minimize and --margin exclude each other; leave out one of them; see locket-wasm run --help/],
    ['run first-look --minimize --events', /--minimize takes no --events; leave it out/],
    ['run first-look --shard 1/2', /--shard needs --seeds; see/],
    ['run first-look first-look --margin', /--margin takes one scenario, but 2 are given/],
    ['run first-look --to-end', /--to-end needs a link/],
    ['run l2..x --seeds 9', /a link takes no --seeds; leave it out; see locket-wasm run --help/],
    ['run l2..x --export mermaid --json', /--export of a link takes no --json/],
    ['run l2..x l2..y', /a link is run alone, but 2 arguments are given/],
    ['explore first-look --map pause', /--map takes no scenario/],
    ['explore --ttl 3s..5s', /--ttl: several durations need --map/],
    ['explore --shard 1/2', /--shard needs --map; see/],
    ['explore --property acquired', /--property acquired needs --allow/],
    ['explore --property false-loss --allow 1s', /takes no --allow/],
    ['explore --property no-wrong-write', /storage: missing/],
    ['advise --manifest cf.yml --ttl 15s', /--manifest <file...>' cannot be used with option '--ttl/],
    ['advise --survive --fault crash --junit x', /'--survive' cannot be used with option '--junit <file>'/],
    ['advise --survive', /--survive needs the outages/],

    // Values.
    ['run first-look --export png', /Allowed choices are json-lines, .*typescript-test; see locket-wasm run --help/],
    ['run https://example.org/#nothing', /^locket-wasm: link: expected a text that begins with/],
    ['run first-look --max-steps 0', /^locket-wasm: --max-steps: expected at least 1, not 0; see locket-wasm run --help$/m],
    ['run holder-crashes --margin --step 1ms', /^locket-wasm: --step: expected at most 10000 moments/],
    ['run first-look --seeds 9 --jobs 0', /--jobs: expected 1 to 256/],
    ['run first-look --seeds 9 --shard 4/3', /Expected a shard such as 2\/4/],
    ['explore --map pause --ttl 4s..8s --shard 1/6', /--shard: expected at most 5 shards, one for each row, not 6/],
    ['explore --map weather', /Allowed choices are latency, lost-message, pause/],
    ['explore --map pause --ttl 9s..3s', /^locket-wasm: --ttl\.to: expected whole seconds from 9s to/],
    ['explore --map pause --ttl 3s..9s..12s', /Expected a range such as 3s..14s, or a list such as 5s,10s,15s/],
    ['explore --runner etcd-session', /'etcd-session' is invalid\. expected cloud-controller, .*, a file such as rule\.json, or a job or library with its version/],
    ['explore --runner safe safe', /--runner: a runner is given twice/],
    ['explore --clients 9', /--clients: expected 1 to 4/],
    ['explore --storage lease', /expected modified-index, none, owner, renewed-token, token, perhaps with a comma and the longest write/],
    ['explore --fault pause', /pause needs a length, such as pause=20s; see locket-wasm explore --help/],
    ['explore --fault pasue=5s', /There is no fault pasue; did you mean pause\?; see/],
    ['explore --fault crash=5s', /crash has no length; write a count as crash,2; see/],
    ['explore --fault crash,1 --fault crash,2', /crash is given twice; see/],
    ['explore --fault lost-message,many', /Expected a whole number, or any; see/],
    ['explore --fault lost-message,16', /^locket-wasm: --fault lost-message: expected at most 15, not 16; see/],
    ['serve --host 0.0.0.0', /--host: other machines could reach 0\.0\.0\.0.*--allow-remote/],
    ['serve --port 70000', /--port: expected from 0 to 65535/],
    [['serve', '--ca-file', FIRST_LOOK], /both --cert-file and --key-file/],
    ['serve --allow-origin https://example.org/', /--allow-origin: expected a list of origins such as https:\/\/app\.example\.org.*"https:\/\/example\.org\/"/],
    ['serve --allow-origin example.org', /--allow-origin/],
    ['serve --allow-host locket:8891', /--allow-host: expected a list of names without a port/],
    ['locks', /no endpoint; pass --url or set LOCKET_API_LOCATION/],
    ['locks --url http://', /--url: expected an https: or http: address/],
    ['locks --url h --header x', /authorization: Bearer/],
    [['locks', '--url', 'h', '--cert-file', FIRST_LOOK], /both --cert-file and --key-file/],
    [['claim-lock', '-k', '', '-o', 'o', '-t', '1'], /-k, --key <key>' argument '' is invalid. The value is empty/],
    ['release-lock -k a --key b -o o', /The option is given twice/],
    ['claim-lock -k k -o o --ttl 15s -t 15', /The option is given twice/],
    ['claim-lock -k k -o o', /no TTL; pass --ttl, such as --ttl 15s; see locket-wasm claim-lock --help/],

    // Lengths of time.
    ['locks --url h --timeout soon', /--timeout <duration>' argument 'soon' is .*; see locket-wasm locks --help/],
    ['explore --latency 2h', /^locket-wasm: --latency: expected at most 1h, not 2h/],
    ...['0s', '1500ms'].map((ttl) => [`explore --ttl ${ttl}`, /^locket-wasm: --ttl: expected whole seconds, at least 1; see/]),
    ['claim-lock -k k -o o -t 1.5', /1\.5 has no unit; write 1\.5s or 1500ms/],
    ...['ttl', 'retry-interval', 'latency', 'database-latency', 'grid', 'margin', 'allow', 'fault pause='].map((option) => [`explore --${option} 5`.replace('= ', '='), /5 has no unit; write 5s or 5000ms; see locket-wasm explore --help/]),
    ...['advise --ttl', 'explore --map pause --ttl', 'explore --map pause --ttl 3s..', 'run first-look --margin --step', 'run first-look --margin --max-pause', 'serve --latency', 'locks --url h --timeout'].map((option) => [
      `${option} 5`.replace('.. ', '..'), /5 has no unit; write 5s or 5000ms/,
    ]),

    // What standard input has.
    ...['"name": "x",\n  }', 'name: x\n', '<!doctype html>\n<p>', '', ' \n\t\n'].map((text) => ['run -', /-:1:1: expected a scenario in JSON, which begins with {/, text]),
    ['run - --margin', /^locket-wasm: -:1:11: name: /, '{ "name": 1 }'],
    ['run - --minimize', /^locket-wasm: -:1:2: /, '{}'],

    // Names in a scenario that are nearly right.
    ['run -', /; did you mean key\?$/m, scenario({ clients: [{ name: 'a', kee: 'k' }] })],
    ['run -', /; did you mean lock\?$/m, scenario({ actions: [{ at: '1s', do: 'lok', node: 'bbs' }] })],
    ['run -', /; did you mean bbs\?$/m, scenario({ actions: [{ at: '1s', do: 'lock', node: 'bsb' }] })],
    ['run -', /; did you mean upstream\?$/m, scenario({ clients: [{ name: 'a', key: 'k', runner: 'upstrem' }] })],
    ['run -', /^(?!.*did you mean)/, scenario({ profile: 'zookeeper' })],

    // Rules in files.
    [['explore', '--runner', file('typo-rule.json', '{\n  "retry": { "evry": "2s" }\n}')], /typo-rule\.json:2:\d+: retry\.evry: unknown field `evry`.*; did you mean every\?$/m],
    [['advise', '--runner', file('no-rule.json', 'null')], /no-rule\.json:1:1: expected a rule in JSON, which begins with \{$/m],
    [['explore', '--runner', file('two-rule.json', '{}, "ttl": "15s"')], /two-rule\.json: /],
  ],
};

for (const [status, rows] of Object.entries(MISTAKES)) {
  describe(`exit code ${status} and one message:`, () => {
    for (const [line, says, input] of rows) {
      test(`locket-wasm ${words(line).join(' ')}${input === undefined ? '' : ` < ${input.slice(0, 60)}`}`, () => {
        const { stdout, stderr, ...ended } = cli(words(line), input);
        assert.deepEqual([ended.status, stdout], [Number(status), ''], stderr);
        assert.match(stderr, says);
        assert.match(stderr, /^locket-wasm: /);
        assert.doesNotMatch(stderr, /^ +at /m, 'a stack is not for users');
      });
    }
  });
}

test('a stack is printed when it is asked for, by flag or variable', () => {
  for (const { stderr } of [cli(['run', 'nothing.json', '--debug']), cli(['run', 'nothing.json'], '', { LOCKET_DEBUG: '1' })]) {
    assert.match(stderr, /^locket-wasm: cannot read [^]*\n +at [^]*ENOENT/);
  }
});

describe('a validation error', () => {
  /** The lines of the error in a scenario that is not valid, without the file. */
  function refusal(text, ...before) {
    const path = file('refused.json', text);
    const { status, stderr } = cli(['run', ...before, path]);
    assert.equal(status, 2);
    const [message, ...excerpt] = stderr.trimEnd().split('\n');
    assert.ok(message.startsWith(`locket-wasm: ${path}:`), stderr);
    return [message.slice(`locket-wasm: ${path}:`.length), ...excerpt];
  }

  test('is shown with its line and a mark under it, and its column counts characters', () => {
    const [message, line, mark] = refusal('{ "name": "ä€🔑", "clients": [],\n "until": "🔑" }');
    assert.match(message, /^2:14: until: .*duration/);
    assert.deepEqual([line, mark.indexOf('^')], ['   "until": "🔑" }', 15]);
  });

  test('in a long line is shown with the part around it', () => {
    const [, line, mark] = refusal(`{ "name": "${'x'.repeat(5000)}", "until": 1, "clients": [] }`);
    assert.match(line, /^ {2}x{40,}", "until": 1, "clients": \[\] \}$/);
    assert.equal(line[mark.length - 1], '1');
  });

  test('in a run of several scenarios names its file', () => {
    assert.match(refusal('{ "name": "x",\n"clients": 3 }', 'first-look')[0], /^2:12: clients: /);
  });
});
