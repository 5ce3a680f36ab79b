// A run as a picture: `runPicture`, and the parts that the page draws with. tests/node/cli/cli.test.mjs has `run --export svg`.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LocketArgumentError, Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';
import { stories } from 'locket-wasm/stories';

import { clock, headlineOf, length, outcomeOf, seconds } from '../../../pkg/dist/picture-parts.js';

const STORY = 'holder-paused-longer-than-its-ttl';

const pictureOf = (scenario, options) => runPicture(new Simulation(scenario), options);
const texts = (svg) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, said]) => said);

test('a picture says above what the run contains, and names its lanes', () => {
  const said = texts(pictureOf(stories[STORY]));
  assert.equal(said[0], 'Two owners for 3.0 s in this run, from 23.2 s to 26.2 s.');
  for (const name of ['A  bbs-0', 'Lock bbs', 'B  bbs-1', '3 s', 'frozen', '25 s']) assert.ok(said.includes(name), `${name} of ${said.join(' | ')}`);
});

test('a picture has the file of the lock, with the line that is overwritten in a frame; a presence has none', () => {
  const svg = pictureOf(stories[STORY]);
  assert.ok(texts(svg).includes('The file') && texts(svg).includes('A overwrote a line of B'), texts(svg).join(' | '));
  assert.equal(svg.match(/rx='3' fill='#\w+' stroke='#b3162f'/g).length, 1);
  assert.ok(texts(pictureOf(stories['holder-hands-over-cleanly'])).includes('The file'));
  const { clients, ...story } = JSON.parse(stories[STORY]);
  const both = { ...story, until: '57s', expect: [], clients: clients.map((client) => ({ ...client, ttl: '1s' })), actions: [...story.actions, { at: '26s', do: 'pause', node: 'bbs-1', for: '20s' }] };
  assert.ok(texts(pictureOf(both)).includes('B overwrote 2 lines of A'), 'A overwrote some, too');
  assert.ok(!texts(pictureOf(stories['presence-comes-back-after-a-gap'])).includes('The file'));
});

test('a picture of a run with a storage has its writes: a wrong one in a frame, a refused one hollow', () => {
  const svg = pictureOf(stories['modified-index-is-no-token']);
  const said = texts(svg);
  assert.equal(said[0], 'The storage took a wrong write in this run.');
  assert.ok(said.includes('The storage') && said.includes('A overwrote a line of B'), said.join(' | '));
  assert.equal(svg.match(/rx='3' fill='#\w+' stroke='#b3162f'/g).length, 1);
  assert.equal(svg.match(/rx='3' fill='none'/g).length, 1);
});

