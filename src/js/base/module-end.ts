// Waiting for something of the module, whose instance may end before.

import { onInstanceEnd } from '#glue';

/** What comes of it, or `failed` of what was thrown; if its instance of the module ends before, nobody else would ever say so. */
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
