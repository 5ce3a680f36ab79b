// Calls into the wasm module, and its failures.

import { isObject } from './checks.js';
import { LocketArgumentError, ModuleError } from './errors.js';
import type { Glue } from './glue.js';

/** Calls the module, and turns what it throws into one of the package's errors. */
export function callWasm<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw fromWasm(thrown);
  }
}

/** Makes a module's failures the package's errors. */
export function setErrors(glue: Glue): void {
  /** The error that ended the previous instance of the module. */
  let lastTrap: ModuleError | undefined;
  glue.setErrors(
    (trap, memorySize) => (lastTrap = errorOfTrap(trap, memorySize, textOfPanic(glue))),
    () => new ModuleError('replaced', 'this object was lost when the module failed and was replaced; make a new one', lastTrap),
    loadingFailed,
  );
}

const MIB = 1024 * 1024;

function errorOfTrap(trap: Error, memorySize: number, panic: string): ModuleError {
  // The module aborts without a message only when an allocation fails.
  if (panic === '' && /unreachable/i.test(trap.message)) {
    const problem = `out of memory: the module has ${Math.round(memorySize / MIB)} MiB, and can get no more`;
    const remedy = 'close unused objects, run without a trace, lower maxStates, or share the work among Workers';
    return new ModuleError('out-of-memory', `${problem}; ${remedy}`, trap);
  }
  return new ModuleError('bug', `bug in locket-wasm, please report it: ${panic || trap.message}`, trap);
}

/** Chromium and Firefox have no error type of their own for this. */
const FORBIDDEN = /disallowed|blocked by CSP|unsafe-eval|content security policy/i;

/** The error for a module that did not load. */
export function loadingFailed(thrown: unknown): Error {
  if (thrown instanceof ModuleError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  if (FORBIDDEN.test(why)) {
    const remedy = "add 'wasm-unsafe-eval' to its directive script-src";
    return new ModuleError('csp', `the page's Content-Security-Policy forbids WebAssembly; ${remedy}`, thrown);
  }
  return new ModuleError('not-loaded', `the WebAssembly module could not be loaded: ${why}`, thrown);
}

function textOfPanic(glue: Glue): string {
  try {
    return glue.lastPanic();
  } catch {
    return '';
  }
}

function fromWasm(thrown: unknown): unknown {
  if (!isObject(thrown) || thrown instanceof Error) return thrown;
  const { field, message } = thrown;
  if (typeof message === 'string' && typeof field === 'string') return new LocketArgumentError(field, message);
  return readScenarioFailure(thrown) ?? thrown;
}

/** The errors of scenarios and runs. The client's module throws none, so its entry goes without. */
let readScenarioFailure: (thrown: Record<string, unknown>) => Error | undefined = () => undefined;

/** Sets how failures of scenarios and runs are read. */
export function setScenarioFailures(read: typeof readScenarioFailure): void {
  readScenarioFailure = read;
}
