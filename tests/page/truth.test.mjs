// Nothing that the page says contradicts the run or the search: branches at random moments of every story, compared with the timeline,
// with searches of the package, and what the safety margin says with freezes that are tried. `TRUTH_SEED=… TRUTH_MOMENTS=…` replays one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { durationMs, Simulation } from 'locket-wasm';
import { explore, questionOfRun, safetyMargin } from 'locket-wasm/check';
import { stories } from 'locket-wasm/stories';

import * as picture from '../../pkg/dist/picture-parts.js';
import { randomOf } from '../node/support/diagnose-logs.mjs';
import { loadCore } from './support/core.mjs';

const SEED = Number(process.env.TRUTH_SEED ?? Math.floor(Math.random() * 2 ** 31));
const MOMENTS = Number(process.env.TRUTH_MOMENTS ?? 10);
/** A margin tries a freeze at each moment, so that not every branch is asked for one. */
const MARGIN_EVERY = 5;
const DELAY_MS = 1_000;

const page = { ...picture, ...(await loadCore(...['danger', 'listed', 'moment', 'settings', 'status', 'stories', 'whole'].map((name) => `core/${name}`))) };

const searches = new Map();
async function answerTo(question) {
  const key = JSON.stringify(question);
  if (!searches.has(key)) searches.set(key, explore(question, { maxStates: 200_000 }));
  return await searches.get(key);
}

/** The acts of the chips, and some of the menus. */
function actsOf(simulation) {
  const { nodes, rows } = simulation.state();
  const clients = nodes.filter(({ retryIntervalMs }) => retryIntervalMs !== null);
  return [
    ...clients.flatMap(({ name, status }) => [
      status === 'paused' ? { do: 'resume', node: name } : status === 'down' ? { do: 'start', node: name } : { do: 'pause', node: name, for: '20s' },
      ...(status === 'down' ? [] : [{ do: 'crash', node: name }, { do: 'stop', node: name }, { do: 'restart', node: name }]),
      { do: 'cut', from: name, to: 'locket' },
      { do: 'lose-messages', from: name, to: 'locket', count: 1 },
      { do: 'set-latency', from: name, to: 'locket', latency: '3s' },
    ]),
    ...rows.map(({ path }) => ({ do: 'delete-row', key: path })),
    ...rows.map(({ path }) => ({ do: 'put-row', key: path, owner: 'operator', ttl: '20s' })),
    { do: 'restart', node: 'locket' },
    { do: 'fail-over', lostCommits: 1 },
    { do: 'stall', for: '5s' },
  ];
}

/** The question of a run, as the page has it made; `undefined` if no search can try its clients. */
function questionOf(simulation) {
  try {
    const own = questionOfRun(simulation).bounds.latency;
    const latency = durationMs(own) > DELAY_MS ? own : `${DELAY_MS}ms`;
    return questionOfRun(simulation, { bounds: { latency } });
  } catch {
    return undefined;
  }
}

/** What the search says, in the words of the status line's rule. */
async function factsOfSearch(run) {
  if (run === undefined) return { is: 'none', why: 'Not searched.' };
  const { verdict, states, longest } = await answerTo(run.question);
  if (verdict === 'safe') return { is: 'safe', bounds: run.words };
  return verdict === 'unsafe' ? { is: 'unsafe', longestMs: longest.isExact ? longest.lastedMs : null } : { is: 'unknown', states };
}

/** Faults that a story without any of their kind does not plan: a run with one is never inside the bounds. */
const UNPLANNED = new Set(['crash', 'delete-row', 'put-row', 'fail-over', 'stall']);

