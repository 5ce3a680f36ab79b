// Writes the pages of docs/reference/ that follow from the package. A test fails if one of them is out of date.
//
//   node docs/generate.mjs   (through `make docs`)

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { LocketServer, Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';

import { jsonPage } from './json-schemas.mjs';
import { knownLocks } from './known-locks-page.mjs';
import { namesPage } from './names-page.mjs';
import { releases } from './releases-page.mjs';
import { scenarioPage } from './scenario-page.mjs';
import { SCENARIO_SCHEMA } from './types.mjs';

const ROOT = new URL('../', import.meta.url);

/** The generated pages and pictures of runs by name. */
export async function files() {
  const pages = {
    'command-line': commandLine(),
    differences: withLists('differences', differences()),
    json: `${from('the types of cli/json-output.ts and the output of `--help`')}${jsonPage(helpOf())}`,
    'known-locks': withLists('known-locks', { locks: await knownLocks() }),
    names: `${from('the declarations of the package')}${await namesPage()}`,
    releases: withLists('releases', { releases: releases() }),
    scenarios: scenarioPage(),
  };
  const named = Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, text]);
  return Object.fromEntries([...named, ...['reply', 'request'].map(leasePicture)]);
}

/** A page with its lists, each between `<!-- list NAME -->` and `<!-- end -->`; the rest is written by hand. */
function withLists(page, lists) {
  const text = readFileSync(new URL(`docs/reference/${page}.md`, ROOT), 'utf8');
  return text.replaceAll(/(<!-- list (\w+) -->\n)[^]*?(?=<!-- end -->)/g, (_, start, name) => `${start}${lists[name]}\n`);
}

const from = (source) => `<!-- Made of ${source} by \`make docs\`; do not edit. -->\n`;

/** A client that is frozen while its lock is on its way to it, with a lease that counts from the reply or from the request. */
function leasePicture(from) {
  const client = { key: 'bbs', ttl: '15s', retryInterval: '5s', runner: { lease: { from } } };
  const clients = [{ name: 'bbs-0', ...client }, { name: 'bbs-1', startAt: '3500ms', ...client }];
  const actions = [{ at: '600ms', do: 'pause', node: 'bbs-0', for: '13s' }];
  const run = new Simulation({ name: `from the ${from}`, until: '24s', network: { latency: '500ms' }, clients, actions });
  return [`docs/images/lease-from-${from}.svg`, runPicture(run)];
}

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
  const head = ['| switch | meaning | documented | upstream |', '|---|---|---|---|'];
  return { switches: [...head, ...rows].join('\n'), others: others.join('\n') };
}

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
