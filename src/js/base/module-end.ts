// Waits for a promise of a module; the module's instance may end first.

import { glue as own } from '#glue';

import type { Glue } from './glue.js';

/**
 * The result of `begin`, or of `failed` if it throws. If the instance of the module, by default the
 * entry's own, ends first, nothing else would settle the promise.
 */
export function orModuleEnds<T>(begin: () => Promise<T>, failed: (thrown: unknown) => unknown, glue: Glue = own): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown): void => {
      forget();
      reject(failed(thrown));
    };
    const forget = glue.onInstanceEnd(fail);
    const succeed = (result: T): void => {
      forget();
      resolve(result);
    };
    try {
      begin().then(succeed, fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}
