// Durations as people type them. A number without a unit is invalid: 5 could be seconds or milliseconds.

import { length } from '../base/picture.js';

export type Typed = { is: 'duration'; ms: number } | { is: 'either'; choices: readonly [seconds: number, milliseconds: number] } | { is: 'problem'; message: string };

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, sec: 1_000, seconds: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/** @param name what it is, for the message */
export function typedDuration(name: string, text: string): Typed {
  const [, digits = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const amount = Number(digits);
  if (digits === '') return { is: 'problem', message: `${name}: “${text.trim()}” is not a duration; write 5s or 5000ms` };
  if (unit === '' && amount === 0) return { is: 'duration', ms: 0 };
  if (unit === '') return { is: 'either', choices: [amount * 1_000, amount] };
  const factor = UNITS_MS[unit.toLowerCase()];
  if (factor === undefined) return { is: 'problem', message: `${name}: the unit “${unit}” is unknown; write 5s or 5000ms` };
  const ms = amount * factor;
  if (!Number.isInteger(ms) || ms > LONGEST_MS) return { is: 'problem', message: `${name}: write whole milliseconds up to 24 h` };
  return { is: 'duration', ms };
}

/** `5 s` or `5 ms`, whichever was meant. */
export function choiceText(ms: number): string {
  return ms < 1_000 && ms > 0 ? `${ms} ms` : length(ms);
}
