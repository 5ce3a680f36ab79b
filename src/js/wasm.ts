// Calls into the wasm module, and what comes out of it instead of a result.

import { lastPanic } from '#glue';

import { Code, LocketArgumentError, LocketError, ScenarioError } from './errors.js';

/** Calls the module; what it throws becomes one of the package's errors. */
export function callWasm<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw fromWasm(thrown);
  }
}

function fromWasm(thrown: unknown): unknown {
  if (thrown instanceof WebAssembly.RuntimeError) {
    const what = lastPanic() || thrown.message;
    const rawMessage = `bug in locket-wasm, please report it: ${what}`;
    return new LocketError({ code: Code.Internal, rawMessage, outcome: 'unknown', cause: thrown });
  }
  if (isObject(thrown) && typeof thrown['message'] === 'string') {
    const { field, message } = thrown;
    if (typeof field === 'string') return new LocketArgumentError(field, message as string);
    if (typeof thrown['line'] === 'number') return new ScenarioError(thrown as unknown as ScenarioMistake);
  }
  return thrown;
}

interface ScenarioMistake {
  line: number;
  column: number;
  path: string;
  message: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Error);
}
