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
  /** Two lines of words; a key stands before them where it has room. */
  pill: Record<Letter, Point> & { width: number; height: number; leading: number; keyWidth: number };
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
  client: { A: { x: 152, y: 152 }, B: { x: 848, y: 152 }, radius: 60, nameY: 238, realNameY: 257, badge: { x: 42, y: -42 } },
  pill: { A: { x: 152, y: 297 }, B: { x: 848, y: 297 }, width: 220, height: 50, leading: 20, keyWidth: 34 },
  file: { x: 310, y: 318, width: 380, height: 88, label: { x: 330, y: 358 }, hasNote: true, line: { x: 424, y: 334, size: 56, height: 56, gap: 8 } },
  lost: { tile: { x: 738, y: 362 }, word: { x: 782, y: 358 }, note: { x: 782, y: 380 }, anchor: 'start' },
  missing: { path: 'M224 150H290', cross: { x: 306, y: 150 }, label: { x: 274, y: 134 } },
  curve({ client, kind, line }) {
    const side = (x: number): number => (client === 'A' ? x : 1000 - x);
    if (kind === 'request') return { path: `M${side(220)} 130Q${side(304)} 104 ${side(384)} 132`, label: { x: side(302), y: 104 } };
    if (kind === 'answer') return { path: `M${side(386)} 180Q${side(304)} 200 ${side(224)} 166`, label: { x: side(304), y: 178 } };
    const x = lineX(WIDE, line);
    const label = { x: side(394), y: 289 };
    const down = `M${side(216)} 182C${side(300)} 194 ${side(318)} 214 ${side(330)} 250`;
    // The last two lines are right below B's way.
    if (client === 'B' && line > 1) return { path: `${down}C${side(338)} 282 ${x} 284 ${x} 326`, label };
    const [before, bend] = client === 'A' ? [x - 40, x - 8] : [x + 40, x + 8];
    return { path: `${down}C${side(342)} 286 ${side(352)} 298 ${side(388)} 298H${before}C${bend} 298 ${x} 303 ${x} 326`, label };
  },
};

export const NARROW: Geometry = {
  id: 'narrow',
  width: 358,
  height: 330,
  lock: { x: 179, y: 92, radius: 59, stroke: 11, scale: 0.62, titleY: 13, noteY: 0, leftY: 33, hasNote: false },
  client: { A: { x: 48, y: 104 }, B: { x: 310, y: 104 }, radius: 37, nameY: 160, realNameY: 175, badge: { x: 27, y: -27 } },
  pill: { A: { x: 60, y: 203 }, B: { x: 298, y: 203 }, width: 122, height: 40, leading: 15, keyWidth: 0 },
  file: { x: 2, y: 262, width: 250, height: 62, label: { x: 14, y: 298 }, hasNote: false, line: { x: 84, y: 274, size: 34, height: 38, gap: 7 } },
  lost: { tile: { x: 292, y: 276 }, word: { x: 356, y: 322 }, note: undefined, anchor: 'end' },
  missing: { path: 'M62 58Q76 44 92 46', cross: { x: 102, y: 48 }, label: { x: 54, y: 36 } },
  curve({ client, kind, line }) {
    const side = (x: number): number => (client === 'A' ? x : 358 - x);
    if (kind === 'request') return { path: `M${side(56)} 60Q${side(82)} 32 ${side(120)} 50`, label: { x: side(62), y: 32 } };
    if (kind === 'answer') return { path: `M${side(126)} 142Q${side(106)} 152 ${side(87)} 138`, label: { x: side(107), y: 137 } };
    const x = lineX(NARROW, line);
    // To the first two lines A goes round its own pill.
    if (client === 'A' && line < 2) return { path: `M80 132C128 168 134 196 130 226C127 248 ${x} 242 ${x} 268`, label: { x: 160, y: 226 } };
    return { path: `M${side(80)} 132C${side(128)} 190 ${x} 180 ${x} 268`, label: { x: side(158), y: 238 } };
  },
};
