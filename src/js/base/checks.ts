// Checks of arguments: JavaScript callers may pass anything. Each check names the field that it
// refuses. The checks need no module, so code outside the clients can use them too.

import { LocketArgumentError } from './errors.js';
import { insteadOf } from './unknown-name.js';

/** A whole number from `min` to `max`. */
export function safeInteger(field: string, value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number') throw new LocketArgumentError(field, `expected a number, not ${kindOf(value)}`);
  if (!Number.isSafeInteger(value)) {
    throw new LocketArgumentError(field, `expected a whole number up to 2^53 − 1, not ${value}`);
  }
  if (value < min || value > max) {
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
    throw new LocketArgumentError(field, `expected ${range}, not ${value}`);
  }
  return value;
}

/** An argument in milliseconds: a whole number from 0 to 2^53 − 1. */
export function wholeMs(field: string, ms: unknown): number {
  if (typeof ms === 'string') throw new LocketArgumentError(field, 'expected a number of milliseconds, such as 5000, not a string');
  return safeInteger(field, ms, 0);
}

/**
 * A text that UTF-8 can carry. UTF-8 turns half a surrogate pair into U+FFFD, so two keys would
 * become one.
 */
export function text(field: string, value: unknown): string {
  if (typeof value !== 'string') throw new LocketArgumentError(field, `expected a string, not ${kindOf(value)}`);
  const at = value.search(LONE_SURROGATE);
  if (at >= 0) throw new LocketArgumentError(field, `expected well-formed text; character ${at} is half of a surrogate pair`);
  return value;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** A text; the empty text if the argument is left out. */
export function optionalText(field: string, value: unknown): string {
  return value === undefined ? '' : text(field, value);
}

/** One of the choices, or left out. */
export function checkChoice(field: string, value: unknown, choices: readonly string[]): void {
  if (value !== undefined && !choices.includes(value as string)) {
    throw new LocketArgumentError(field, `expected ${choices.map((choice) => `'${choice}'`).join(' or ')}`);
  }
}

/** True or false. */
export function checkBoolean(field: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw new LocketArgumentError(field, `expected a boolean, not ${kindOf(value)}`);
  return value;
}

/** An abort signal, or left out. */
export function checkSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new LocketArgumentError('signal', `expected an AbortSignal, not ${kindOf(signal)}`);
  }
}

/** A function. */
export function checkFunction(field: string, value: unknown): void {
  if (typeof value !== 'function') throw new LocketArgumentError(field, `expected a function, not ${kindOf(value)}`);
}

/** The answer of a user's function that is asked whether something is so. A promise would count as true. */
export function booleanAnswer(field: string, answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new LocketArgumentError(field, `expected it to return true or false, not ${kindOfAnswer(answer)}`);
}

/** A promise, also one of another realm. */
function isPromise(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Promise]';
}

export const isObject = <T>(value: T): value is T & Record<string, unknown> => typeof value === 'object' && value !== null;

/** An object; the error shows the `form` that it has. */
export function checkObject(field: string, value: unknown, form = ''): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPromise(value)) return;
  throw new LocketArgumentError(field, `expected an object${form}, not ${kindOf(value)}`);
}

/** An object with no other members than these. */
export function knownFields(field: string, value: unknown, known: ReadonlySet<string>): void {
  checkObject(field, value, typeof value === 'string' && known.has('key') ? ` such as { key: ${JSON.stringify(value)} }` : '');
  const name = Object.keys(value as object).find((one) => !known.has(one));
  if (name === undefined) return;
  throw new LocketArgumentError(field === 'options' ? name : `${field}.${name}`, `unknown${insteadOf(name, [...known], 'the fields are')}`);
}

/** Reads a value that `maker` of this package has made. Refuses any other value, and one that was changed. */
export function madeBy<T, R>(maker: string, field: string, value: T, read: (value: T) => R): R {
  const expected = `expected what ${maker} gives`;
  if (typeof value !== 'object' || value === null || isPromise(value)) throw new LocketArgumentError(field, `${expected}, not ${kindOf(value)}`);
  try {
    return read(value);
  } catch (thrown) {
    if (thrown instanceof LocketArgumentError || !(thrown instanceof TypeError || thrown instanceof RangeError)) throw thrown;
    throw new LocketArgumentError(field, `${expected}, unchanged: ${thrown.message}`);
  }
}

/** An object as JSON text. The object's own `toJSON` may throw or return `undefined`. */
export function jsonText(field: string, value: object, indent?: number): string {
  if (isPromise(value)) checkObject(field, value);
  let json: string | undefined;
  try {
    json = JSON.stringify(value, undefined, indent) as string | undefined;
  } catch (cause) {
    throw new LocketArgumentError(field, `cannot be written as JSON: ${String(cause)}`);
  }
  if (json === undefined) throw new LocketArgumentError(field, 'cannot be written as JSON: its toJSON returns undefined');
  return json;
}

/** The type of a value, for an error message: a promise was probably not awaited. */
export function kindOf(value: unknown): string {
  return isPromise(value) ? 'a promise; await it' : kindOfAnswer(value);
}

/** The type of what a user's function returned. */
export function kindOfAnswer(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof (value as { then?: unknown } | undefined)?.then === 'function') return 'a promise';
  return value === undefined ? 'undefined' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
