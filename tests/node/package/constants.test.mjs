// Numbers of the core stand in Rust. TypeScript has those that it needs from generated files.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = new URL('../../../', import.meta.url).pathname;
/** The files that `make build` makes of the numbers of the core. */
const GENERATED = ['src/js/base/constants.ts', 'cli/constants.ts'];
const CORE = JSON.parse(readFileSync(join(ROOT, 'target/schemas/constants.json'), 'utf8'));

/** Times that happen to be as long as one of the core, by file and name, each with what it is. */
const OTHERS = {
  'cli/doctor/answer.ts CLOCK_MS_MAX': 'how far apart two clocks may be',
  'cli/terminal.ts SAID_EVERY_MS': 'how often progress is a line',
  'client/watch.ts INTERVAL_DEFAULT_MS': 'how often a watch looks',
  'diagnose/findings/exits.ts EXPLAINED_MS': 'how near an explanation has to be',
  'diagnose/findings/locket-processes.ts TOGETHER_MS': 'downtimes so near to each other are one',
  'diagnose/instant.ts FAR_MS': 'a difference that no reply under way explains',
  'grpc/options.ts KEEPALIVE_MS_MIN': 'what gRPC servers allow',
};

test('no time of the core is written again in TypeScript', () => {
  const isTime = ({ name }) => name.includes('_MS');
  const times = new Set(CORE.filter(isTime).map(({ value }) => value));
  // A second is many things, but for a connection the core's first wait.
  const named = [...constants('src/js'), ...constants('cli')].filter((it) => isTime(it) && times.has(it.value) && (it.value !== 1_000 || it.name.startsWith('grpc/')));
  assert.deepEqual(named.map(({ name }) => name).toSorted(), Object.keys(OTHERS));
});

test('no constant in TypeScript has the name of one of the core', () => {
  const names = new Set(CORE.map(({ name }) => name));
  assert.deepEqual([...constants('src/js'), ...constants('cli')].filter(({ name }) => names.has(name.split(' ')[1])), []);
});

/** Each constant with a number, but for the generated ones: of what file, and its value. */
function* constants(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true })) {
    if (!entry.endsWith('.ts') || GENERATED.includes(`${folder}/${entry}`)) continue;
    const text = readFileSync(join(ROOT, folder, entry), 'utf8');
    for (const [, name, number] of text.matchAll(/^(?:export )?const ([A-Z][A-Z\d_]*) = ([\d_]+);$/gm)) {
      yield { name: `${folder === 'src/js' ? '' : `${folder}/`}${entry} ${name}`, value: Number(number.replaceAll('_', '')) };
    }
  }
}
