// Writes the pages of docs/reference/ that follow from the package. A test fails if one of them is out of date.
//
//   node docs/generate.mjs   (through `make docs`)

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { LocketServer } from 'locket-wasm';

import { jsonPage } from './json-schemas.mjs';
import { namesPage } from './names-page.mjs';
import { releasesPage } from './releases-page.mjs';
import { scenarioPage } from './scenario-page.mjs';
import { SCENARIO_SCHEMA } from './types.mjs';

const ROOT = new URL('../', import.meta.url);

/** The generated pages by name. */
export async function files() {
  const pages = { 'command-line': commandLine(), differences: differences(), json: `${from('the types of cli/json-output.ts and the output of `--help`')}${jsonPage(helpOf())}`, names: `${from('the declarations of the package')}${await namesPage()}`, releases: releasesPage(), scenarios: scenarioPage() };
  const named = Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, text]);
  return Object.fromEntries(named);
}

const from = (source) => `<!-- Made of ${source} by \`make docs\`; do not edit. -->\n`;

// -- differences.md: the two profiles side by side

function differences() {
  const [documented, upstream] = ['documented', 'upstream'].map((profile) => new LocketServer({ profile }).profile);
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
  return `${from('the schema of scenarios and the presets')}
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
* **Time is virtual.** A reply takes no time unless you set a latency. A transaction of \`LocketServer\` takes no time, so
  two Locks never meet in the database. In scenarios it takes as long as \`transactionTime\` says.
* **Two owners insert one free key** at the same time. The real Locket on PostgreSQL refuses many of them with
  Unknown \`sql-resource-exists\`, and on MySQL retries after 500 ms. \`LocketServer.loseInsertRace\` does this to a
  client. In scenarios it happens if transactions take time.
* **The order at a row.** PostgreSQL keeps the order of the transactions that wait until the row is updated; then any of
  them may be the next. A run keeps the order, unless it is random; a search tries each.
* **A database that stops or stalls** does so for all processes, and serves their calls in the order of arrival.
* **MySQL** is the MariaDB 10.11 that we observed, with its default collation (\`make test-vectors\` replays it). It
  ignores case, accents of Latin letters up to U+017F, and trailing spaces. All characters beyond the basic plane are
  one.
* **Not observed on MySQL:** most error codes, text that is not UTF-8, and accents of other letters. MySQL 8 knows more
  accents, and compares trailing spaces.
* **A server keeps nothing.** Its locks end with its process.
* **No metrics, no TLS.** \`stats()\` has the counters. \`locket-wasm serve\` has TLS. It closes a connection with a wrong
  client certificate without the alert that Go's TLS sends.

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

// -- command-line.md: the help of each command

function commandLine() {
  const help = (...args) => `\`\`\`text\n${helpOf(...args).trimEnd()}\n\`\`\`\n`;
  const commands = help().match(/^ {2}[a-z-]+(?= \[|$)/gm).map((name) => name.trim()).filter((name) => name !== 'help');
  return `${from('the output of `--help`')}
# Command line

${help()}
\`npx locket-wasm\` runs it where the package is installed.

${commands.map((name) => `## ${name}\n\n${help(name)}`).join('\n')}
Next: [use it in CI](../do/ci.md), or [the scenario reference](scenarios.md).
`;
}

function helpOf(...args) {
  return spawnSync(process.execPath, [fileURLToPath(new URL('pkg/dist/cli.js', ROOT)), ...args, '--help'], { encoding: 'utf8' }).stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, text] of Object.entries(await files())) writeFileSync(new URL(name, ROOT), text);
}
