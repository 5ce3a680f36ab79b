// Values for users' functions, which refuse a member that they do not have: a mistyped one would be `undefined`, and the
// property that reads it would hold of nothing.

import { LocketArgumentError } from '../base/errors.js';
import { insteadOf } from '../base/unknown-name.js';

/** Names that the platform, a console or an assertion asks for, whatever the value is. */
const ASKED_FOR = new Set(['asymmetricMatch', 'constructor', 'inspect', 'nodeType', 'then', 'toJSON']);

/** The value with all in it. `onRead` is told which of its members is read; `field` is the argument of the function. */
export function strict<T extends object>(field: string, value: T, onRead?: (name: string | symbol) => void): T {
  return new Proxy(value, {
    get(target, name) {
      if (typeof name === 'string' && !(name in target) && !Array.isArray(target) && !ASKED_FOR.has(name)) {
        throw new LocketArgumentError(field, `reads an unknown member ${name}${insteadOf(name, Object.keys(target), 'the members are')}`);
      }
      onRead?.(name);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'object' && member !== null ? strict(field, member) : member;
    },
  });
}
