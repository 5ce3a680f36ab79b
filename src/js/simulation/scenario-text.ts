// The text of a scenario that may be given as a value.

import { LocketArgumentError } from '../base/errors.js';
import { isObject, jsonText, kindOf } from '../base/checks.js';

/** The JSON text of a scenario. */
export function scenarioText(scenario: unknown): string {
  if (typeof scenario === 'string') return scenario;
  if (!isObject(scenario)) throw new LocketArgumentError('scenario', `expected a JSON text or an object, not ${kindOf(scenario)}`);
  return jsonText('scenario', scenario, 2);
}
