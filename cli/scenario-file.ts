// The scenarios that commands read and write: files in JSON, and the shipped stories.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { ScenarioError, Simulation } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';
import type { RunnerRule } from 'locket-wasm/types';

import { EXIT_USAGE, Failure } from './command.js';
import { readText } from './files.js';
import type { OutputFile } from './report.js';
import { nearest, withMeant } from './spelling.js';
import { failureAt } from './text-place.js';

/** Uses a scenario's JSON text, perhaps for long work; a validation error is shown with its line in the file. */
export function withScenario<T>(file: string, use: (json: string) => T): T {
  const text = readScenario(file);
  try {
    const used = use(text);
    return used instanceof Promise ? (used.catch((error: unknown) => Promise.reject(shown(file, text, error))) as T) : used;
  } catch (error) {
    throw shown(file, text, error);
  }
}

/** A rule in a file, named after it in at most 60 characters. It is read as the runner of a scenario, whose errors have their place. */
export function ruleIn(file: string): RunnerRule {
  const text = objectText(file, readText(file), 'a rule');
  try {
    new Simulation(`{"name": "rule", "until": "1s", "clients": [{"name": "a", "key": "k", "runner":\n${text}}]}`).close();
    const name = [...basename(file, '.json')].slice(0, 60).join('');
    return { name, ...(JSON.parse(text) as RunnerRule) };
  } catch (error) {
    if (error instanceof ScenarioError) throw shown(file, text, error, { line: 1, path: 'clients[0].runner.' });
    throw new Failure(EXIT_USAGE, `${file}: ${(error as Error).message}`, error);
  }
}

/** A scenario to write to this file, if there is one. */
export function scenarioFile(file: string | undefined, json: string): OutputFile[] {
  return file === undefined ? [] : [{ file, text: `${json}\n` }];
}

const readScenario = (file: string): string => objectText(file, scenarioText(file), 'a scenario');

function objectText(file: string, text: string, what: string): string {
  if (!/^\s*\{/.test(text)) throw failureAt(file, text, { line: 1, column: 1 }, `expected ${what} in JSON, which begins with {`);
  return text;
}

/** A file wins over a story with the same name. */
function scenarioText(file: string): string {
  const story = Object.hasOwn(stories, file) ? stories[file] : undefined;
  if (story !== undefined && !existsSync(file)) return story;
  try {
    return readText(file);
  } catch (error) {
    if (!(error instanceof Failure) || file === '-' || existsSync(file)) throw error;
    throw new Failure(error.exitCode, `${error.message}; ${storyHint(basename(file).replace(/\.json$/i, ''))}`, error.cause);
  }
}

/** A hint for an unknown name: the nearest story. */
export function storyHint(name: string): string {
  const near = nearest(name, Object.keys(stories));
  return near === null ? 'locket-wasm stories lists the shipped stories' : `did you mean ${near}? locket-wasm stories lists them`;
}

/** The failure of a text, which may stand in a scenario: below so many lines, at this path. */
function shown(file: string, text: string, error: unknown, above = { line: 0, path: '' }): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const line = error.line - above.line;
  const message = error.message.slice(`${error.line}:${error.column}: ${above.path}`.length).trimStart();
  // The module counts columns in bytes.
  const before = Buffer.from(text.split('\n')[line - 1] ?? '').subarray(0, Math.max(0, error.column - 1));
  return failureAt(file, text, { line, column: before.toString().length + 1 }, withMeant(message), error);
}