test('a belief is named where nothing else is on it', () => {
  const svg = pictureOf(stories[STORY]);
  const dotsFrom = Number(/<path d='M([\d.]+) [^']*' fill='url\(#paused\)'/.exec(svg)[1]);
  const [, x, said] = /<text x='([\d.]+)'[^>]*>(believes[^<]*)</.exec(svg);
  assert.ok(Number(x) + said.length * 7 < dotsFrom, `${said} at ${x}, dots from ${dotsFrom}`);
});

test('every shipped story has a picture that is well-formed and needs nothing else', () => {
  for (const [name, text] of Object.entries(stories)) {
    const svg = pictureOf(text);
    // Every tag is closed, and every value quoted.
    const open = [];
    for (const [, end, tag, selfClosed] of svg.matchAll(/<(\/?)(\w+)(?:\s[^<>]*?)?(\/?)>/g)) {
      if (end) assert.equal(open.pop(), tag, name);
      else if (!selfClosed) open.push(tag);
    }
    assert.deepEqual(open, [], name);
    assert.doesNotMatch(svg, /href|NaN|undefined|Infinity|var\(/, name);
  }
});

test('a picture is the whole run, wherever the simulation is', () => {
  const simulation = new Simulation(stories[STORY]);
  const before = runPicture(simulation);
  simulation.runUntil('24s');
  assert.equal(runPicture(simulation), before);
  assert.equal(simulation.nowMs, 24_000);
});

test('manual actions are in the picture', () => {
  const simulation = new Simulation(stories['holder-crashes']);
  const before = runPicture(simulation);
  simulation.runUntil('2s');
  simulation.act({ do: 'delete-row', key: 'bbs' });
  assert.notEqual(runPicture(simulation), before);
});

test('a headline of your own and a dark ground replace the usual ones', () => {
  const svg = pictureOf(stories[STORY], { headline: 'Incident <7>', theme: 'dark' });
  assert.equal(texts(svg)[0], 'Incident &lt;7&gt;');
  assert.match(svg, /fill='#15171a'/);
  assert.doesNotMatch(svg, /#fbfaf7/);
});

test('names are texts: no markup, no control character and no turned direction leaves a scenario', () => {
  const name = "<script>'\u0007\u202ea";
  const svg = pictureOf({ name: 'evil', until: '20s', clients: [{ name, key: 'k&"', retryInterval: '5s' }] });
  assert.doesNotMatch(svg, /<script|\u0007|\u202e/);
  assert.ok(texts(svg).includes('Lock k&amp;&quot;'));
});

test('options that do not exist are refused by their names', () => {
  for (const [options, field] of [[{ theme: 'blue' }, 'theme'], [{ headline: 7 }, 'headline'], [{ title: 'x' }, 'title']]) {
    assert.throws(() => pictureOf(stories[STORY], options), (error) => error instanceof LocketArgumentError && error.field === field);
  }
});

const outcome = (text) => {
  const simulation = new Simulation(text);
  return outcomeOf(simulation.timeline(), simulation.state().nodes);
};

for (const [story, sentence] of [
  ['holder-crashes', 'One owner at a time in this run. '],
  ['presence-comes-back-after-a-gap', 'No presence for 10.0 s in this run. '],
]) {
  test(`the headline of ${story} is “${sentence.trim()}”`, () => {
    const { strong, rest } = headlineOf(outcome(stories[story]));
    assert.equal(`${strong} ${rest}`, sentence);
  });
}

test('a lock that a client takes by hand has an owner', () => {
  const text = { name: 'by hand', until: '20s', clients: [{ name: 'a', key: 'k' }], actions: [{ at: '1s', node: 'a', do: 'lock' }] };
  assert.equal(headlineOf(outcome(text)).strong, 'One owner at a time in this run.');
});

test('a run in which no client acts has no owner, and a run of one moment has a picture', () => {
  const text = { name: 'nothing', until: '1ms', clients: [{ name: 'a', key: 'k', retryInterval: '5s', startAt: '1ms' }] };
  assert.equal(headlineOf(outcome(text)).strong, 'No client held the lock in this run.');
  assert.match(pictureOf(text), /<\/svg>\n$/);
});

test('times are as long as their axis needs', () => {
  assert.deepEqual([seconds(21_000), seconds(6_250), length(5_000), length(200)], ['21.0 s', '6.25 s', '5 s', '0.2 s']);
  assert.deepEqual([clock(12_000, 30_000), clock(100_000, 600_000), clock(3_731_500, 7_200_000)], ['12 s', '1:40', '1:02:11.5']);
});

test('far out, an attempt is a tick, also the first of all', () => {
  const run = (until) => pictureOf({ name: 'long', until, clients: [{ name: 'a', key: 'k', retryInterval: '5s' }] });
  const ticks = /<path d='(M[^']*)' fill='none' stroke='#8a867c' stroke-width='1'\/>/.exec(run('200s'))[1].match(/M/g).length;
  assert.equal(ticks, new Simulation({ name: 'long', until: '200s', clients: [{ name: 'a', key: 'k', retryInterval: '5s' }] }).timeline().messages.filter(({ from, isAnswer }) => from === 'a' && !isAnswer).length);
  assert.match(run('2000s'), /stroke-width='2'/);
});
