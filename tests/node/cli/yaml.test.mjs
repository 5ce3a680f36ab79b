// Scenarios in YAML: they run as in JSON, an error has its place, and no text makes the command line hang or crash.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { runScenario } from 'locket-wasm';
import { explore } from 'locket-wasm/check';
import { parse, stringify } from 'yaml';

import { cli } from '../support/command-line.mjs';
import { logsOf } from '../support/diagnose-logs.mjs';

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000));
const STORIES = fileURLToPath(new URL('../../../sim/scenarios/', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'locket-yaml-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const digestOf = ({ stdout }) => JSON.parse(stdout).digest;

/** The place and the message of the error in a scenario that is not valid. */
function refusal(text, name = 'refused.yaml') {
  const path = file(name, text);
  const { status, stdout, stderr } = cli(['run', path]);
  assert.deepEqual([status, stdout], [2, ''], stderr);
  const [message, ...excerpt] = stderr.trimEnd().split('\n');
  const [, place, words] = /^locket-wasm: .*?:(\d+:\d+): (.*)$/.exec(message) ?? assert.fail(stderr);
  assert.ok(message.startsWith(`locket-wasm: ${path}:${place}: `), stderr);
  return { place, words, excerpt };
}

const YAML = `# yaml-language-server: $schema=./scenario.schema.json
name: two leaders
until: 60s
clients:
  - &bbs { name: bbs-0, key: bbs, ttl: 15s, retryInterval: 5s }
  - <<: *bbs
    name: bbs-1
    startAt: 2s
actions:
  - { at: 7s, do: pause, node: bbs-0, for: 20s }
expect:
  - at: 30s
    key: bbs
    owner: bbs-1
`;
const client = { name: 'bbs-0', key: 'bbs', ttl: '15s', retryInterval: '5s' };
const SCENARIO = {
  name: 'two leaders',
  until: '60s',
  clients: [client, { ...client, name: 'bbs-1', startAt: '2s' }],
  actions: [{ at: '7s', do: 'pause', node: 'bbs-0', for: '20s' }],
  expect: [{ at: '30s', key: 'bbs', owner: 'bbs-1' }],
};

describe('a scenario in YAML', () => {
  test('has the same digest as in JSON', () => {
    assert.equal(digestOf(cli(['run', '--json', file('same.yaml', YAML)])), runScenario(SCENARIO).digest);
  });

  test('is read from standard input and from files with any name', () => {
    const { digest } = runScenario(SCENARIO);
    assert.equal(digestOf(cli(['run', '--json', '-'], YAML)), digest);
    assert.equal(digestOf(cli(['run', '--json', file('scenario', YAML)])), digest);
    assert.equal(digestOf(cli(['run', '--json', file('SCENARIO.YML', YAML)])), digest);
  });

  test('may be JSON', () => {
    assert.equal(digestOf(cli(['run', '--json', file('json.yaml', JSON.stringify(SCENARIO, undefined, '\t'))])), runScenario(SCENARIO).digest);
  });

  test('is taken by every command that takes a scenario', () => {
    const story = file('story.yaml', YAML);
    const random = file('random.yaml', `${YAML}random: true\n`);
    const still = file('still.yaml', YAML.replace(/ {4}startAt[^]*/, ''));
    for (const [args, status] of [
      [['run', story, random, '--seed', '3'], 0],
      [['run', random, '--seeds', '4', '--jobs', '2'], 0],
      [['run', story, '--margin', '--step', '10s', '--max-pause', '20s'], 0],
      [['run', story, '--export', 'mermaid'], 0],
      [['explore', still, '--latency', '1s'], 0],
    ]) {
      const result = cli(args);
      assert.equal(result.status, status, `${args.join(' ')}: ${result.stderr}`);
    }
  });

  test('keeps the largest seed', () => {
    const { status, stderr } = cli(['run', '-'], 'name: x\nclients: []\nseed: 18446744073709551615\n');
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(refusal('name: x\nclients: []\nseed: 18446744073709551616\n').words, /^seed: /);
  });

  for (const [yes, json] of Object.entries({ '0x1F': 31, '0o17': 15, '+7': 7, '007': 7, '1e400': undefined, '1.0': undefined, '2.5': undefined, 'yes': undefined, '1_000': undefined })) {
    test(`has ${yes} as ${json === undefined ? 'no whole number' : json}`, () => {
      const text = `name: x\nrandom: true\nclients: [{ name: a, key: k, retryInterval: 5s }]\nnetwork: { latency: { min: 1ms, max: 900ms } }\nuntil: 60s\nseed: ${yes}\n`;
      if (json === undefined) return assert.match(refusal(text).words, /^seed: /);
      assert.equal(digestOf(cli(['run', '--json', '-'], text)), runScenario({ ...parse(text), seed: json }).digest);
    });
  }

  test('has a date as a text', () => {
    assert.equal(JSON.parse(cli(['run', '--json', '-'], 'name: 2026-01-02\nclients: []\n').stdout).name, '2026-01-02');
  });

  test('a map merges several maps, of which the first counts, and its own members before all', () => {
    const merged = `name: merged
until: 20s
clients:
  - &a { name: a, key: one, ttl: 10s, retryInterval: 2s }
  - &b { name: b, key: two, ttl: 9s, retryInterval: 3s, value: v }
  - { <<: [*b, *a], name: c, ttl: 15s }
`;
    const clients = [
      { name: 'a', key: 'one', ttl: '10s', retryInterval: '2s' },
      { name: 'b', key: 'two', ttl: '9s', retryInterval: '3s', value: 'v' },
      { name: 'c', key: 'two', ttl: '15s', retryInterval: '3s', value: 'v' },
    ];
    assert.equal(digestOf(cli(['run', '--json', '-'], merged)), runScenario({ name: 'merged', until: '20s', clients }).digest);
  });
});

describe('every shipped scenario', () => {
  const names = readdirSync(STORIES).filter((name) => name.endsWith('.json') && name !== 'digests.json');

  test(`runs the same after any way to write it as YAML (SEED=${SEED})`, () => {
    assert.ok(names.length > 50);
    const random = randomOf(SEED);
    const files = names.map((name) => file(name.replace(/json$/, 'yaml'), anyYaml(JSON.parse(readFileSync(join(STORIES, name), 'utf8')), random)));
    const { status, stdout, stderr } = cli(['run', '--json', ...files]);
    assert.equal(status, 0, stderr);
    const digests = stdout.trimEnd().split('\n').map((line) => JSON.parse(line).digest);
    const expected = names.map((name) => runScenario(readFileSync(join(STORIES, name), 'utf8')).digest);
    assert.deepEqual(digests, expected);
  });
});

/** Numbers from 0 up to a limit, from a seed. */
function randomOf(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** A scenario as YAML with random quotes, indentation, folding, brackets and comments; equal parts may be aliases. */
function anyYaml(scenario, random) {
  const parts = new Map();
  const shared = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value) ? value.map(shared) : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shared(member)]));
    const text = JSON.stringify(copy);
    if (!parts.has(text) || random(2) === 0) parts.set(text, copy);
    return parts.get(text);
  };
  const one = (...choices) => choices[random(choices.length)];
  const text = stringify(shared(scenario), {
    collectionStyle: one('any', 'flow'),
    defaultKeyType: one('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    defaultStringType: one('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL'),
    directives: one(true, null),
    indent: one(1, 2, 4),
    indentSeq: one(true, false),
    lineWidth: one(0, 40, 80),
  });
  return `# ${scenario.name}\n${one(text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`)}`;
}

describe('a validation error in YAML', () => {
  const cases = {
    'in a block list': { text: 'name: x\nclients:\n  - name: a\n    key: k\n    ttl: 15\n', place: '5:10', says: /^clients\[0\]\.ttl: 15 has no unit/ },
    'in nested brackets': { text: 'name: x\nclients: [{ name: a, key: k }, { name: b,\n  keys: [k, { l: m }] }]\n', place: '3:13', says: /^clients\[1\]\.keys\[1\]: invalid type: map/ },
    'of a name': { text: 'name: x\nclients:\n  - { name: a, kex: k }\n', place: '3:16', says: /^clients\[0\]\.kex: unknown field/ },
    'behind characters of several bytes': { text: 'name: ä€🔑\nclients: [{ name: "🔑🔑", kex: k }]\n', place: '2:27', says: /unknown field/ },
    'of a member that is missing': { text: 'name: x\nclients:\n  - name: a\n  - key: k\n    ttl: 15s\n', place: '4:5', says: /^clients\[1\]: missing field `name`/ },
    'of a value that is missing': { text: 'name: x\nclients: []\nuntil:\n', place: '3:7', says: /^until: .*null/ },
    'of a list instead of a text': { text: 'name: [x]\nclients: []\n', place: '1:7', says: /^name: invalid type: sequence/ },
    'of a node that does not exist': { text: 'name: x\nclients: []\nactions:\n- at: 1s\n  do: crash\n  node: "b"\n', place: '6:9', says: /^actions\[0\]\.node: no node/ },
    'of a text on several lines': { text: 'name: x\nclients: []\nuntil: |\n  10\n  20\n', place: '3:8', says: /^until: / },
    'in an anchor': { text: 'name: x\nclients:\n  - &a { name: a, key: k, ttl: 0 }\n  - *a\n', place: '3:32', says: /^clients\[0\]\.ttl/ },
    'only in what an alias repeats': { text: 'name: x\nclients:\n  - &a { name: a, key: k }\n  - *a\n', place: '4:5', says: /^clients\[1\]\.name: another node/ },
    'only in what is merged': { text: 'name: x\nclients:\n  - &a { name: a, key: k }\n  - { kind: joint, keys: [l],\n      <<: *a, name: b }\n', place: '5:11', says: /^clients\[1\]\.key: a client of kind joint/ },
    'behind a byte order mark and Windows line ends': { text: '\ufeffname: x\r\nclients:\r\n  - nam: a\r\n', place: '3:5', says: /unknown field/ },
  };
  for (const [what, { text, place, says }] of Object.entries(cases)) {
    test(`${what} has its line and column`, () => {
      const refused = refusal(text);
      assert.equal(refused.place, place, refused.words);
      assert.match(refused.words, says);
    });
  }

  test('is shown with its line and a mark under it', () => {
    const { excerpt } = refusal('name: x\nclients:\n  - { name: ä, kex: k }\n');
    assert.deepEqual(excerpt, ['    - { name: ä, kex: k }', '                 ^']);
  });

  test('in a run of several scenarios names its file', () => {
    const [fine, wrong] = [file('fine.yaml', YAML), file('wrong.yaml', 'name: x\nclients: 3\n')];
    assert.ok(cli(['run', fine, wrong]).stderr.includes(`locket-wasm: ${wrong}:2:10: clients: `));
  });
});

describe('a validation error in JSON', () => {
  test('has its column in characters', () => {
    assert.equal(refusal('{ "name": "ä€🔑", "clients": [],\n "until": "🔑" }', 'columns.json').place, '2:14');
  });

  test('in a long line is shown with the part around it', () => {
    const { excerpt } = refusal(`{ "name": "${'x'.repeat(5000)}", "until": 1, "clients": [] }`, 'long.json');
    assert.match(excerpt[0], /^ {2}x{40,}", "until": 1, "clients": \[\] \}$/);
    assert.equal(excerpt[0][excerpt[1].length - 1], '1');
  });
});

describe('YAML that a scenario cannot be', () => {
  const cases = {
    'a name twice': ['name: x\nclients: []\nname: y\n', '3:1', /^"name" is there twice; leave one out/],
    'a name twice in brackets': ['name: x\nclients: [{ name: a, "name": b }]\n', '2:22', /is there twice/],
    'several documents': ['name: x\nclients: []\n---\nname: y\n', '3:1', /^a second document begins here; write one/],
    'a tag of a value': ['name: !!str 5\nclients: []\n', '1:13', /^tags are not read; leave out the tag/],
    'a tag of a list': ['name: x\nclients: !mine []\n', '2:16', /^tags are not read/],
    'a tag of a date': ['name: !!timestamp 2026-01-02\nclients: []\n', '1:19', /^tags are not read/],
    'a number as a name': ['1: x\nclients: []\n', '1:1', /^expected a text as a name; put 1 in quotes/],
    'nothing as a name': [': x\nclients: []\n', '1:1', /^expected a text as a name, not nothing/],
    'a list as a name': ['? [a]\n: x\n', '1:3', /^expected a text as a name, not a list/],
    'not a number': ['name: x\nclients: []\nseed: .NaN\n', '3:7', /^\.NaN is not a finite number/],
    'an endless number': ['name: x\nclients: []\nseed: -.inf\n', '3:7', /^-\.inf is not a finite number/],
    'a date as a duration': ['name: x\nclients: []\nuntil: 2026-01-02\n', '3:8', /^until: "2026-01-02" is not a duration; write/],
    'an alias without an anchor': ['name: x\nclients: *all\n', '2:10', /^\*all has no anchor before it; mark .* with &all/],
    'an alias in its own anchor': ['name: x\nclients: &all [*all]\n', '2:16', /^\*all repeats the value that it is a part of/],
    'a merge with itself': ['name: x\nclients: [&a { <<: *a }]\n', '2:20', /^\*a repeats the value that it is a part of/],
    'a merge with no map': ['name: x\nclients: [<<: 5]\n', '2:15', /^<< merges maps; give it an alias/],
    'the older YAML': ['%YAML 1.1\n---\nname: x\nclients: []\n', '1:1', /^expected YAML 1\.2/],
    'a control character': ['name: "a\u001b[2J"\nclients: []\n', '1:9', /^a control character, \\x1b; write this escape/],
    'a tab': ['name: x\nclients:\n\t- name: a\n', '3:1', /^a tab cannot indent a line; use spaces/],
    'a second colon': ['name: a: b\nclients: []\n', '1:7', /^a second ": " in one line; put a text that contains it in quotes/],
    'a character that begins no text': ['name: @a\nclients: []\n', '1:7', /^a text cannot begin with this character; put the text in quotes/],
    'an open bracket': ['name: x\nclients: [\n', '3:1', /end with a \]/],
    'a list': ['- name: x\n', '1:1', /^expected a scenario, which is a map with name and clients; found a list/],
    'a word': ['hello\n', '1:1', /^expected a scenario, .* found a single value/],
    'only comments': ['# nothing\n', '1:1', /^expected a scenario, .* found nothing/],
  };
  for (const [what, [text, place, says]] of Object.entries(cases)) {
    test(`${what} is an error with its place`, () => {
      const refused = refusal(text);
      assert.match(refused.words, says);
      assert.equal(refused.place, place, refused.words);
    });
  }
});

describe('a text that is neither JSON nor YAML', () => {
  for (const [what, text] of Object.entries({ 'a broken list': '"name": "x",\n  }', 'a page': '<!doctype html>\n<p>', nothing: '', spaces: ' \n\t\n' })) {
    test(`such as ${what} gets one error, which names both`, () => {
      assert.match(refusal(text, 'neither.json').words, /; this was read as YAML, since JSON begins with \{$/);
    });
  }

  test('but begins with a bracket is wrong JSON', () => {
    assert.deepEqual(refusal('{ name: x }', 'flow').words, 'key must be a string');
  });
});

describe('hostile YAML ends with one error', () => {
  const aliases = (first, of) => Array.from({ length: 30 }, (_, index) => `a${index}: &a${index} ${index === 0 ? first : of(`*a${index - 1}`)}\n`).join('');
  const cases = {
    'aliases of aliases': [aliases('[x]', (alias) => `[${`${alias}, `.repeat(9)}]`), /aliases repeat more than 1 MiB; write the values without aliases/],
    'merges of merges': [aliases('{}', (alias) => `{ <<: [${`${alias}, `.repeat(9)}] }`), /aliases repeat more than 1 MiB/],
    'a merge of very many maps': [`name: x\nclients: [&a {name: a, key: k}, {<<: [${'*a,'.repeat(300_000)}]}]\n`, /clients\[1\]\.name: another node is already named "a"/],
    'a long text, often repeated': [`name: &a ${'x'.repeat(100_000)}\nclients: [${'*a, '.repeat(1000)}]\n`, /aliases repeat more than 1 MiB/],
    '1 MB of brackets': ['['.repeat(1_000_000), /:1:201: the nesting is deeper than 200 levels/],
    'brackets that are closed': [`name: ${'['.repeat(500_000)}${']'.repeat(500_000)}`, /:1:206: the nesting is deeper than 200 levels/],
    'nested maps': [`name: ${'{a: '.repeat(20_000)}`, /:1:\d{3}: the nesting is deeper than 200 levels/],
    'nested lists': ['- '.repeat(20_000), /:1:\d{3}: the nesting is deeper than 200 levels/],
    'nested keys': ['? '.repeat(20_000), /:1:\d{3}: the nesting is deeper than 200 levels/],
    'nested lines': [Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:\n`).join(''), /:\d{3}:\d{3}: the nesting is deeper than 200 levels/],
    'nesting that the reader allows': [`name: ${'['.repeat(100)}${']'.repeat(100)}\n`, /the nesting is deeper than 64 levels/],
    'a nul': ['name: \0\nclients: []\n', /a control character, \\x00/],
    'too large a file': [`name: ${'x'.repeat(1024 * 1024)}\n`, /expected a scenario in YAML of at most 1 MiB/],
  };
  for (const [what, [text, says]] of Object.entries(cases)) {
    test(what, () => {
      const { status, stdout, stderr } = cli(['run', file('hostile.yaml', text)]);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, says);
      assert.ok(stderr.length < 2000, 'the error is short');
      assert.doesNotMatch(stderr, /^ +at /m);
    });
  }
});

