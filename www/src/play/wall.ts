// The wall: for each moment at which one may begin to hold A, the shortest hold that does harm, in the run that nobody else has touched.

import { checker } from '../story/checker.js';
import { type Played, type PlaySettings, scenarioOf, type Tried } from './acts.js';
import { faultOf, worstFreeze } from './after.js';
import { type Made, make } from './made.js';

/** A try of a game with these settings. */
export interface Try extends Tried {
  settings: PlaySettings;
  atMs: number;
  forMs: number;
  isHit: boolean;
}

/** The answers of the safety margin. */
export interface Wall {
  settings: PlaySettings;
  /** The shortest hold from a moment on; `null` if none up to the longest that was tried does harm. */
  moments: readonly { atMs: number; needMs: number | null }[];
  /** The same in any schedule, where messages may be slow; `null` for presences, too. */
  worstMs: number | null;
}

/** How far moments are apart, and when the last one is: then the run begins anew. */
export const WALL_STEP_MS = 400;
const END_MS = 28_000;
/** Longer holds are out of the picture. */
export const WALL_MAX_MS = 40_000;
const TENTH_MS = 100;

export async function wallOf(settings: PlaySettings, signal: AbortSignal): Promise<Wall> {
  const isPresence = settings.isPresence === true;
  const of = faultOf(isPresence ? 'cut' : 'freeze', 'A');
  const run = scenarioOf(settings, END_MS);
  const [{ moments }, worstMs] = await Promise.all([
    checker.danger({ run, stepMs: WALL_STEP_MS, longestMs: WALL_MAX_MS, pauseStepMs: TENTH_MS, of }, signal),
    isPresence ? null : worstFreeze(settings, END_MS, signal),
  ]);
  return { settings, moments: moments.map(({ atMs, smallestMs }) => ({ atMs, needMs: smallestMs })), worstMs };
}

/** The try of a game, if it is a single hold of A; `undefined` while it lasts. */
export function tryOf({ settings, acts, made }: Played & { made: Made }, isTheirs: boolean): Try | undefined {
  const [act] = acts;
  if (acts.length !== 1 || act === undefined || !('untilMs' in act) || act.untilMs === undefined || act.client !== 'A') return undefined;
  return { settings, act, atMs: act.atMs, forMs: act.untilMs - act.atMs, isHit: made.twoOwners.length > 0 || (made.presence?.run.holders.length ?? 1) > 1, isTheirs };
}

/** The tries that a link has. */
export function triesOf({ settings, tried = [] }: Played, isOwn: boolean): Try[] {
  return tried.flatMap(({ act, isTheirs }) => tryOf({ settings, acts: [act], made: make({ settings, acts: [act] }) }, isTheirs || !isOwn) ?? []);
}
