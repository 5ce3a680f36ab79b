// What the game says at random moments of random games, read back and compared with `Simulation.state()` and `timeline()` at that very
// moment. Nothing here uses what makes the sentences: a sentence that it does not know fails. `PLAY_SEED=… PLAY_READINGS=…` replays one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Simulation } from 'locket-wasm';

import { randomOf } from '../node/support/diagnose-logs.mjs';
import { loadCore } from './support/core.mjs';

const SEED = Number(process.env.PLAY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const READINGS = Number(process.env.PLAY_READINGS ?? 400);
const MOMENTS = 8;
const page = await loadCore('play/acts', 'play/caption', 'play/made', 'play/presence', 'story/scene');
const random = randomOf(SEED);
const upTo = (limit) => Math.floor(random() * limit);
const pick = (list) => list[upTo(list.length)];

/** A game with one to three acts, also such that a visitor can only get from a link. */
function randomGame(isPresence) {
  const settings = { ttlMs: (5 + upTo(26)) * 1_000, retryIntervalMs: (1 + upTo(8)) * 1_000, isSafe: !isPresence && upTo(4) === 0, isPresence };
  const acts = Array.from({ length: 1 + upTo(3) }, () => randomAct(isPresence));
  return page.readPlayed(page.writePlayed({ settings, acts: acts.sort((one, other) => one.atMs - other.atMs) }));
}

function randomAct(isPresence) {
  const [atMs, client] = [upTo(20) === 0 ? 0 : 4_050 + upTo(250) * 100 + pick([0, 4, 8]), pick(['A', 'A', 'A', 'B'])];
  const does = isPresence ? 'cut' : pick(['delete', 'freeze', 'freeze', 'lose']);
  if (does === 'delete') return { do: 'delete', atMs };
  if (does === 'lose') return { do: 'lose', client, isAnswer: upTo(2) === 0, atMs };
  return { do: does, client: isPresence ? 'A' : client, atMs, untilMs: atMs + (1 + upTo(350)) * 100 };
}

const tenths = (ms) => `${(Math.ceil(ms / 100) / 10).toFixed(1)} s`;
/** Which of A and B stand in a part of a sentence. */
const lettersIn = (text) => [...new Set(text.match(/\b[AB]\b/g) ?? [])].sort().join();

const letterOf = (names) => (name) => Object.keys(names).find((one) => names[one] === name);

/** How the package has a moment: by letter who believes, who is frozen, and the row. */
function factsAt(simulation, names, atMs) {
  simulation.seek({ timeMs: atMs });
  const { nodes, rows, expiries } = simulation.state();
  const of = (isSo) => nodes.filter((node) => letterOf(names)(node.name) !== undefined && isSo(node)).map(({ name }) => letterOf(names)(name)).sort().join();
  const row = rows.find(({ path }) => path === 'bbs' || path === names.A);
  return {
    believers: of(({ believes }) => believes), frozen: of(({ status }) => status === 'paused'), asking: of(({ asks }) => asks !== null), cut: of(({ isCutOff }) => isCutOff),
    owner: row === undefined ? '' : letterOf(names)(row.owner), leftMs: (expiries.find(({ path }) => path === row?.path)?.endsMs ?? NaN) - atMs,
  };
}

const has = (list, one) => list.split(',').includes(one);

/** Each sentence about locks, and whether a moment has what it says. */
const CLAIMS = [
  [/^(A|B|A and B) (?:is|are) frozen\.$/, (at, who) => at.frozen === lettersIn(who)],
  [/^Its lock has ([\d.]+ s) left\.$/, (at, left) => has(at.frozen, at.owner) && tenths(at.leftMs) === left],
  [/^(A|B|A and B) still believes it holds the lock\.$/, (at, who) => has(at.believers, who) && at.owner !== who && has(at.frozen, who)],
  [/^The lock is free\.$/, (at) => at.owner === ''],
  [/^([AB]) holds the lock\.$/, (at, who) => at.owner === who],
  [/^Two owners: (A|B|A and B) do(?:es)? not know\.$/, (at, who) => at.believers === 'A,B' && lettersIn(who) === 'A,B'.split(',').filter((one) => one !== at.owner).join()],
  [/^An operator deletes the lock\. ([AB]) does not notice\.$/, (at, who) => at.owner === '' && has(at.believers, who) && at.ended === 'row-deleted'],
  [/^(?:([AB]) sends no renewal|No renewal arrives)\. After (\d+) seconds the lock expires\.$/, (at, _, ttl) => at.owner === '' && at.ended === 'expired' && at.ttlMs === ttl * 1_000],
  [/^The network loses (an answer|a renewal|a request)\. ([AB]) waits for (?:it|the answer)\.$/, (at, what, who) => has(at.asking, who) && at.lost > 0 && (what === 'an answer' || (what === 'a renewal') === has(at.believers, who))],
  [/^([AB]) still believes it holds the lock, and overwrites ([AB])’s work\.$/, (at, who, whose) => has(at.believers, who) && at.owner !== who && who !== whose],
  [/^([AB]) holds the lock, and overwrites what [AB] wrote\.$/, (at, who) => has(at.believers, who) && at.owner === who],
  [/^([AB]) (?:learns that it lost the lock|is not sure of the lock any more), and stops\.$/, (at, who) => !has(at.believers, who) && at.stopped.includes(who)],
  [/^([AB]) asks, finds the lock free, and takes it\.$/, (at, who) => at.believers === who || at.owner === who],
  [/^([AB]) takes the lock for (\d+) seconds\. Only [AB] may write\.$/, (at, who, ttl) => at.owner === who && at.believers === who && at.ttlMs === ttl * 1_000],
  [/^([AB]) sends its renewal, and so takes the free lock again\.$/, (at, who) => at.owner === who && has(at.believers, who) && at.spans[who] > 1],
  [/^([AB]) wakes and still believes it holds the lock\.$/, (at, who) => !has(at.frozen, who) && has(at.believers, who) && at.owner !== who],
  [/^([AB]) wakes in time\. It still holds the lock\.$/, (at, who) => !has(at.frozen, who) && has(at.believers, who) && at.owner === who],
  [/^([AB]) wakes, sees that its lease ended, and does not write\.$/, (at, who) => !has(at.frozen, who) && !has(at.believers, who) && at.stopped.includes(who)],
  [/^([AB]) wakes\.$/, (at, who) => !has(at.frozen, who) && !has(at.believers, who)],
];
/** The same about presences. */
const LIST_CLAIMS = [
  [/^A is cut off\.$/, (at) => at.isCut],
  [/^It stays in the list for ([\d.]+ s) without a renewal\.$/, (at, left) => at.owner === 'A' && tenths(at.leftMs) === left],
  [/^A is cut off, and not in the list\.$/, (at) => at.isCut && at.owner === '' && at.isRead],
  [/^A is connected again\. Its next attempt comes by itself\.$/, (at) => !at.isCut],
  [/^A renews in time, and stays in the list\.$/, (at) => at.owner === 'A' && !at.isCut],
  [/^No renewal arrives\. After (\d+) seconds A leaves the list\.$/, (at, ttl) => at.owner === '' && at.ttlMs === ttl * 1_000],
  [/^A has never stopped trying\. It is in the list again\.$/, (at) => at.owner === 'A' && at.spans.A > 1],
  [/^A is in the list, ([\d.]+ s) left\.$/, (at, left) => at.owner === 'A' && tenths(at.leftMs) === left],
  [/^A is not in the list\.$/, (at) => at.owner === ''],
  [/^(?:A’s work runs on A|The BBS finds A in the list, and stops the copy on B)\.$/, (at) => at.isRead],
  [/^(?:A’s work runs twice, on A and on B|The BBS has started its work on B|The BBS does not find A in the list, and starts its work on B)\.$/, (at) => !at.isRead],
  [/^believes it is in the list\.$/, (at) => has(at.believers, 'A')],
  [/^is not sure it is in the list\.$/, (at) => at.owner === 'A' && !has(at.believers, 'A')],
  [/^tries (?:to come back|again in ([\d.]+ s))\.$/, (at, left) => at.owner === '' && has(at.asking, 'A') === (left === undefined)],
];

/** The caption as the longest sentences that are known, each checked. */
function checkWords(words, claims, at, about) {
  const parts = words.split(/(?<=\.) (?=[A-Zbit])/);
  while (parts.length > 0) {
    const length = [3, 2, 1].find((count) => claims.some(([pattern]) => pattern.test(parts.slice(0, count).join(' '))));
    const text = parts.splice(0, length ?? 1).join(' ');
    const [pattern, isTrue] = claims.find(([one]) => one.test(text)) ?? assert.fail(`nobody knows whether “${text}” is true: ${about}`);
    assert.ok(isTrue(at, ...pattern.exec(text).slice(1)), `“${text}”: ${about} ${JSON.stringify(at)}`);
  }
}

/** What has happened by a moment. */
function historyOf({ holders, beliefs, events, messages }, names, acts, { ttlMs }, atMs) {
  const past = holders.filter(({ toMs, owner }) => toMs <= atMs && letterOf(names)(owner) !== undefined).sort((one, other) => one.toMs - other.toMs).at(-1);
  const reads = events.filter(({ kind, who, ok, timeMs }) => kind === 'answered' && who === 'bbs' && ok === true && timeMs <= atMs);
  return {
    ttlMs,
    ended: past && ['expired', 'row-deleted'].find((kind) => events.some((event) => event.kind === kind && event.timeMs === past.toMs)),
    lost: messages.filter(({ fate, sentMs }) => fate === 'lost' && sentMs <= atMs).length,
    stopped: beliefs.filter(({ toMs }) => toMs <= atMs).map(({ client }) => letterOf(names)(client)).join(),
    spans: Object.fromEntries(Object.keys(names).map((one) => [one, holders.filter(({ owner, fromMs }) => letterOf(names)(owner) === one && fromMs <= atMs).length])),
    isCut: acts.some((act) => act.do === 'cut' && act.atMs <= atMs && atMs < act.untilMs),
    isRead: reads.length === 0 || reads.at(-1).words.includes('cell-1 ('),
  };
}

/** The pills and the ring of the stage. */
function checkStage({ clients, lock }, at, about) {
  for (const { letter, words, believes, isIdle, isFrozen } of clients) {
    const isOne = `${letter} ${words}, ${about} ${JSON.stringify(at)}`;
    assert.deepEqual([believes, isIdle, isFrozen], [has(at.believers, letter), !has(at.believers, letter), has(at.frozen, letter)], isOne);
    if (words === 'still believes it holds the lock') assert.ok(believes && at.owner !== letter, isOne);
    if (words === 'believes it holds the lock') assert.ok(believes && at.owner === letter, isOne);
    if (words === 'asks') assert.ok(has(at.asking, letter), isOne);
  }
  assert.equal(lock.owner ?? '', at.owner, about);
  const ends = { expired: 'expired', deleted: 'row-deleted' }[lock.words];
  if (at.owner === '') assert.equal(ends, at.ended, `${lock.words}, ${about}`);
  else assert.equal(lock.words, `${tenths(at.leftMs)} left`, about);
}

for (const isPresence of [false, true]) {
  test(`what the game of ${isPresence ? 'presences' : 'locks'} says at ${READINGS} random moments is so (PLAY_SEED=${SEED})`, (t) => {
    const said = new Set();
    for (let reading = 0; reading < READINGS; reading += MOMENTS) {
      const game = randomGame(isPresence);
      const [made, names] = [page.make(game), isPresence ? { A: 'cell-1', B: 'cell-2' } : { A: 'bbs-0', B: 'bbs-1' }];
      const simulation = new Simulation(page.scenarioOf(game.settings, page.endOf(game.acts)));
      page.perform(simulation, game.acts);
      const timeline = simulation.timeline();
      assert.equal(made.run.digest, timeline.digest);
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const atMs = game.acts[0].atMs + upTo(made.overMs - game.acts[0].atMs);
        const { words, ticks } = page.captionAt(made, game.acts[0].atMs, atMs, false) ?? { words: '' };
        const at = { ...factsAt(simulation, names, atMs), ...historyOf(timeline, names, game.acts, game.settings, atMs) };
        const about = `${page.writePlayed(game)} at ${atMs} ms: ${words} ${ticks ?? ''}`;
        if (words !== '') checkWords([words, ticks].filter(Boolean).join(' '), isPresence ? LIST_CLAIMS : CLAIMS, at, about);
        said.add(words.replace(/\d+/g, 'N'));
        const beat = { fromMs: atMs - 1_200, toMs: made.run.endMs, pinMs: 0, caption: '' };
        const scene = isPresence ? page.presenceScene(made.presence, beat, atMs) : page.sceneOf(made.run, beat, atMs);
        if (!isPresence) checkStage(scene, at, about);
        else checkWords(`${scene.sentence} ${scene.clients[0].words}.`, LIST_CLAIMS, at, about);
      }
      simulation.close();
    }
    t.diagnostic(`${said.size} sentences`);
    assert.ok(said.size > 5, [...said].join(' '));
  });
}
