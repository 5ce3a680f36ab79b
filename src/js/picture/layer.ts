// The parts of marks, and their input.

import type { SimulationTimeline } from '../simulation/timeline.js';
import type { Lanes } from './lanes.js';
import type { Names } from './names.js';

/** A colour by its name, or a pattern. */
export type Paint = 'none' | `pattern:${'down' | 'hatch' | 'paused'}` | (string & {});

/** Marks that look the same. */
export interface Layer {
  id: string;
  /** Where they are, as SVG has it. */
  d: string;
  fill: Paint;
  stroke: Paint;
  fillOpacity?: number;
  strokeWidth?: number;
  dash?: string;
}

/** What a scene is made of. */
export interface SceneInput {
  timeline: SimulationTimeline;
  lanes: Lanes;
  /** Where a moment is; moments out of view are outside of 0 to `width`. */
  x: (ms: number) => number;
  fromMs: number;
  toMs: number;
  width: number;
  names: Names;
  /** The number of an owner's colour. */
  colour: (owner: string) => number;
  /** The owner that a client presents. */
  ownerOf: (client: string) => string;
}
