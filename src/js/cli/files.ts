// Reads what commands are given, and says what is wrong with it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { ScenarioError } from '../node.js';
import { stories } from '../stories.js';
import { EXIT_FAILED, EXIT_USAGE, Failure } from './command.js';

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

/** What an argument that is a scenario can be, for help. */
export const SCENARIO_HELP = 'a file, - for standard input, or the name of a shipped story, such as first-look';

/** Does something with a scenario's text; a mistake in it is shown with the line that has it. */
export function withScenario<T>(file: string, use: (text: string) => T): T {
  const text = scenarioText(file);
  try {
    return use(text);
  } catch (error) {
    throw shown(file, text, error);
  }
}

/** The same for what takes its time. */
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

/** A file goes before a story of the same name. */
function scenarioText(file: string): string {
  const story = Object.hasOwn(stories, file) ? stories[file] : undefined;
  return story === undefined || existsSync(file) ? readText(file) : story;
}

/** The line with the mistake, and a mark under it. */
function pointer(text: string, { line, column }: ScenarioError): [line: string, mark: string] {
  const bytes = Buffer.from((text.split('\n')[line - 1] ?? '').replaceAll('\t', ' ').trimEnd());
  const before = bytes.subarray(0, Math.max(0, column - 1)).toString();
  return [`  ${bytes.toString()}`, `  ${' '.repeat(before.length)}^`];
}
