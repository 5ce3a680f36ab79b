// The command that asks a question again: options from the members of a question.

import { durationMs } from 'locket-wasm';
import type { Property, Question } from 'locket-wasm/check';

import { PROGRAM } from './command.js';
import { faultArguments } from './faults.js';

/** `locket-wasm explore` for a question, with more arguments behind its own. */
export function exploreCommandOf({ property, clients, faults = {}, ...members }: Question, more: readonly string[] = []): string {
  const options = Object.entries(members).flatMap(([name, value]) => [optionOf(name), ...(value === true ? [] : [valueOf(value)])]);
  const several = clients === undefined ? [] : ['--clients', `${clients.length}`];
  return [PROGRAM, 'explore', ...options, ...faultArguments(faults), ...several, ...propertyOptions(property), ...more].join(' ');
}

const optionOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Durations in whole seconds where that is exact: a question about a job has milliseconds. */
function valueOf(value: unknown): string {
  // The storage: its guard and the longest write.
  if (typeof value === 'object' && value !== null) return Object.values(value).join(',');
  if (typeof value !== 'string' || !value.endsWith('ms')) return String(value);
  const ms = durationMs(value);
  return ms % 1000 === 0 ? `${ms / 1000}s` : value;
}

function propertyOptions(property: Property | undefined): string[] {
  if (property === undefined) return [];
  const allow = 'allow' in property && property.allow !== undefined ? ['--allow', property.allow] : [];
  return ['--property', property.is, ...allow];
}
