// The scenarios that commands read and write: files in JSON, and the shipped stories.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { ScenarioError } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { Failure } from './command.js';
import { readText } from './files.js';
import type { OutputFile } from './report.js';
import { nearest, withMeant } from './spelling.js';
import { failureAt, type Place } from './text-place.js';

/** Uses a scenario's JSON text; a validation error is shown with its line in the file. */
export function withScenario<T>(file: string, use: (json: string) => T): T {
  const text = readScenario(file);
  try {
    return use(text);
  } catch (error) {
    throw shown(file, text, error);
  }
}

/** The same for long work. */
export async function withScenarioAsync<T>(file: string, use: (json: string) => Promise<T>): Promise<T> {
  const text = readScenario(file);
  try {
    return await use(text);
  } catch (error) {
    throw shown(file, text, error);
  }
}

/** A scenario to write to this file, if there is one. */
export function scenarioFile(file: string | undefined, json: string): OutputFile[] {
  return file === undefined ? [] : [{ file, text: `${json}\n` }];
}

function readScenario(file: string): string {
  const text = scenarioText(file);
  if (!/^\s*\{/.test(text)) throw failureAt(file, text, { line: 1, column: 1 }, 'expected a scenario in JSON, which begins with {');
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

/** The module counts columns in bytes. */
function placeInJson(text: string, { line, column }: ScenarioError): Place {
  const bytes = Buffer.from(text.split('\n')[line - 1] ?? '');
  return { line, column: bytes.subarray(0, Math.max(0, column - 1)).toString().length + 1 };
}

function shown(file: string, text: string, error: unknown): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const message = error.message.slice(`${error.line}:${error.column}: `.length);
  return failureAt(file, text, placeInJson(text, error), withMeant(message), error);
}