async function checkStatus(simulation, text, { timeline, cast, isSettled }, where, act) {
  const question = questionOf(simulation);
  const facts = { ...page.outcomeOf(timeline, cast), isSettled };
  const search = await factsOfSearch(question);
  const leaves = (question?.outside ?? []).filter(({ is }) => is !== 'other-key');
  const { tone, strong, rest } = page.statusOf(facts, search, leaves);
  const words = `${strong} ${rest}`;
  const hasTwo = timeline.twoOwners.length > 0;
  const isHarmed = hasTwo || timeline.wrongWrites > 0;
  assert.equal(tone === 'red', isHarmed, `${where}: ${words}`);
  assert.equal(/^The storage took/.test(words), isHarmed && !hasTwo, `${where}: ${words}`);
  assert.doesNotMatch(words, /disagrees/, `${where}: ${words} ${JSON.stringify(leaves)}`);
  assert.ok(tone !== 'green' || (search.is === 'safe' && !isHarmed && isSettled), `${where}: ${words}`);
  // A verdict is about the clients of one key, and such an act may be about another one.
  const mayBeOther = ['crash', 'delete-row', 'put-row'].includes(act?.do) && (question?.outside ?? []).some(({ is }) => is === 'other-key');
  if (UNPLANNED.has(act?.do) && !mayBeOther && !text.includes(`"do": "${act.do}"`) && !text.includes('"do": "restart"')) assert.notEqual(tone, 'green', `${where}: ${words}`);
  if (/Safe/.test(words)) assert.equal(tone, 'green', `${where}: ${words}`);
  const [first] = [...timeline.twoOwners].sort((a, b) => a.fromMs - b.fromMs);
  if (timeline.twoOwners.length === 1) assert.ok(words.includes(`from ${text2(first.fromMs)} to ${text2(first.toMs)}`), `${where}: ${words}`);
  if (question !== undefined && search.is === 'safe' && leaves.length > 0 && tone !== 'green') assert.match(words, /bounds of the check|No client|presence/i, `${where}: ${words}`);
}

const text2 = (ms) => `${(ms / 1000).toFixed(3).replace(/0{1,2}$/, '')} s`;

/** Every claim of a caption is one about the state at its moment, or about what the timeline has later. */
function checkCaption(simulation, timeline, where) {
  const state = simulation.state();
  const names = page.namesOf(state.nodes);
  const caption = page.captionOf(timeline, simulation.eventCount, state, names);
  const clients = page.clientsOf(state.nodes);
  const named = (nodes) => page.listed(nodes.map(({ name }) => names(name)));
  const about = `${where}: ${caption}`;
  assert.ok(caption.startsWith(`${text2(state.timeMs)}: `), about);
  const claims = [...caption.matchAll(/(?:^|[.:] )([A-Z][^.:]*?) (is|are) (down|frozen)\./g)];
  for (const [, who, , status] of claims) assert.equal(who, named(clients.filter((node) => node.status === { down: 'down', frozen: 'paused' }[status])), about);
  const believers = clients.filter(({ believes }) => believes);
  const [, who] = /(?:^|[.:] )([A-Z][^.:]*?) believes? (?:it holds|it holds its|they hold)/.exec(caption) ?? [];
  if (who !== undefined && who !== 'No client') assert.equal(who, named(believers), about);
  if (/No client believes/.test(caption)) assert.equal(believers.length, 0, about);
  if (/The lock is free/.test(caption)) assert.ok(believers.length === 0 && !state.rows.some(({ path }) => clients.some(({ keys }) => keys.includes(path))), about);
  const [, at] = /expires at ([\d.]+) s/.exec(caption) ?? [];
  if (at !== undefined) assert.ok(timeline.events.some(({ kind, timeMs }) => kind === 'expired' && timeMs === Math.round(Number(at) * 1000)), about);
  // With two believers nothing else is said last.
  if (believers.length > 1 && believers.length <= 3) assert.ok(caption.includes(`${named(believers)} believe`), about);
}

/** The margin of a branch, if two of its clients want one key and the page asks for it by itself. */
async function marginOf(simulation, { cast, timeline }) {
  if (!page.isCheap(cast) || JSON.parse(simulation.scenario).random === true) return undefined;
  try {
    const margin = await safetyMargin(simulation, { step: `${page.stepOf(timeline.endMs)}ms`, maxPause: `${page.LONGEST_MS}ms` });
    return margin.harm === 'two-owners' ? margin : undefined;
  } catch (error) {
    assert.match(error.message, /no two runners want the same key/);
    return undefined;
  }
}

/** Whether a freeze of a client, from right before what happens at a moment, gives two owners from then on. */
function freezeBreaks(simulation, node, atMs, forMs) {
  const copy = Simulation.fromLink(simulation.link());
  copy.seek({ timeMs: atMs - 1 });
  copy.act({ do: 'pause', node, for: `${forMs + 1}ms` });
  copy.settle();
  const { twoOwners } = copy.timeline();
  copy.close();
  return twoOwners.some(({ toMs }) => toMs > atMs);
}

