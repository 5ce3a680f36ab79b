// The questions for the safety margin, and its words.

import type { SafetyMargin } from 'locket-wasm/check';
import { length, type Names, seconds } from '../base/picture.js';
import type { SafetyMarginMoment, SimulationNode } from 'locket-wasm/types';

/** The longest pause that is tried. */
export const LONGEST_MS = 30_000;

/** More moments than this are not distinguishable. */
const MOMENTS_MAX = 60;
/** With more clients, every moment has so many continuations that they are tried only on demand. */
const CLIENTS_MAX = 6;

/** How far moments are apart: whole seconds. */
export function stepOf(endMs: number): number {
  return Math.max(Math.ceil(endMs / MOMENTS_MAX / 1_000), 1) * 1_000;
}

/** True if the margin is computed without a click. */
export function isCheap(cast: readonly SimulationNode[]): boolean {
  return cast.filter(({ kind }) => kind !== 'database' && kind !== 'locket').length <= CLIENTS_MAX;
}

/** The harm, as a noun. */
export function harmWords({ harm }: SafetyMargin): string {
  return { 'two-owners': 'two owners', 'presence-gap': 'a gap' }[harm];
}

/** The words of a moment. */
export function marginWords(margin: SafetyMargin, nowMs: number, names: Names): string {
  const harm = harmWords(margin);
  const isLost = margin.unavoidable.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < (toMs ?? Infinity));
  if (isLost) return `Past the point of no return: ${harm} once every fault ends.`;
  const moment = margin.moments.findLast(({ atMs }) => atMs <= nowMs);
  return moment === undefined ? '' : `At ${seconds(moment.atMs)} ${momentWords(moment, harm, names)}`;
}

function momentWords({ smallestMs, node, lastsAlready }: SafetyMarginMoment, harm: string, names: Names): string {
  if (smallestMs === null) return `no freeze of one node up to ${length(LONGEST_MS)} gives ${harm}.`;
  if (smallestMs === 0) return `no further fault is needed for ${harm}.`;
  const name = names(node ?? '');
  return lastsAlready ? `${name} is frozen; ${length(smallestMs)} more give ${harm}.` : `a freeze of ${name} for ${length(smallestMs)} gives ${harm}.`;
}
