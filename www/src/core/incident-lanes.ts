// Where the lanes of an incident are: for each key a strip for what is marked, its row, and its clients.

import type { KeyTimeline, Lane } from 'locket-wasm/diagnose';

/** A lane with its place. */
export interface PlacedLane {
  lane: Lane;
  top: number;
  height: number;
  /** Where its line runs. */
  middle: number;
}

/** The lanes of a key. */
export interface Section {
  timeline: KeyTimeline;
  /** Where the strip for brackets and their words begins. */
  top: number;
  bottom: number;
  lanes: PlacedLane[];
}

/** The strip above a key's lanes. */
export const STRIP = 26;
const GAP = 10;
/** With more lanes than these each gets less room. */
const ROOMY_MAX = 10;

/** The lanes of keys, from top to bottom. */
export function sectionsOf(timelines: readonly KeyTimeline[], isNarrow: boolean): { sections: Section[]; height: number } {
  const count = timelines.reduce((sum, { lanes }) => sum + lanes.length, 0);
  const height = isNarrow ? 58 : count > ROOMY_MAX ? 36 : 48;
  let top = 0;
  const sections = timelines.map((timeline) => {
    const begin = top;
    const lanes = timeline.lanes.map((lane, index) => {
      const laneTop = begin + STRIP + index * height;
      // Above the line of a narrow one stands its name.
      return { lane, top: laneTop, height, middle: isNarrow ? laneTop + height - 17 : laneTop + height / 2 };
    });
    const bottom = begin + STRIP + lanes.length * height;
    top = bottom + GAP;
    return { timeline, top: begin, bottom, lanes };
  });
  return { sections, height: Math.max(top - GAP, 0) };
}
