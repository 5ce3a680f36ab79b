// The options of a function, checked by a table: each option with what checks it and gives its value.

import { checkBoolean, checkChoice, checkFunction, checkSignal, kindOf, knownFields, safeInteger } from './checks.js';
import { type Duration, lengthMs } from './duration.js';
import { LocketArgumentError } from './errors.js';

/** Checks an option, whose value is undefined if it is left out, and gives what the function works with. */
export type Check<T> = (field: string, value: unknown) => T;

export type Checks = Readonly<Record<string, Check<unknown>>>;

/** The values of checked options. */
export type Checked<C extends Checks> = { [K in keyof C]: ReturnType<C[K]> };

/** Checks options in the order of their table. `name` is the argument with them. */
export function checkedOptions<C extends Checks>(options: unknown, checks: C, name = 'options'): Checked<C> {
  knownFields(name, options, new Set(Object.keys(checks)));
  const given = options as Record<string, unknown>;
  return Object.fromEntries(Object.entries(checks).map(([option, check]) => [option, check(option, given[option])])) as Checked<C>;
}

/** An option that another function checks. */
export const passedOn: Check<unknown> = (_, value) => value;

export const whole =
  (min: number, max: number, byDefault?: number): Check<number> =>
  (field, value = byDefault) =>
    safeInteger(field, value, min, max);

export const flag =
  (byDefault: boolean): Check<boolean> =>
  (field, value = byDefault) =>
    checkBoolean(field, value);

/** A length of time, in milliseconds. */
export const lengthOf =
  (byDefault: Duration): Check<number> =>
  (field, value = byDefault) =>
    lengthMs(field, value);

/** The longest time of a platform's timer, in milliseconds: longer ones fire at once in every JavaScript engine. */
export const TIMEOUT_MAX = 2 ** 31 - 1;

/** A length of time for a platform's timer, in milliseconds. */
export const timeoutOf =
  (byDefault: Duration, leastMs = 0): Check<number> =>
  (field, value = byDefault) => {
    const ms = lengthMs(field, value);
    if (ms >= leastMs && ms <= TIMEOUT_MAX) return ms;
    throw new LocketArgumentError(field, `expected ${leastMs}ms to ${TIMEOUT_MAX}ms, not ${String(value)}`);
  };

/** One of these; the first by default. */
export const oneOf =
  <T extends string>(...choices: readonly T[]): Check<T> =>
  (field, value = choices[0]) => {
    checkChoice(field, value, choices);
    return value as T;
  };

/** A list of texts. */
export const texts: Check<readonly string[]> = (field, value) => {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new LocketArgumentError(field, `expected a list of strings, not ${kindOf(value)}`);
};

/** A check of a value that may be left out. */
export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (field, value) =>
    value === undefined ? undefined : check(field, value);

export const abortSignal: Check<AbortSignal | undefined> = (_, value) => {
  checkSignal(value);
  return value as AbortSignal | undefined;
};

export const callable: Check<(...args: never[]) => unknown> = (field, value) => {
  checkFunction(field, value);
  return value as (...args: never[]) => unknown;
};

export const callback = optional(callable);

/** A listener as event targets take it. */
export const listener: Check<unknown> = (field, value) => (typeof value === 'object' && value !== null ? value : callback(field, value));

/**
 * The longest message of an answer, in bytes. A frame's length has 32 bits; left out, gRPC's
 * default holds.
 */
export const messageBytes = optional(whole(1, 2 ** 32 - 1));
