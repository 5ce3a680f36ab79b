// The scenarios that commands read and write: files in JSON or YAML, and the shipped stories.

import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { ScenarioError } from 'locket-wasm';
import { stories } from 'locket-wasm/stories';

import { Failure } from './command.js';
import { readText } from './files.js';
import type { OutputFile } from './report.js';
import { scenarioOfYaml, yamlOfScenario } from './scenario-yaml.js';
import { nearest, withMeant } from './spelling.js';
import { failureAt, type Place } from './text-place.js';

/** The forms of a scenario argument, for the help. */
export const SCENARIO_HELP = 'a file in JSON or YAML, - for standard input, or a shipped story such as first-look';

/** Uses a scenario's JSON text; a validation error is shown with its line in the file. */
export function withScenario<T>(file: string, use: (json: string) => T): T {
  const scenario = readScenario(file);
  try {
    return use(scenario.json);
  } catch (error) {
    throw shown(file, scenario, error);
  }
}

/** The same for long work. */
export async function withScenarioAsync<T>(file: string, use: (json: string) => Promise<T>): Promise<T> {
  const scenario = readScenario(file);
  try {
    return await use(scenario.json);
  } catch (error) {
    throw shown(file, scenario, error);
  }
}

/** A scenario to write to this file, if there is one: as YAML if its name says so. */
export function scenarioFile(file: string | undefined, json: string): OutputFile[] {
  return file === undefined ? [] : [{ file, text: hasYamlName(file) ? yamlOfScenario(json) : `${json}\n` }];
}

/** A scenario as the module reads it, and as the user wrote it. */
interface SourceScenario {
  json: string;
  text: string;
  /** The place in the text of an error in the JSON. */
  placeOf(error: ScenarioError): Place;
}

function readScenario(file: string): SourceScenario {
  const text = scenarioText(file);
  if (!hasYamlName(file) && /^\s*\{/.test(text)) return { json: text, text, placeOf: (error) => placeInJson(text, error) };
  const { json, yaml, offsetOf } = yamlScenario(file, text);
  // The JSON has one line.
  return { json, text, placeOf: ({ column }) => yaml.place(offsetOf(column - 1)) };
}

/** A file wins over a story with the same name. */
function scenarioText(file: string): string {
  const story = Object.hasOwn(stories, file) ? stories[file] : undefined;
  if (story !== undefined && !existsSync(file)) return story;
  try {
    return readText(file);
  } catch (error) {
    if (!(error instanceof Failure) || file === '-' || existsSync(file)) throw error;
    throw new Failure(error.exitCode, `${error.message}; ${storyHint(basename(file).replace(/\.(?:json|ya?ml)$/i, ''))}`, error.cause);
  }
}

/** A hint for an unknown name: the nearest story. */
export function storyHint(name: string): string {
  const near = nearest(name, Object.keys(stories));
  return near === null ? 'locket-wasm stories lists the shipped stories' : `did you mean ${near}? locket-wasm stories lists them`;
}

function yamlScenario(file: string, text: string): ReturnType<typeof scenarioOfYaml> {
  try {
    return scenarioOfYaml(file, text);
  } catch (error) {
    if (hasYamlName(file) || !(error instanceof Failure)) throw error;
    // The user may have meant JSON.
    throw new Failure(error.exitCode, `${error.message}; this was read as YAML, since JSON begins with {`, error.cause, error.excerpt);
  }
}

function hasYamlName(file: string): boolean {
  return /\.ya?ml$/i.test(file);
}

/** The module counts columns in bytes. */
function placeInJson(text: string, { line, column }: ScenarioError): Place {
  const bytes = Buffer.from(text.split('\n')[line - 1] ?? '');
  return { line, column: bytes.subarray(0, Math.max(0, column - 1)).toString().length + 1 };
}

function shown(file: string, { text, placeOf }: SourceScenario, error: unknown): unknown {
  if (!(error instanceof ScenarioError)) return error;
  const message = error.message.slice(`${error.line}:${error.column}: `.length);
  return failureAt(file, text, placeOf(error), withMeant(message), error);
}
