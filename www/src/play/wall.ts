// The wall: for each moment at which one may begin to hold A, the shortest hold that does harm, in the run that nobody else has touched.

import { checker } from '../story/checker.js';
import { type Act, type PlaySettings, scenarioOf } from './acts.js';
import { faultOf, worstFreeze } from './after.js';

/** A try of a game with these settings. */
export interface Try {
  settings: PlaySettings;
  atMs: number;
  forMs: number;
  isHit: boolean;
  isTheirs: boolean;
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
export function tryOf(settings: PlaySettings, acts: readonly Act[], isHit: boolean, isTheirs: boolean): Try | undefined {
  const [hold] = acts;
  if (acts.length !== 1 || hold === undefined || !('untilMs' in hold) || hold.untilMs === undefined || hold.client !== 'A') return undefined;
  return { settings, atMs: hold.atMs, forMs: hold.untilMs - hold.atMs, isHit, isTheirs };
}
