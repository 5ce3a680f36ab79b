// The states of a small question as a graph.

import { stateGraph as graphOf } from '#checker';

import { knownFields, safeInteger } from '../base/checks.js';
import { aboutQuestion } from './explore.js';
import { type Question, questionJson } from './question.js';

/** Options of {@link stateGraph}. */
export interface StateGraphOptions {
  /** The most states, up to 2,000, which is the default; a larger graph is unreadable. */
  maxStates?: number;
}

const STATES_MAX = 2000;

/**
 * The states and transitions of a small question, in Graphviz's DOT language. States that break the
 * property are red; mirror images of equal clients are one state.
 *
 * @throws `LocketArgumentError` if the question is invalid, or has too many states
 */
export function stateGraph(question: Question, options: StateGraphOptions = {}): string {
  knownFields('options', options, new Set(['maxStates']));
  const maxStates = safeInteger('maxStates', options.maxStates ?? STATES_MAX, 1, STATES_MAX);
  const json = questionJson(question);
  return aboutQuestion(() => graphOf(json, maxStates));
}
