// A rule for the module, which has no parser: a number for each member.

import { checkObject, isObject, knownFields, safeInteger, text } from '../../base/checks.js';
import { lengthMs } from '../../base/duration.js';
import { LocketArgumentError } from '../../base/errors.js';
import { RULE_MEMBERS, type RunnerRule } from '../../base/runner-name.js';

/**
 * Milliseconds or a count, or −1 for the first of a member's names, −2 for the second; `NaN` for a member that is left out. They are in
 * the order of the module's table, and the module checks what makes sense.
 */
export function ruleNumbers(rule: RunnerRule): Float64Array {
  checkMembers('runner', rule);
  return Float64Array.from(RULE_MEMBERS, ([path, names, takes]) => {
    const value = path.split('.').slice(1).reduce<unknown>((outer, name) => (isObject(outer) ? outer[name] : undefined), rule);
    return value === undefined ? NaN : numberOf(path, value, names, takes);
  });
}

function numberOf(field: string, value: unknown, names: readonly string[], takes: string): number {
  const isName = typeof value === (takes === 'flag' ? 'boolean' : 'string') && names.includes(String(value));
  if (isName) return -1 - names.indexOf(String(value));
  switch (takes) {
    case 'count':
      return safeInteger(field, value, 0);
    case 'object':
      checkMembers(field, value);
      return 0;
    case 'text':
      return text(field, value).length;
    case 'time':
    case 'timeout': {
      const ms = lengthMs(field, value);
      if (ms === 0 && !/\.(?:jitter|margin)$/.test(field)) throw new LocketArgumentError(field, 'expected more than 0');
      return ms;
    }
  }
  throw new LocketArgumentError(field, `expected ${names.join(' or ')}`);
}

/** An object with no other members than those of its path. */
function checkMembers(field: string, value: unknown): void {
  checkObject(field, value);
  const paths = RULE_MEMBERS.map(([path]) => path).filter((path) => path.startsWith(`${field}.`));
  knownFields(field, value, new Set(paths.map((path) => path.slice(field.length + 1)).filter((name) => !name.includes('.'))));
}
