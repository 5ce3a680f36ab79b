// Writes the pages of docs/reference/ that follow from the package: command line, differences, scenarios. A test fails if
// one of them is out of date.
//
//   node docs/generate.mjs   (through `make docs`)

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { profilePresets } from 'locket-wasm';

const ROOT = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');

/** The generated pages by name. */
export function pages() {
  return { 'command-line.md': commandLine(), 'differences.md': differences(), 'scenarios.md': scenarios() };
}

const from = (source) => `<!-- Made of ${source} by \`make docs\`; do not edit. -->\n`;

// -- scenarios.md: the JSON Schema, a table for each kind of object

function scenarios() {
  const schema = JSON.parse(read('sim/scenario.schema.json'));
  const { action, duration, latency, share, ...others } = schema.$defs;
  const sections = Object.entries(others).filter(([, { properties }]) => properties !== undefined);
  return `${from('sim/scenario.schema.json')}
# Scenario reference

\`\`\`json
${JSON.stringify(EXAMPLE, undefined, 2)}
\`\`\`

${schema.description} \`locket-wasm run\` and \`runScenario\` run it. The format is JSON, and
\`locket-wasm/scenario.schema.json\` is its schema for editors. A member that is not listed here is refused, with its line
and column. A duration has its unit: \`15s\`, \`250ms\`, \`1.5m\`, \`2h\`.

The [shipped scenarios](../../sim/scenarios/README.md) are examples of every member.

## The scenario

${membersTable(schema)}
${sections.map(([name, part]) => `## ${title(name)}\n\n${part.description}\n\n${membersTable(part)}`).join('\n')}
## Action

${action.description}

${membersTable(action)}
### The actions

| \`do\` | takes | meaning |
|---|---|---|
${action.properties.do.oneOf.map((kind) => `| \`${kind.const}\` | ${takenBy(action, kind.const)} | ${kind.description} |`).join('\n')}

## Values

| kind | meaning |
|---|---|
| duration | ${duration.description} |
| share | ${share.description} |
| latency | ${latency.description} Members of a range: ${names(Object.keys(latency.oneOf[1].properties))}. |

Next: [simulate an incident](../do/simulate.md), or [the command line](command-line.md).
`;
}

const EXAMPLE = {
  name: 'a renewal is late',
  until: '30s',
  clients: [
    { name: 'bbs-0', key: 'bbs', ttl: '15s', retryInterval: '5s' },
    { name: 'bbs-1', key: 'bbs', ttl: '15s', retryInterval: '5s', startAt: '1s' },
  ],
  actions: [{ at: '7s', do: 'pause', node: 'bbs-0', for: '20s' }],
  expect: [{ at: '29s', key: 'bbs', owner: 'bbs-1' }],
};

const title = (name) => name[0].toUpperCase() + name.slice(1);
const names = (list) => list.map((name) => `\`${name}\``).join(', ');

function membersTable({ properties, required = [] }) {
  const rows = Object.entries(properties).map(([name, member]) => {
    const text = member.description ?? (member.$ref === '#/$defs/latency' ? 'How long a message takes.' : '');
    return `| \`${name}\`${required.includes(name) ? ' (required)' : ''} | ${kindOf(member)} | ${text}${inner(member)} |`;
  });
  return `| member | kind | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function kindOf({ $ref, enum: values, oneOf, type, items, minimum, maximum }) {
  if ($ref !== undefined) return reference($ref);
  if (values !== undefined) return values.map((value) => `\`"${value}"\``).join(', ');
  if (oneOf?.every((choice) => choice.const !== undefined)) return 'see below';
  if (oneOf !== undefined) return oneOf.map(kindOf).join(' or ');
  if (type === 'array') return `list of ${items.$ref === undefined ? `${items.type}s` : `${items.$ref.split('/').pop()}s`}`;
  if (type === 'integer') return maximum >= 2 ** 32 - 1 ? `whole number from ${minimum}` : `whole number from ${minimum} to ${maximum}`;
  return [type].flat().join(' or ');
}

/** Kinds of values, which share a table. */
const VALUES = ['duration', 'latency', 'share'];

function reference($ref) {
  const name = $ref.split('/').pop();
  if (name === 'preset') return '`"documented"`, `"upstream"`';
  return VALUES.includes(name) ? name : `[${name}](#${name})`;
}

function inner({ properties }) {
  if (properties === undefined) return '';
  return ` ${Object.entries(properties).map(([name, { description }]) => `\`${name}\`: ${description}`).join(' ')}`;
}

/** The members that an action of a kind takes besides those of all actions, required ones first. */
function takenBy(action, kind) {
  const common = action.allOf.map((choice) => choice.then.propertyNames.enum).reduce((all, some) => all.filter((name) => some.includes(name)));
  const rule = action.allOf.find((choice) => choice.if.properties.do.const === kind).then;
  const required = rule.required ?? [];
  const optional = rule.propertyNames.enum.filter((name) => !common.includes(name) && !required.includes(name));
  return [...required.map((name) => `\`${name}\``), ...optional.map((name) => `\`${name}\` (optional)`)].join(', ') || 'nothing';
}

// -- differences.md: the two profiles side by side

