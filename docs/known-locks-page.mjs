// The sections of the page known-locks.md: the rules of known libraries, each with what a search says of it.

import { readFileSync } from 'node:fs';

import { explore } from 'locket-wasm/check';

const LIBRARIES = JSON.parse(readFileSync(new URL('known-locks.json', import.meta.url), 'utf8'));
/** A line for each library: the TTL, and its rule. */
const RULES = readFileSync(new URL('../sim/src/check/question/rules.txt', import.meta.url), 'utf8');
/** The faults of all rules, as options and as a question has them. */
const OPTIONS = '--fault pause=15s --fault lost-message --fault crash --fault partition=60s';
const FAULTS = { pause: '15s', lostMessage: 'any', crash: 'any', partition: '60s' };
const WHOLE_TTL = { from: 'request', margin: '0s' };

export async function knownLocks() {
  const sections = [];
  for (const library of LIBRARIES) sections.push(await section(library));
  return sections.join('\n\n');
}

async function section({ preset, library, source, note, threads = [] }) {
  const [, ttl, text] = RULES.match(new RegExp(`^(\\w+) (.*"${preset}".*)$`, 'm'));
  const { name, ...rule } = JSON.parse(text);
  const { verdict, clients, summary, link } = await explore({ runner: preset, faults: FAULTS }, { longest: false });
  if (verdict === 'unknown') throw new Error(`${preset}: ${summary}`);
  const isProved = verdict === 'safe' && clients === 'any';
  const asked = threads.map((it) => ` Asked in [${it}](https://github.com/${it.replace('#', '/issues/')}).`).join('');
  const remedy = isProved ? '' : `\n\n${await change(rule, ttl)}\n\n    npx locket-wasm run '${link}'`;
  return `## ${library}

\`${preset}\`, TTL ${ttl}. Source: ${source}.
${note}${asked}

\`\`\`json
${JSON.stringify(rule)}
\`\`\`

\`\`\`text${isProved ? '' : ' fails'}
$ npx locket-wasm explore -q --runner ${preset} ${OPTIONS}
${isProved ? '✓' : '✗'} ${summary.split('. ')[0]}.…
\`\`\`${remedy}`;
}

/** The first change of one field that is proved to make a rule safe. */
async function change({ lease, ...rule }, ttl) {
  const changes = {
    '`lease.ends`: `by-timer`': { ...lease, ends: 'by-timer' },
    '`lease.from`: `request`': { ...lease, from: 'request' },
    'a `lease` of a TTL from the request': WHOLE_TTL,
  };
  for (const [words, changed] of Object.entries(changes).slice(lease === undefined ? -1 : 0)) {
    const { verdict, clients } = await explore({ runner: { ...rule, lease: changed }, ttl, faults: FAULTS }, { longest: false });
    if (verdict === 'safe' && clients === 'any') return `With ${words} it is safe for any number of clients.`;
  }
  return 'Whether a change of one field makes it safe is unknown.';
}
