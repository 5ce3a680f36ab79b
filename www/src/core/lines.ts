// Messages as lines from their sending to their arrival, and which of them is under a point.

import type { SimulationMessage } from 'locket-wasm/slim';

/** A message as it is drawn. */
export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  message: SimulationMessage;
}

/** How far from a line a point may be and still mean it. */
const NEAR = 6;

/** The lines of messages; `y` is where somebody's lane runs. */
export function linesOf(messages: SimulationMessage[], x: (ms: number) => number, y: (name: string) => number | undefined): Line[] {
  return messages.flatMap((message): Line[] => {
    const [y1, to] = [y(message.from), y(message.to)];
    if (y1 === undefined || to === undefined) return [];
    // One that is lost gets half of the way.
    const y2 = message.fate === 'lost' ? (y1 + to) / 2 : to;
    return [{ x1: x(message.sentMs), y1, x2: x(message.arrivesMs ?? message.sentMs), y2, message }];
  });
}

/** Many lines as one path. */
export function pathOf(lines: Line[]): string {
  return lines.map(({ x1, y1, x2, y2 }) => `M${x1.toFixed(1)} ${y1}L${x2.toFixed(1)} ${y2}`).join('');
}

/** The line under a point, if there is one. */
export function nearest(lines: Line[], px: number, py: number): Line | undefined {
  const near = lines.map((line) => ({ line, away: distance(line, px, py) })).filter(({ away }) => away < NEAR);
  return near.sort((a, b) => a.away - b.away)[0]?.line;
}

function distance({ x1, y1, x2, y2 }: Line, px: number, py: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : Math.min(Math.max(((px - x1) * dx + (py - y1) * dy) / squared, 0), 1);
  return Math.hypot(px - x1 - along * dx, py - y1 - along * dy);
}
