// Settings by their two costs as an SVG file: how long a crash leaves no owner, and renewals an hour.

import { escaped, printable } from '../base/text.js';
import { length } from '../base/times.js';
import { coloursOf } from './palette.js';
import { ticksOf } from './ticks.js';

/** Settings in words, and what they cost. */
export interface Cost {
  words: string;
  /** The longest time without an owner after a crash. */
  waitMs: number;
  renewalsPerHour: number;
}

const WIDTH = 760;
const HEIGHT = 440;
const LEFT = 72;
const RIGHT = 200;
const TOP = 64;
const BOTTOM = 64;
const TICKS = 6;
/** Axes end so far beyond the dearest settings. */
const SPARE = 1.1;

/** The costs as a picture, a point for each settings. */
export function costPicture(costs: readonly Cost[], headline: string): string {
  const colour = coloursOf('light');
  const far = SPARE * Math.max(...costs.map(({ waitMs }) => waitMs), 1);
  const high = SPARE * Math.max(...costs.map(({ renewalsPerHour }) => renewalsPerHour), 1);
  const x = (ms: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * ms) / far;
  const y = (renewals: number): number => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * renewals) / high;
  const text = (left: number, top: number, said: string, paint: string, anchor: string): string =>
    `<text x='${left.toFixed(1)}' y='${top.toFixed(1)}' font-family='system-ui, sans-serif' font-size='13' text-anchor='${anchor}' paint-order='stroke' stroke='${colour('ground')}' stroke-width='4' fill='${colour(paint)}'>${escaped(printable(said))}</text>`;
  return [
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${HEIGHT}' width='${WIDTH}' height='${HEIGHT}' role='img' aria-label='${escaped(printable(headline))}'>`,
    `<rect width='${WIDTH}' height='${HEIGHT}' fill='${colour('ground')}'/>`,
    text(LEFT, 28, headline, 'ink', 'start'),
    text(LEFT, TOP - 10, 'renewals an hour', 'ink-soft', 'start'),
    text(WIDTH - RIGHT, HEIGHT - 16, 'time until another owner after a crash', 'ink-soft', 'end'),
    ...ticksOf(0, high, TICKS).map((count) => `<path d='M${LEFT} ${y(count).toFixed(1)}H${WIDTH - RIGHT}' stroke='${colour('line')}'/>${text(LEFT - 8, y(count) + 4.5, String(count), 'ink-soft', 'end')}`),
    ...ticksOf(0, far, TICKS).map((ms) => text(x(ms), HEIGHT - BOTTOM + 20, length(ms), 'ink-soft', 'middle')),
    ...costs.map(({ words, waitMs, renewalsPerHour }) => {
      const [left, top] = [x(waitMs), y(renewalsPerHour)];
      return `<circle cx='${left.toFixed(1)}' cy='${top.toFixed(1)}' r='5' fill='${colour('owner-0')}'/>${text(left + 10, top - 8, words, 'ink', 'start')}`;
    }),
    '</svg>\n',
  ].join('\n');
}
