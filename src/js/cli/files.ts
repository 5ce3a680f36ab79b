// Reads and writes the files of commands, and reports their errors.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

import { ScenarioError } from '../node.js';
import { stories } from '../stories.js';
import { EXIT_FAILED, EXIT_USAGE, Failure, nearest } from './command.js';

/** A file's text; `-` is standard input. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot read ${file}: ${(error as Error).message}`, error);
  }
}

/** Writes a file; `-` is standard output. */
export function writeText(file: string, text: string): void {
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot write ${file}: ${(error as Error).message}`, error);
  }
}

/** The forms of a scenario argument, for the help. */
export const SCENARIO_HELP = 'a file, - for standard input, or a shipped story such as first-look';

/** Uses a scenario's text; a validation error is shown with its line. */
export function withScenario<T>(file: string, use: (text: string) => T): T {
  const text = scenarioText(file);
  try {
    return use(text);
  } catch (error) {
    throw shown(file, text, error);
  }
}

/** The same for long work. */
export async function withScenarioAsync<T>(file: string, use: (text: string) => Promise<T>): Promise<T> {
  const text = scenarioText(file);
  try {
    return await use(text);
  } catch (error) {
    throw shown(file, text, error);
  }
}

function shown(file: string, text: string, error: unknown): unknown {
  if (!(error instanceof ScenarioError)) return error;
  return new Failure(EXIT_USAGE, `${file}:${error.message}`, error, pointer(text, error));
}

/** A file wins over a story with the same name. */
function scenarioText(file: string): string {
  const story = Object.hasOwn(stories, file) ? stories[file] : undefined;
  if (story !== undefined && !existsSync(file)) return story;
  try {
    return readText(file);
  } catch (error) {
    if (!(error instanceof Failure) || file === '-' || existsSync(file)) throw error;
    throw new Failure(error.exitCode, `${error.message}; ${storyHint(basename(file, '.json'))}`, error.cause);
  }
}

/** A hint for an unknown name: the nearest story. */
export function storyHint(name: string): string {
  const near = nearest(name, Object.keys(stories));
  return near === undefined ? 'locket-wasm stories lists the shipped stories' : `did you mean ${near}? locket-wasm stories lists them`;
}

/** The invalid line, and a mark under it. */
function pointer(text: string, { line, column }: ScenarioError): [line: string, mark: string] {
  const bytes = Buffer.from((text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ').trimEnd());
  const before = bytes.subarray(0, Math.max(0, column - 1)).toString();
  return [`  ${bytes.toString()}`, `  ${' '.repeat(before.length)}^`];
}
