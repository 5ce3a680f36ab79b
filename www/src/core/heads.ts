// The names beside the lanes of a diagram, which are HTML, and the colours of owners as style sheets have them.

import { colourIndexes } from '../base/picture.js';

const NARROW_MAX = 620;

/** Whether names stand above their lanes, and how much room they have beside them if not. */
export function headsFor(width: number): { isNarrow: boolean; headWidth: number } {
  return width < NARROW_MAX ? { isNarrow: true, headWidth: 0 } : { isNarrow: false, headWidth: width < 800 ? 240 : 252 };
}

/** The colour of an owner. */
export function colours(owners: Iterable<string>): (owner: string) => string {
  const index = colourIndexes(owners);
  return (owner) => `var(--owner-${index(owner)})`;
}
