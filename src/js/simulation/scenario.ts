// Runs scenarios.

import { runScenario as moduleRun } from '#glue';

import { checkedOptions, flag } from '../base/options.js';
import { callWasm } from '../base/wasm.js';
import type { ScenarioRun } from './run-value.js';
import { scenarioText } from './scenario-text.js';
import type { Scenario } from './scenario-value.js';
import { STEPS, type StepsOption } from './steps.js';

/** Options of {@link runScenario}. */
export interface RunOptions extends StepsOption {
  /**
   * True if to keep the events; true by default. Without them `events` is empty, memory does not
   * grow with the simulated time, and a run may be longer. Digest and expectations stay the same.
   */
  trace?: boolean;
}

const OPTIONS = { trace: flag(true), ...STEPS };

/**
 * Runs a scenario from start to end on the reference server.
 *
 * @param scenario its JSON text, or the same as a value
 * @throws {@link ScenarioError} with line and column of the first validation error; for a value, in
 * the text of `JSON.stringify(scenario, undefined, 2)`
 * @throws {@link StepLimitError} if the run would take more steps than allowed
 */
export function runScenario(scenario: string | Scenario, options: RunOptions = {}): ScenarioRun {
  const { trace, maxSteps } = checkedOptions(options, OPTIONS);
  const text = scenarioText(scenario);
  return callWasm(() => moduleRun(text, trace, maxSteps) as ScenarioRun);
}
