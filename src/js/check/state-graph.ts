// The states of a small question as a graph.

import { stateGraph as graphOf } from '#checker';

import { knownFields, safeInteger } from '../base/checks.js';
import { aboutQuestion } from './explore.js';
import { type Question, questionJson } from './question.js';

/** Options of {@link stateGraph}. */
export interface StateGraphOptions {
  /** How many states there may be, up to 2,000, which is the default; more nobody can look at. */
  maxStates?: number;
}

const STATES_MAX = 2000;

/**
 * The states that a small question has and what leads from one to the other, in the language of Graphviz (DOT). Red is where the property is
 * broken; mirror images of equal clients are one state.
 *
 * @throws `LocketArgumentError` if the question makes no sense, or has too many states
 */
export function stateGraph(question: Question, options: StateGraphOptions = {}): string {
  knownFields('options', options, new Set(['maxStates']));
  const maxStates = safeInteger('maxStates', options.maxStates ?? STATES_MAX, 1, STATES_MAX);
  const json = questionJson(question);
  return aboutQuestion(() => graphOf(json, maxStates));
}