describe('a scenario that a command writes', () => {
  const question = { runner: 'upstream', profile: 'upstream', latency: '6s' };
  const asked = ['explore', '--runner', 'upstream', '--profile', 'upstream', '--latency', '6s'];
  const random = file('lossy.json', JSON.stringify({ ...SCENARIO, random: true, network: { loss: '60%' }, seed: '?' }).replace('"?"', '18446744073709551614'));

  test('by explore is YAML if the name says so', async () => {
    const output = join(folder, 'broken.yaml');
    assert.equal(cli([...asked, '--output', output]).status, 1);
    const { scenario } = await explore(question);
    assert.match(readFileSync(output, 'utf8'), /^name: .*\n[^]*^clients:\n {2}- name: a\n/m);
    assert.equal(digestOf(cli(['run', '--json', output])), runScenario(scenario).digest);
  });

  test('by explore is JSON under any other name', async () => {
    const output = join(folder, 'broken.json');
    cli([...asked, '--output', output]);
    assert.equal(readFileSync(output, 'utf8'), `${(await explore(question)).scenario}\n`);
  });

  test('by minimize is the same in both, also with a large seed', () => {
    const [json, yaml] = ['smallest.json', 'smallest.yml'].map((name) => join(folder, name));
    for (const output of [json, yaml]) assert.equal(cli(['run', random, '--minimize', '-o', output]).status, 0);
    assert.equal(cli(['run', '--json', yaml]).stdout, cli(['run', '--json', json]).stdout);
    assert.deepEqual(parse(readFileSync(yaml, 'utf8'), { intAsBigInt: true }), parse(readFileSync(json, 'utf8'), { intAsBigInt: true }));
  });

  test('by diagnose keeps every character of the logs', () => {
    const evil = 'bbs \u001b[2J\u009b\u202e\u2028\u0085 off';
    const log = file('incident.log', logsOf('k-operator-delete').map(({ data }) => data.replaceAll('"bbs"', JSON.stringify(evil))).join(''));
    const [json, yaml] = ['incident.json', 'incident.yaml'].map((name) => join(folder, name));
    for (const output of [json, yaml]) assert.match(cli(['diagnose', log, '--scenario', output]).stderr, /it reproduces the incident/);
    assert.equal(cli(['run', '--json', yaml]).stdout, cli(['run', '--json', json]).stdout);
    assert.deepEqual(parse(readFileSync(yaml, 'utf8')), JSON.parse(readFileSync(json, 'utf8')));
  });
});
