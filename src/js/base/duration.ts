// Durations as texts, as in scenario files. They are parsed here and not in the module: a client
// checks its options before a module is loaded, and every call has a TTL.
// tests/node/base/durations.test.mjs compares both parsers.

import { kindOf, text } from './checks.js';
import { LocketArgumentError } from './errors.js';

/**
 * A duration with its unit: `'15s'`, `'250ms'`, `'1.5m'`, `'2h'`. A number without a unit is
 * refused. Members whose names end in `Ms` are numbers of milliseconds; they appear only in
 * results.
 */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

const UNITS = { ms: 1n, s: 1_000n, m: 60_000n, h: 3_600_000n };
const SIGNED = /^\p{White_Space}*(-?)(\d.*)$/su;
const FORM = /^(\d+)(?:\.(\d{1,19}))?\p{White_Space}*(ms|s|m|h)\p{White_Space}*$/u;
const BARE = /^\p{White_Space}*(\d+(?:\.\d+)?)\p{White_Space}*$/u;
/** An error shows at most this many characters of a text. */
const SHOWN_MAX = 40;
/** The module counts in 64 bits. */
const COUNT_MAX = 2n ** 64n - 1n;

/**
 * Parses a duration from outside, such as an environment variable. An error names `field`.
 *
 * @example
 * ```ts
 * const client = new LocketClient({ baseUrl, timeout: duration(process.env.LOCKET_TIMEOUT ?? '10s', 'LOCKET_TIMEOUT') });
 * ```
 *
 * @throws {@link LocketArgumentError} if the text is not a duration, or has no unit
 */
export function duration(given: string, field = 'duration'): Duration {
  durationMs(given, field);
  return given as Duration;
}

/**
 * The milliseconds of a duration, for APIs that take a number. An error names `field`.
 *
 * @throws {@link LocketArgumentError} if the text is not a duration, or has no unit
 */
export function durationMs(given: string, field = 'duration'): number {
  return lengthMs(text('field', field), given);
}

/** The lengths of the last few texts: callers repeat theirs in every call. */
const known = new Map<unknown, number>();

/** The milliseconds of a duration argument: a whole number from 0 to 2^53 − 1. */
export function lengthMs(field: string, given: unknown): number {
  const ms = signedMs(field, given);
  // Also if it is −0.
  if (1 / ms < 0) throw new LocketArgumentError(field, problemOf(given));
  return ms;
}

/** Like {@link lengthMs}, but 0 s is refused. */
export function someMs(field: string, given: unknown): number {
  const ms = lengthMs(field, given);
  if (ms === 0) throw new LocketArgumentError(field, 'expected more than 0s');
  return ms;
}

/** Like {@link lengthMs}, but the duration may be negative. */
export function signedMs(field: string, given: unknown): number {
  const before = known.get(given);
  if (before !== undefined) return before;
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw new LocketArgumentError(field, `expected a duration with its unit, such as '5s', not ${kindOf(given)}`);
  }
  const ms = parsed(String(given));
  if (ms === undefined) throw new LocketArgumentError(field, problemOf(given));
  if (known.size > 9) known.clear();
  known.set(given, ms);
  return ms;
}

/** A duration in whole seconds, or else in milliseconds. */
export function durationText(ms: number): Duration {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

function parsed(given: string): number | undefined {
  const [, sign = '', length = ''] = SIGNED.exec(given) ?? [];
  const ms = Number(count(length) ?? NaN);
  if (!Number.isSafeInteger(ms)) return undefined;
  return sign === '' ? ms : -ms;
}

/** An exact count: a fraction of a millisecond gives `undefined`. */
function count(length: string): bigint | undefined {
  const [, whole = '', fraction = '', unit] = FORM.exec(length) ?? [];
  // Compared as a number first, because an exact one takes long for a long text.
  if (unit === undefined || Number(whole) > COUNT_MAX) return undefined;
  const unitMs = UNITS[unit as keyof typeof UNITS];
  const scale = 10n ** BigInt(fraction.length);
  const part = BigInt(fraction) * unitMs;
  const ms = BigInt(whole) * unitMs + part / scale;
  return part > COUNT_MAX || part % scale !== 0n || ms > COUNT_MAX ? undefined : ms;
}

function problemOf(given: unknown): string {
  const words = String(given);
  const bare = BARE.exec(words)?.[1];
  const ms = bare === undefined || bare.length > SHOWN_MAX ? undefined : count(`${bare}s`);
  if (ms !== undefined) {
    // JavaScript's numbers from 1000 on are in milliseconds, as for `setTimeout`. A thousandth of a
    // larger one would be rounded.
    const isMs = Number.isInteger(given) && Number(bare) >= 1_000 && Number(bare) < 1e15;
    return `${bare} has no unit; write ${isMs ? Number(bare) / 1_000 : bare}s or ${isMs ? bare : ms}ms`;
  }
  const problem = FORM.test(words.trimStart())
    ? 'is out of range; expected a whole number of milliseconds up to 2^53 − 1'
    : 'is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h';
  return `${JSON.stringify(words.trim().slice(0, SHOWN_MAX))} ${problem}`;
}
