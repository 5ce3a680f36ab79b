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
  const { action, duration, latency, ...others } = schema.$defs;
  const sections = Object.entries(others).filter(([, { properties }]) => properties !== undefined);
  return `${from('sim/scenario.schema.json')}
# Scenario reference

${schema.description}
It is JSON; \`locket-wasm/scenario.schema.json\` is its schema, with which editors complete and check it. Members that are not listed
here are refused, with line and column. A length of time has its unit: \`15s\`, \`250ms\`, \`1.5m\`, \`2h\`.

A small one, which \`locket-wasm run\` tells and \`runScenario\` runs:

\`\`\`json
${JSON.stringify(EXAMPLE, undefined, 2)}
\`\`\`

The [shipped scenarios](../../sim/scenarios/README.md) show everything at work.

## The scenario

${membersTable(schema)}
${sections.map(([name, part]) => `## ${title(name)}\n\n${part.description}\n\n${membersTable(part)}`).join('\n')}
## Action

${action.description}

${membersTable(action)}
### What can be done

| \`do\` | takes | what it is |
|---|---|---|
${action.properties.do.oneOf.map((deed) => `| \`${deed.const}\` | ${takenBy(action, deed.const)} | ${deed.description} |`).join('\n')}

## Values

| kind | what it is |
|---|---|
| duration | ${duration.description} |
| latency | ${latency.description} Members of a range: ${names(Object.keys(latency.oneOf[1].properties))}. |
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
  return `| member | kind | what it is |\n|---|---|---|\n${rows.join('\n')}\n`;
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

function reference($ref) {
  const name = $ref.split('/').pop();
  if (name === 'preset') return '`"documented"`, `"upstream"`';
  return name === 'duration' || name === 'latency' ? name : `[${name}](#${name})`;
}

function inner({ properties }) {
  if (properties === undefined) return '';
  return ` ${Object.entries(properties).map(([name, { description }]) => `\`${name}\`: ${description}`).join(' ')}`;
}

/** What an action of a kind may have beside the members of all; what it needs comes first. */
function takenBy(action, deed) {
  const common = action.allOf.map((choice) => choice.then.propertyNames.enum).reduce((all, some) => all.filter((name) => some.includes(name)));
  const rule = action.allOf.find((choice) => choice.if.properties.do.const === deed).then;
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

Two things are called Locket: the one of the published documents, and the one that ships. They differ, and programs were written
for both. [Which profile should I test with?](profiles.md) The profile \`documented\` (the default) is the first, \`upstream\` the second: its answers were compared with those of the real
server, case by case (\`make test-vectors\`). An object mixes them: \`{ extends: 'upstream', releaseMissing: 'not-found' }\`.

| switch | what it decides | documented | upstream |
|---|---|---|---|
${rows.join('\n')}

Values that neither preset has:

${others.join('\n')}

## Where it differs from both

* A request without a resource kills the real process; under \`nilResource: 'crash'\` it is answered with Internal, and the process goes on.
* A unary request that ends with its headers, without a message, is never answered by the real server; it is answered with Internal.
* Latency is virtual: an answer takes no time unless you say how long. So does a transaction, and two Locks are never in the database
  at once: of owners that insert a free key together, the real Locket on PostgreSQL refuses many with Unknown \`sql-resource-exists\`
  instead of \`lock-collision\`; on MySQL it tries again after 500 ms. \`LocketServer.loseInsertRace\` has it happen to a client; in
  scenarios it does not happen.
* A database that is down or stalls does so for all processes at once, and calls wait for it in the order of their arrival.
  \`stopDatabase\`, \`stallDatabase\`, \`loseReplies\` and \`dropTable\` of \`LocketServer\` cause such faults, and so does the control
  endpoint of \`serve\`.
* What MySQL does is what was seen of MariaDB 10.11 with its default collation (\`make test-vectors\` replays it): letters of
  either case, Latin letters up to U+017F with and without accents, and texts with and without spaces at the end are one, and so
  are all characters beyond the basic plane. Not seen, and taken from manuals: the codes of errors other than those of length
  and outage, what becomes of text that is not UTF-8, and the accents of other letters, which tell keys apart here. MySQL 8
  itself was not seen: its default collation knows more accents, and takes spaces at the end into account.
* It keeps nothing: with the process, its locks are gone.
* No metrics are emitted; \`stats()\` has the counters. No TLS but in \`locket-wasm serve\`.

The same questions put to both:

\`\`\`js
import { LocketServer } from 'locket-wasm';

for (const profile of ['documented', 'upstream']) {
  const server = new LocketServer({ profile });
  const answer = await server.client().release({ key: 'nobody has it', owner: 'me' }).then(() => 'ok', (error) => error.reason);
  console.log(profile, answer);
}
// documented resource-not-found
// upstream ok
\`\`\`
`;
}

/** What the documentation of the enums in profile.rs says of a switch's value. */
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
    // The numbers in brackets are names of observations, for those who work on it.
    return `: ${found[1].replace(/ \([A-Z]\d+[^)]*\)/g, '').replace(/\.$/, '')}`;
  };
}

const camel = (field) => field.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const kebab = (variant) => variant.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

// -- command-line.md: what --help prints

function commandLine() {
  const help = (...args) => {
    const { stdout } = spawnSync(process.execPath, [fileURLToPath(new URL('pkg/dist/cli.js', ROOT)), ...args, '--help'], { encoding: 'utf8' });
    return `\`\`\`text\n${stdout.trimEnd()}\n\`\`\`\n`;
  };
  const commands = help().match(/^ {2}[a-z-]+(?= \[|$)/gm).map((name) => name.trim()).filter((name) => name !== 'help');
  return `${from('what `--help` prints')}
# Command line

\`npx locket-wasm\` runs it where the package is installed.

${help()}
${commands.map((name) => `## ${name}\n\n${help(name)}`).join('\n')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(pages())) writeFileSync(new URL(`docs/reference/${name}`, ROOT), text);
}
