// The status line: the facts of this run, joined with the search's verdict on its settings.
//
// A run with two owners is red, whatever the search says; green is only a run inside the bounds of a search that found no schedule with
// two owners. Nothing here reads the cursor.

import type { RunQuestion } from 'locket-wasm/check';
import { headlineOf, length, type Outcome } from '../base/picture.js';

/** A part of a run outside of the bounds of a check. Other keys change nothing about its own. */
export type Leaving = RunQuestion['outside'][number];

/** The search's verdict on the settings. */
export type SearchFacts =
  | { is: 'safe'; bounds: string }
  | { is: 'unsafe'; longestMs: number | null }
  | { is: 'running'; states: number }
  | { is: 'unknown'; states: number }
  /** These settings cannot be searched; why, as a sentence. */
  | { is: 'none'; why: string };

export type Tone = 'green' | 'grey' | 'red' | 'red-outline' | 'outline';

/** The content of the line. */
export interface Status {
  tone: Tone;
  /** The fact that matters, in bold. */
  strong: string;
  /** The text after it. */
  rest: string;
  /** The line's button: the moment of this run, the search's counterexample, or a check that includes this run. */
  action: 'include' | 'moment' | 'schedule' | undefined;
}

const DISAGREES = 'The search disagrees. Please report this bug.';

/** A validation error of a scenario's text. */
export interface TextProblem { line: number; message: string }

/**
 * @param leaves what of the run leaves the bounds of the search
 * @param problem what is wrong with the text, if it is not the one that is shown
 */
export function statusOf(run: Outcome & { isSettled: boolean }, search: SearchFacts, leaves: readonly Leaving[], problem?: TextProblem): Status {
  if (problem !== undefined) return { tone: 'outline', strong: `Line ${problem.line}:`, rest: problem.message, action: undefined };
  const { strong, rest } = headlineOf(run);
  if (!run.hasOwner || run.gapMs !== undefined) return { tone: 'grey', strong, rest, action: undefined };
  if (run.overlaps.length === 0) return { strong, ...((run.wrongWrites ?? 0) > 0 ? besideWrong(run, search, leaves) : besideOne(run, search, leaves)) };
  const longest = Math.max(...run.overlaps.map(({ fromMs, toMs }) => toMs - fromMs));
  return { tone: 'red', strong, rest: `${rest} ${besideTwo(search, longest, leaves)}`, action: 'moment' };
}

function besideTwo(search: SearchFacts, longestOverlap: number, leaves: readonly Leaving[]): string {
  switch (search.is) {
    case 'unsafe':
      return unsafeBesideTwo(search.longestMs, longestOverlap, leaves);
    case 'running':
      return 'Searching for the longest overlap.';
    case 'unknown':
      return `Longest overlap unknown: the search stopped at ${states(search.states)}.`;
    case 'none':
      return search.why;
    case 'safe':
      return leaves.length === 0 ? DISAGREES : outside(leaves);
  }
}

/** A run that leaves the bounds may have two owners for longer than any schedule within them. */
function unsafeBesideTwo(longestMs: number | null, longestOverlap: number, leaves: readonly Leaving[]): string {
  if (longestMs === null) return 'These settings allow it.';
  const allowed = `allow up to ${length(longestMs)}`;
  if (longestOverlap <= longestMs) return `These settings ${allowed}.`;
  return leaves.length === 0 ? DISAGREES : `Within the bounds of the check these settings ${allowed}.`;
}

/** A run in which the storage took a wrong write. */
function besideWrong(run: Outcome & { isSettled: boolean }, search: SearchFacts, leaves: readonly Leaving[]): Omit<Status, 'strong'> {
  const beside = search.is === 'unsafe' || search.is === 'safe' ? besideTwo(search, 0, leaves) : besideOne(run, search, leaves).rest;
  return { tone: 'red', rest: beside, action: undefined };
}

function besideOne({ isSettled, wrongWrites }: Outcome & { isSettled: boolean }, search: SearchFacts, leaves: readonly Leaving[]): Omit<Status, 'strong'> & { strong?: string } {
  switch (search.is) {
    case 'unsafe':
      return { tone: 'red-outline', rest: `These settings allow ${wrongWrites === undefined ? 'two' : 'a wrong write'}${search.longestMs === null ? '' : ` for up to ${length(search.longestMs)}`}.`, action: 'schedule' };
    case 'running':
      return { tone: 'grey', rest: `Searching other schedules: ${states(search.states)}.`, action: undefined };
    case 'unknown':
      return { tone: 'grey', rest: `Other schedules unknown: the search stopped at ${states(search.states)}.`, action: undefined };
    case 'none':
      return { tone: 'grey', rest: search.why, action: undefined };
    case 'safe':
      if (leaves.length > 0) return { tone: 'grey', rest: outside(leaves), action: leaves.every(({ is }) => is === 'wider') ? 'include' : undefined };
      if (!isSettled) return { tone: 'grey', rest: 'The run ends before everything has settled.', action: undefined };
      return { tone: 'green', strong: 'Safe within these bounds:', rest: `${search.bounds}.`, action: undefined };
  }
}

/** The first that no check tries, or the first. */
function outside(leaves: readonly Leaving[]): string {
  const words = (leaves.find(({ is }) => is === 'never') ?? leaves[0])?.words ?? '';
  return `Outside the bounds of the check: ${words}.`;
}

function states(count: number): string {
  return `${count.toLocaleString('en')} states`;
}