/** When the last fault of a branch begins or ends. */
function lastFaultMs(simulation) {
  const planned = JSON.parse(simulation.scenario).actions ?? [];
  const all = [...planned, ...simulation.acts().map(({ timeMs, action }) => ({ ...action, at: `${timeMs}ms` }))].filter((action) => action.do !== 'note');
  return Math.max(0, ...all.map(({ at, for: lasts = '0s', every }) => (every === undefined ? durationMs(at) + durationMs(lasts) : Infinity)));
}

const margins = { read: 0, tried: 0 };

function checkMargin(simulation, margin, { timeline: { twoOwners } }, nowMs, where) {
  const state = simulation.state();
  const names = page.namesOf(state.nodes);
  const words = page.marginWords(margin, nowMs, names);
  const about = `${where}, looked at ${nowMs} ms: ${words}`;
  margins.read += 1;
  const isPast = /^Past the point of no return/.test(words);
  if (twoOwners.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)) assert.ok(isPast, about);
  if (isPast) return assert.ok(twoOwners.some(({ toMs }) => toMs > nowMs), about);
  const { atMs, after } = margin.moments.findLast((moment) => moment.atMs <= nowMs);
  // What a later fault does is not in the margin, and in the run.
  if (atMs <= lastFaultMs(simulation) || after) return;
  margins.tried += 1;
  const breaks = twoOwners.some(({ toMs }) => toMs > atMs);
  assert.equal(/no further fault is needed/.test(words), breaks, about);
  const [, name, length] = /a freeze of (\S+) for ([\d.]+) s gives two owners/.exec(words) ?? [];
  if (name !== undefined) {
    const { name: node } = state.nodes.find((one) => names(one.name) === name);
    assert.ok(freezeBreaks(simulation, node, atMs, length * 1_000), about);
    if (length > 1) assert.ok(!freezeBreaks(simulation, node, atMs, length * 1_000 - 1_000), about);
  } else if (/^At .* no freeze of one node/.test(words)) {
    for (const { name: node } of page.clientsOf(state.nodes)) assert.ok(!freezeBreaks(simulation, node, atMs, page.LONGEST_MS), `${about}: ${node}`);
  }
}

test('the random moments are of a seed that is printed', (t) => t.diagnostic(`TRUTH_SEED=${SEED} TRUTH_MOMENTS=${MOMENTS}`));

for (const [index, id] of Object.keys(stories).entries()) {
  test(`no caption or verdict of ${id} contradicts the run or the search, wherever it branches`, async () => {
    const random = randomOf(SEED + index);
    const simulation = new Simulation(stories[id]);
    const story = page.wholeOf(simulation);
    const whole = story.timeline;
    simulation.seek({ timeMs: whole.endMs });
    await checkStatus(simulation, stories[id], story, `${id} (TRUTH_SEED=${SEED})`);
    for (let moment = 0; moment < MOMENTS; moment++) {
      simulation.switchTo(0);
      const timeMs = Math.floor(random() * whole.endMs);
      simulation.seek({ timeMs });
      checkCaption(simulation, whole, `${id} at ${timeMs} ms (TRUTH_SEED=${SEED})`);
      const acts = actsOf(simulation);
      const act = acts[Math.floor(random() * acts.length)];
      const where = `${id} at ${timeMs} ms, ${JSON.stringify(act)} (TRUTH_SEED=${SEED})`;
      try {
        simulation.act(act);
      } catch {
        continue;
      }
      const [here, changed] = [simulation.snapshot(), page.settledOf(simulation)];
      const { cast, timeline } = changed;
      checkCaption(simulation, timeline, where);
      assert.ok(cast.every(({ isRunner, retryIntervalMs }) => !isRunner || retryIntervalMs > 0), `${where}: the settings have a retry interval`);
      for (let look = 0; look < 3; look++) {
        simulation.seek({ timeMs: timeMs + Math.floor(random() * (timeline.endMs - timeMs)) });
        checkCaption(simulation, timeline, where);
      }
      simulation.restore(here);
      simulation.seek({ timeMs: timeline.endMs });
      await checkStatus(simulation, stories[id], changed, where, act);
      const margin = moment % MARGIN_EVERY === 0 ? await marginOf(simulation, changed) : undefined;
      for (let look = 0; margin !== undefined && look < 3; look++) checkMargin(simulation, margin, changed, Math.floor(random() * timeline.endMs), where);
    }
  });
}

test('margins were read, and freezes tried', (t) => {
  t.diagnostic(`${margins.read} margins read, ${margins.tried} of them tried`);
  assert.ok(margins.read > 3 * MOMENTS && margins.tried > 0, JSON.stringify(margins));
});
