// Writes the files that are made of others: pages of the package itself, TypeScript types of JSON Schemas, and a JSON Schema of
// TypeScript types. A test fails if one of them is out of date.
//
//   node docs/generate.mjs   (through `make docs`)

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { profilePresets } from 'locket-wasm';

import { diagnosisSchema } from './diagnosis-schema.mjs';
import { scenarioPage } from './scenario-page.mjs';
import { SCENARIO_SCHEMA, types } from './types.mjs';

const ROOT = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, ROOT), 'utf8');

/** The generated files by name. */
export async function files() {
  const pages = { 'docs/command-line.md': commandLine(), 'docs/differences.md': differences(), 'docs/scenarios.md': scenarioPage() };
  return { ...pages, 'src/js/diagnose/diagnosis.schema.json': diagnosisSchema(), ...(await types()) };
}

const from = (source) => `<!-- Made of ${source} by \`make docs\`; do not edit. -->\n`;

// -- differences.md: the two profiles side by side

function differences() {
  const { documented, upstream } = profilePresets();
  const { extends: _, ...switches } = SCENARIO_SCHEMA.$defs.Profile.properties;
  const meaning = (name, of) => switches[name].oneOf?.find((choice) => choice.const === of).description.replace(/\.$/, '');
  const value = (name, of) => [`\`${of}\``, meaning(name, of)].filter(Boolean).join(': ');
  const rows = Object.keys(documented).map((name) => {
    const same = documented[name] === upstream[name];
    return `| \`${name}\` | ${switches[name].description} | ${value(name, documented[name])} | ${same ? 'the same' : value(name, upstream[name])} |`;
  });
  const others = Object.keys(documented).flatMap((name) =>
    (switches[name].oneOf ?? [])
      .map((choice) => choice.const)
      .filter((choice) => choice !== documented[name] && choice !== upstream[name])
      .map((choice) => `* \`${name}: '${choice}'\`: ${meaning(name, choice)}`),
  );
  return `${from('sim/scenario.schema.json and the presets')}
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
  for (const [name, text] of Object.entries(await files())) writeFileSync(new URL(name, ROOT), text);
}
