// The package's answers about a game that is over: the shortest freeze from where the visitor began, the shortest of any schedule, and
// whether the clients are safe.

import type { Question } from 'locket-wasm/check';
import { length } from '../base/picture.js';

import { durationText } from '../base/time.js';
import { DELAY_USUAL_MS } from '../core/questions.js';
import type { Needed } from '../core/sentences.js';
import type { AskedMargin } from '../core/checker-words.js';
import type { Letter } from '../story/run.js';
import { checker, STATES_MAX } from '../story/checker.js';
import { type Act, CELLS, FREEZE_MAX_MS, type Hold, NAMES, type Played, type PlaySettings } from './acts.js';
import type { Shown } from './game.svelte.js';
import { makeOf, runOf } from './made.js';

const TENTH_MS = 100;
/** For so long a schedule is shown after its two owners have begun. */
const SEEN_MS = 2_000;

/** The shortest freeze or cut of the same client from the same moment on. */
export async function neededFrom({ settings, acts }: Played, { do: verb, client, atMs }: Hold, signal: AbortSignal): Promise<Needed> {
  const run = runOf({ settings, acts: acts.filter((act: Act) => act.atMs < atMs) }, atMs);
  const { moments } = await checker.danger({ run, stepMs: atMs, longestMs: FREEZE_MAX_MS, pauseStepMs: TENTH_MS, of: faultOf(verb, client) }, signal);
  const moment = moments.findLast((one) => one.atMs === atMs);
  if (moment?.smallestMs === null) return { is: 'none', upToMs: FREEZE_MAX_MS };
  // None is needed where the harm is there already.
  return moment?.node == null ? { is: 'unknown' } : { is: 'known', ms: moment.smallestMs };
}

/** What a hold of a client is in the words of the package. */
export function faultOf(verb: Hold['do'], client: Letter): NonNullable<AskedMargin['of']> {
  return verb === 'cut' ? { fault: 'isolation', node: CELLS[client] } : { fault: 'pause', node: NAMES[client] };
}

/** A verdict about the clients of the game, with its bounds, as the package words it, and whether it is a proof for any number of them. */
export async function verdictOn(played: Played, endMs: number, signal: AbortSignal): Promise<{ words: string; isProof: boolean }> {
  const { question } = await questionOf(played, endMs, signal);
  const { verdict, clients, summary } = await checker.explore(question, signal);
  // Of a presence the rest is small print about a gap of any length.
  const words = played.settings.isPresence === true ? (/^.*?[.](?= [A-Z]|$)/.exec(summary)?.[0] ?? summary) : summary;
  return { words, isProof: verdict === 'safe' && clients === 'any' };
}

/** A schedule with a shorter freeze, and how long that is; `undefined` if no shorter one breaks these settings. */
export async function shorter(played: Played, endMs: number, signal: AbortSignal): Promise<Shown | undefined> {
  const { question } = await questionOf(played, endMs, signal);
  const freezeMs = await worstOf(question, signal);
  if (freezeMs === null) return undefined;
  const { scenario, timeMs, bounds } = await checker.explore({ ...question, faults: { ...question.faults, pause: { length: durationText(freezeMs), count: 1 } } }, signal);
  if (scenario === null || timeMs === null) return undefined;
  const made = makeOf(scenario);
  return {
    made, untilMs: Math.min(timeMs + SEEN_MS, made.run.endMs - 1),
    words: `${freezeMs === 0 ? 'No freeze is needed' : `A freeze of ${length(freezeMs)} is enough`} in the worst schedule. ${bounds}`,
  };
}

/** The shortest freeze that gives two owners in a game that nobody has touched yet, in any schedule; `null` if none up to the TTL does. */
export async function worstFreeze(settings: PlaySettings, endMs: number, signal: AbortSignal): Promise<number | null> {
  return await worstOf((await questionOf({ settings, acts: [] }, endMs, signal)).question, signal);
}

async function worstOf(question: Question, signal: AbortSignal): Promise<number | null> {
  let freezeMs: number | null = null;
  await checker.map([{ ...question, faults: { ...question.faults, pause: 0 }, axis: 'pause' }], STATES_MAX, signal, ([cell]) => (freezeMs = cell?.breaksAt ?? null));
  return freezeMs;
}

/** The package's question about the game: its clients, with the faults that the visitor has done. */
async function questionOf(played: Played, endMs: number, signal: AbortSignal): ReturnType<typeof checker.questionOfRun> {
  return await checker.questionOfRun({ run: runOf(played, endMs), happened: true, bounds: {}, delayMs: DELAY_USUAL_MS, isAboutGap: played.settings.isPresence === true }, signal);
}
