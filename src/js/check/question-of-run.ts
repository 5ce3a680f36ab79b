// The question of a run: its faults as bounds, and what of it is outside of them.

import { questionOfRun as moduleQuestion } from '#checker';

import { checkedOptions, oneOf } from '../base/options.js';
import { Simulation } from '../node.js';
import { lengthen } from '../simulation/link.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { STEPS, type StepsOption } from '../simulation/steps.js';
import { aboutQuestion } from './explore.js';
import { type Bounds, boundsOf, boundsValue } from './question.js';
import type { RunQuestion } from './run-value.js';

/** Options of {@link questionOfRun}. */
export interface RunQuestionOptions extends StepsOption {
  /** Which faults are its bounds: those that the scenario plans, the default, or those that happened in the run. */
  faults?: 'happened' | 'planned';
  /** Bounds in place of those of the run. */
  bounds?: Bounds;
}

const OPTIONS = { faults: oneOf('planned', 'happened'), ...STEPS, bounds: (field: string, bounds: unknown) => JSON.stringify(boundsValue((bounds ?? {}) as Bounds, field)) };

/**
 * Makes a question of a run: can its clients be owners at the same time, with its faults as bounds? Also lists what those bounds
 * leave out. Load the module before, with `init` or any search.
 *
 * @example
 * ```ts
 * await init();
 * const { question, outside } = questionOfRun(scenario);
 * const { verdict } = await explore(question);
 * ```
 *
 * @param of a scenario's JSON text, a scenario's value, or a simulation, whose current branch is used
 * @throws `LocketArgumentError` if no client is a runner that a search can try
 */
export function questionOfRun(of: Scenario | Simulation | string, options: RunQuestionOptions = {}): RunQuestion {
  const { faults, maxSteps, bounds: own } = checkedOptions(options, OPTIONS);
  const isRun = of instanceof Simulation;
  const scenario = isRun ? of.scenario : scenarioText(of);
  const run = isRun ? lengthen(of.link(), {}) : scenario;
  const json = aboutQuestion(() => moduleQuestion(run, isRun, maxSteps, faults === 'happened', own));
  const { bounds: list, ...found } = JSON.parse(json) as Omit<RunQuestion, 'bounds' | 'question'> & { bounds: [name: string, value: string][] };
  const asked = boundsOf(list);
  return { ...found, bounds: asked, question: { ...asked, scenario } };
}
