// Where things stand on the stage: one drawing for wide screens, one for phones. Units are those of the drawing.

import type { Letter } from './run.js';
import type { Flight } from './scene.js';

interface Point {
  x: number;
  y: number;
}

/** A curve and the place of its word. */
export interface Curve {
  path: string;
  label: Point;
}

/** A drawing of the stage. */
export interface Geometry {
  id: 'narrow' | 'wide';
  width: number;
  height: number;
  lock: Point & { radius: number; stroke: number; scale: number; titleY: number; noteY: number; leftY: number; hasNote: boolean };
  client: Record<Letter, Point> & { radius: number; nameY: number; realNameY: number; badge: Point };
  pill: Record<Letter, Point> & { width: number | undefined; height: number; linesMax: 1 | 2 };
  file: Point & { width: number; height: number; label: Point; hasNote: boolean; line: { x: number; y: number; size: number; height: number; gap: number } };
  lost: { tile: Point; word: Point; note: Point | undefined; anchor: 'end' | 'start' };
  /** Of a renewal that was not sent. */
  missing: { path: string; cross: Point; label: Point };
  curve(flight: Pick<Flight, 'client' | 'kind' | 'line'>): Curve;
}

/** The middle of a line of the file. */
export function lineX({ file }: Geometry, line: number): number {
  return file.line.x + line * (file.line.size + file.line.gap) + file.line.size / 2;
}

export const WIDE: Geometry = {
  id: 'wide',
  width: 1000,
  height: 412,
  lock: { x: 500, y: 168, radius: 98, stroke: 16, scale: 1, titleY: 22, noteY: 43, leftY: 58, hasNote: true },
  client: { A: { x: 140, y: 152 }, B: { x: 860, y: 152 }, radius: 60, nameY: 238, realNameY: 257, badge: { x: 42, y: -42 } },
  pill: { A: { x: 140, y: 286 }, B: { x: 860, y: 286 }, width: undefined, height: 32, linesMax: 1 },
  file: { x: 310, y: 318, width: 380, height: 88, label: { x: 330, y: 358 }, hasNote: true, line: { x: 424, y: 334, size: 56, height: 56, gap: 8 } },
  lost: { tile: { x: 738, y: 362 }, word: { x: 782, y: 358 }, note: { x: 782, y: 380 }, anchor: 'start' },
  missing: { path: 'M210 150H280', cross: { x: 296, y: 150 }, label: { x: 262, y: 134 } },
  curve({ client, kind, line }) {
    const side = (x: number): number => (client === 'A' ? x : 1000 - x);
    if (kind === 'request') return { path: `M${side(208)} 130Q${side(298)} 104 ${side(384)} 132`, label: { x: side(298), y: 102 } };
    if (kind === 'answer') return { path: `M${side(386)} 180Q${side(298)} 200 ${side(212)} 168`, label: { x: side(298), y: 178 } };
    const x = lineX(WIDE, line);
    const [start, bend] = client === 'A' ? [Math.min(x - 40, 380), x - 8] : [Math.max(x + 40, 700), x + 8];
    const path = `M${side(204)} 186C${side(284)} 206 ${side(264)} 296 ${side(350)} 296H${start}C${bend} 296 ${x} 302 ${x} 326`;
    return { path, label: { x: side(388), y: 287 } };
  },
};

export const NARROW: Geometry = {
  id: 'narrow',
  width: 358,
  height: 330,
  lock: { x: 179, y: 92, radius: 56, stroke: 11, scale: 0.62, titleY: 14, noteY: 0, leftY: 34, hasNote: false },
  client: { A: { x: 52, y: 104 }, B: { x: 306, y: 104 }, radius: 37, nameY: 160, realNameY: 175, badge: { x: 27, y: -27 } },
  pill: { A: { x: 58, y: 202 }, B: { x: 300, y: 202 }, width: 116, height: 40, linesMax: 2 },
  file: { x: 2, y: 262, width: 250, height: 62, label: { x: 16, y: 298 }, hasNote: false, line: { x: 82, y: 274, size: 34, height: 38, gap: 7 } },
  lost: { tile: { x: 292, y: 276 }, word: { x: 356, y: 322 }, note: undefined, anchor: 'end' },
  missing: { path: 'M66 58Q80 44 96 46', cross: { x: 106, y: 48 }, label: { x: 56, y: 40 } },
  curve({ client, kind, line }) {
    const side = (x: number): number => (client === 'A' ? x : 358 - x);
    if (kind === 'request') return { path: `M${side(60)} 60Q${side(86)} 34 ${side(124)} 52`, label: { x: side(66), y: 34 } };
    if (kind === 'answer') return { path: `M${side(128)} 140Q${side(108)} 152 ${side(90)} 138`, label: { x: side(118), y: 166 } };
    const x = lineX(NARROW, line);
    return { path: `M${side(84)} 132C${side(128)} 190 ${x} 180 ${x} 268`, label: { x: side(136), y: 204 } };
  },
};
