// Checks of what callers pass in that need the module, beside those of checks.ts, which do not.

import { parseDuration } from '#glue';

import { kindOf, safeInteger, text } from './checks.js';
import { LocketArgumentError } from './errors.js';
import { callWasm } from './wasm.js';

export { checkBoolean, checkChoice, checkFunction, checkSignal, jsonText, kindOf, knownFields, optionalText, safeInteger, text, wholeMs } from './checks.js';

/** A length of time with its unit: `'15s'`, `'250ms'`, `'1.5m'`, `'2h'`. Members whose names end in `Ms` are numbers instead. */
export type Duration = string;

/**
 * The milliseconds of a duration, for what takes a number. A mistake is reported as that of `field`.
 *
 * @example
 * ```ts
 * const client = new LocketClient({ baseUrl, timeoutMs: durationMs(process.env.LOCKET_TIMEOUT ?? '10s') });
 * ```
 *
 * @throws {@link LocketArgumentError} if it is none, or has no unit
 */
export function durationMs(duration: Duration, field = 'duration'): number {
  return lengthMs(text('field', field), duration);
}

/** The milliseconds of an argument that is a duration: a whole number from 0 to 2^53 − 1. */
export function lengthMs(field: string, duration: unknown): number {
  if (typeof duration !== 'string' && typeof duration !== 'number') {
    throw new LocketArgumentError(field, `expected a duration with its unit, such as '5s', not ${kindOf(duration)}`);
  }
  return safeInteger(field, callWasm(() => parseDuration(field, String(duration))), 0);
}

/** How long a message of an answer may be; a frame can say no more than 32 bits. Left out, it is gRPC's default. */
export function checkMaxMessageBytes(value: unknown): number | undefined {
  return value === undefined ? undefined : safeInteger('maxMessageBytes', value, 1, 2 ** 32 - 1);
}
