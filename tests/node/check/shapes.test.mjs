// The answers of the module are as their JSON Schemas say, and so as the TypeScript types that are made of these.

import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { advise, explore, mapSettings, minimize, safetyMargin } from 'locket-wasm/check';

import { shapes } from '../support/shapes.mjs';

const { accept } = shapes('answer');
const SHIPPED = { runner: 'upstream', profile: 'upstream', ttl: '15s', retryInterval: '5s', latency: '1s' };
const scenario = (name) => readFileSync(new URL(`../../../sim/scenarios/${name}.json`, import.meta.url), 'utf8');

/** An answer as the module writes it: links are JavaScript's. */
const withoutLinks = ({ link: _, longest, ...answer }) => {
  const { link: __, ...schedule } = longest ?? {};
  return { ...answer, longest: longest && schedule };
};

for (const question of [{ ...SHIPPED, faults: { pause: { length: '8s', count: 1 } } }, { ...SHIPPED, runner: 'safe' }, { ...SHIPPED, grid: '1s' }]) {
  test(`the answer to ${JSON.stringify(question)}`, async () => accept('Exploration', withoutLinks(await explore(question))));
}

test('advice', async () => {
  const { text: _, ...advice } = await advise({ ...SHIPPED, faults: { pause: { length: '9s', count: 1 } } });
  accept('Advice', advice);
});

test('a map', async () => {
  const { cells } = await mapSettings({ runner: 'upstream', ttl: ['3s', '4s'], retryInterval: ['1s'], latency: '1s' });
  for (const cell of cells) accept('MapCell', cell);
});

test('a safety margin', async () => {
  const { text: _, ...margin } = await safetyMargin(scenario('holder-paused-longer-than-its-lease'), { maxPause: '10s' });
  accept('SafetyMargin', margin);
});

test('a minimized run', async () => {
  const client = { key: 'k', ttl: '3s', retryInterval: '1s' };
  const random = { name: 'random', random: true, until: '30s', network: { latency: { max: '1s' }, loss: '30%' }, clients: [{ ...client, name: 'a' }], expect: [{ at: '20s', key: 'k', owner: 'b' }] };
  const { link: _, ...minimized } = await minimize(random, { seed: 1 });
  accept('MinimizedRun', minimized);
});
