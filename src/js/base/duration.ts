// Lengths of time as texts, as in scenario files. Read here and not by the module: a client checks its options before any
// module is there, and every call has a TTL. tests/node/base/durations.test.mjs compares both.

import { kindOf, text } from './checks.js';
import { LocketArgumentError } from './errors.js';

/**
 * A length of time with its unit: `'15s'`, `'250ms'`, `'1.5m'`, `'2h'`. A number without a unit is refused. Members whose names
 * end in `Ms` are numbers of milliseconds, and only come out.
 */
export type Duration = `${number}${'ms' | 's' | 'm' | 'h'}`;

const UNITS = { ms: 1n, s: 1_000n, m: 60_000n, h: 3_600_000n };
const FORM = /^\s*(-?)(\d+)(?:\.(\d+))?\s*(ms|s|m|h)\s*$/;

/**
 * Checks a text from outside, such as an environment variable. A mistake is reported as that of `field`.
 *
 * @example
 * ```ts
 * const client = new LocketClient({ baseUrl, timeout: duration(process.env.LOCKET_TIMEOUT ?? '10s', 'LOCKET_TIMEOUT') });
 * ```
 *
 * @throws {@link LocketArgumentError} if it is no duration, or has no unit
 */
export function duration(given: string, field = 'duration'): Duration {
  durationMs(given, field);
  return given as Duration;
}

/**
 * The milliseconds of a duration, for what takes a number. A mistake is reported as that of `field`.
 *
 * @throws {@link LocketArgumentError} if it is no duration, or has no unit
 */
export function durationMs(given: string, field = 'duration'): number {
  return lengthMs(text('field', field), given);
}

/** The text and the length that were read last: callers repeat theirs in every call. */
let last: [given: unknown, ms: number] = ['0s', 0];

/** The milliseconds of an argument that is a duration: a whole number from 0 to 2^53 − 1. */
export function lengthMs(field: string, given: unknown): number {
  const ms = signedMs(field, given);
  if (ms < 0) throw new LocketArgumentError(field, problemOf(String(given)));
  return ms;
}

/** As {@link lengthMs}, but of what may be negative too. */
export function signedMs(field: string, given: unknown): number {
  if (given === last[0]) return last[1];
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw new LocketArgumentError(field, `expected a duration with its unit, such as '5s', not ${kindOf(given)}`);
  }
  const ms = parsed(String(given));
  if (ms === undefined) throw new LocketArgumentError(field, problemOf(String(given)));
  last = [given, ms];
  return ms;
}

/** Exact: a fraction that is no whole number of milliseconds is none. */
function parsed(given: string): number | undefined {
  const [, sign, whole = '', fraction = '', unit] = FORM.exec(given) ?? [];
  if (unit === undefined || whole.length + fraction.length > 30) return undefined;
  const scale = 10n ** BigInt(fraction.length);
  const scaled = (BigInt(whole) * scale + BigInt(fraction || 0)) * UNITS[unit as keyof typeof UNITS];
  const ms = Number(scaled / scale);
  if (scaled % scale !== 0n || !Number.isSafeInteger(ms)) return undefined;
  return sign === '-' ? -ms : ms;
}

function problemOf(given: string): string {
  const shown = given.trim().slice(0, 40);
  const asSeconds = /\d$/.test(shown) ? parsed(`${shown}s`) : undefined;
  if (asSeconds !== undefined && asSeconds >= 0) return `${shown} has no unit; write ${shown}s or ${asSeconds}ms`;
  return `${JSON.stringify(shown)} is not a duration; write a number with its unit: 15s, 250ms, 1.5m, 2h`;
}
