// Waits for a promise of the module; the module's instance may end first.

import { onInstanceEnd } from '#glue';

/**
 * The result of `begin`, or of `failed` if it throws. If the module's instance ends first, nothing
 * else would settle the promise.
 */
export function orModuleEnds<T>(begin: () => Promise<T>, failed: (thrown: unknown) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown): void => {
      forget();
      reject(failed(thrown));
    };
    const forget = onInstanceEnd(fail);
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
