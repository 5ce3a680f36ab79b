// The text of a scenario that may be given as a value.

import { LocketArgumentError } from '../base/errors.js';
import { isObject, jsonText, kindOf } from '../base/checks.js';

/** The JSON text of a scenario, or of another value of this name. */
export function scenarioText(scenario: unknown, name = 'scenario'): string {
  if (typeof scenario === 'string') return scenario;
  if (!isObject(scenario)) throw new LocketArgumentError(name, `expected a JSON text or an object, not ${kindOf(scenario)}`);
  return jsonText(name, scenario, 2);
}
