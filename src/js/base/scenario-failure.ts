// The errors of scenarios and runs, as the simulator's and the checker's modules throw them.

import { ScenarioError, StepLimitError } from './errors.js';
import { shortened } from './unknown-name.js';
import { setScenarioFailures } from './wasm.js';

/** Called by entries whose module reads scenarios. */
export function readScenarioFailures(): void {
  setScenarioFailures((thrown) => {
    if (typeof thrown['message'] === 'string' && typeof thrown['line'] === 'number') return scenarioError(thrown as unknown as ScenarioMistake);
    return typeof thrown['maxSteps'] === 'number' ? new StepLimitError(thrown as unknown as StepLimitError) : undefined;
  });
}

const scenarioError = ({ line, column, path, message }: ScenarioMistake): ScenarioError => new ScenarioError({ line, column, path, message: shortened(message) });

interface ScenarioMistake {
  line: number;
  column: number;
  path: string;
  message: string;
}