function differences() {
  const { documented, upstream } = profilePresets();
  const switches = JSON.parse(read('sim/scenario.schema.json')).$defs.profile.properties;
  const meanings = meaningsOfValues();
  const value = (name, of) => `\`${of}\`${meanings(name, of)}`;
  const rows = Object.keys(documented).map((name) => {
    const same = documented[name] === upstream[name];
    return `| \`${name}\` | ${switches[name].description} | ${value(name, documented[name])} | ${same ? 'the same' : value(name, upstream[name])} |`;
  });
  const others = Object.keys(documented).flatMap((name) =>
    (switches[name].enum ?? [])
      .filter((choice) => choice !== documented[name] && choice !== upstream[name])
      .map((choice) => `* \`${name}: '${choice}'\`${meanings(name, choice)}`),
  );
  return `${from('the profiles in sim/src/protocol/profile.rs and flavor.rs')}
# How it differs from the real Locket

${DIFFERENCES_EXAMPLE}
There are two Lockets: that of the published documents, and that which ships. They differ, and programs were written for
both. The profile \`documented\` (the default) answers as the first, \`upstream\` as the second. The answers of
\`upstream\` were compared with those of the real server, case by case (\`make test-vectors\`).

[Which profile should I test with?](profiles.md) An object mixes them:
\`{ extends: 'upstream', releaseMissing: 'not-found' }\`.

| switch | meaning | documented | upstream |
|---|---|---|---|
${rows.join('\n')}

Values that neither preset has:

${others.join('\n')}

## Differences from both

* **A request without a resource** kills the real process. With \`nilResource: 'crash'\` the reply here is Internal, and
  the process goes on.
* **A request without a message** gets no reply from the real server. Here the reply is Internal.
* **Time is virtual.** A reply takes no time unless you set a latency. A transaction takes no time either, so two Locks
  never meet in the database.
* **Two owners that insert one free key** at the same time: the real Locket on PostgreSQL refuses many of them with
  Unknown \`sql-resource-exists\`, and on MySQL retries after 500 ms. \`LocketServer.loseInsertRace\` does this to a
  client. In scenarios it does not happen.
* **A database that stops or stalls** does so for all processes, and serves their calls in the order of arrival.
* **MySQL** is the MariaDB 10.11 that we observed, with its default collation (\`make test-vectors\` replays it). It
  ignores case, accents of Latin letters up to U+017F, and trailing spaces. All characters beyond the basic plane are
  one.
* **Not observed on MySQL:** most error codes, text that is not UTF-8, and accents of other letters. MySQL 8 knows more
  accents, and compares trailing spaces.
* **A server keeps nothing.** Its locks end with its process.
* **No metrics, no TLS.** \`stats()\` has the counters. \`locket-wasm serve\` has TLS.

Next: [the facts behind the rules](../understand/behaviour.md), or [which profile to test with](profiles.md).
`;
}

const DIFFERENCES_EXAMPLE = `\`\`\`js
import { LocketServer } from 'locket-wasm';

for (const profile of ['documented', 'upstream']) {
  const server = new LocketServer({ profile });
  const answer = await server.client().release({ key: 'free', owner: 'me' }).then(() => 'ok', (error) => error.reason);
  console.log(profile, answer);
}
// documented resource-not-found
// upstream ok
\`\`\`
`;

/** The meaning of a switch's value, from the doc comments of the enums in profile.rs. */
function meaningsOfValues() {
  const source = read('sim/src/protocol/profile.rs');
  const types = new Map([...source.matchAll(/^ {4}(\w+): (\w+) = /gm)].map(([, field, type]) => [camel(field), type]));
  const flavors = read('sim/src/protocol/flavor.rs').matchAll(/^pub enum (\w+) \{\n([^]*?)^\}/gm);
  const enums = new Map([...source.matchAll(/^ {4}(\w+) \{\n([^]*?)^ {4}\}/gm), ...flavors].map(([, type, body]) => [type, body]));
  return (name, value) => {
    const body = enums.get(types.get(name));
    if (body === undefined) return '';
    const found = [...body.matchAll(/\/\/\/ ([^\n]*)\n\s+(\w+),/g)].find(([, , variant]) => kebab(variant) === value);
    if (found === undefined) throw new Error(`profile.rs does not say what ${name} ${value} means`);
    // Names of observations in brackets, such as (B14), are for developers.
    return `: ${found[1].replace(/ \([A-Z]\d+[^)]*\)/g, '').replace(/\.$/, '')}`;
  };
}

const camel = (field) => field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const kebab = (variant) => variant.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

// -- command-line.md: the help of each command

function commandLine() {
  const help = (...args) => {
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(new URL('pkg/dist/cli.js', ROOT)), ...args, '--help'], { encoding: 'utf8' });
    return `\`\`\`text\n${stdout.trimEnd()}\n\`\`\`\n`;
  };
  const commands = help().match(/^ {2}[a-z-]+(?= \[|$)/gm).map((name) => name.trim()).filter((name) => name !== 'help');
  return `${from('the output of `--help`')}
# Command line

${help()}
\`npx locket-wasm\` runs it where the package is installed.

${commands.map((name) => `## ${name}\n\n${help(name)}`).join('\n')}
Next: [use it in CI](../do/ci.md), or [the scenario reference](scenarios.md).
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(pages())) writeFileSync(new URL(`docs/reference/${name}`, ROOT), text);
}
