// A rule for the module, which has no parser: a number for each member.

import { checkObject, isObject, knownFields, safeInteger } from '../../base/checks.js';
import { lengthMs } from '../../base/duration.js';
import { LocketArgumentError } from '../../base/errors.js';
import { RULE_MEMBERS } from '../../base/runner-name.js';

/**
 * Milliseconds or a count, or −1 for the first of a member's names, −2 for the second; `NaN` for a member that is left out. They are in
 * the order of the schema, and the module checks what makes sense.
 */
export function ruleNumbers(rule: object): Float64Array {
  checkMembers('runner', rule, ['name']);
  return Float64Array.from(RULE_MEMBERS, ([path, names, takes]) => {
    const [object, name] = path.split('.') as [string, string?];
    const outer = (rule as Record<string, unknown>)[object];
    const value = name === undefined ? outer : isObject(outer) ? outer[name] : undefined;
    return value === undefined ? NaN : numberOf(`runner.${path}`, value, names, takes);
  });
}

function numberOf(field: string, value: unknown, names: readonly string[], takes: string): number {
  const isName = typeof value === (takes === 'boolean' ? 'boolean' : 'string') && names.includes(String(value));
  if (isName) return -1 - names.indexOf(String(value));
  if (takes === 'time') return lengthMs(field, value);
  if (takes === 'count') return safeInteger(field, value, 0);
  if (takes !== 'object') throw new LocketArgumentError(field, `expected ${names.join(' or ')}`);
  checkMembers(field, value);
  return 0;
}

/** An object with no other members than those of its path. */
function checkMembers(field: string, value: unknown, others: string[] = []): void {
  checkObject(field, value);
  const paths = RULE_MEMBERS.map(([path]) => `runner.${path}`).filter((path) => path.startsWith(`${field}.`));
  const names = paths.map((path) => path.slice(field.length + 1)).filter((name) => !name.includes('.'));
  knownFields(field, value, new Set([...others, ...names]));
}
