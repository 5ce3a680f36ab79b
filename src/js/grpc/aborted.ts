// Waits for a promise until a signal aborts.

import { NotSent, markNotSent } from './not-sent.js';

/** The promise's result, or an error as soon as the signal aborts. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      markNotSent(signal);
      reject(new NotSent('the call was aborted before there was a connection', { cause: signal.reason }));
    };
    stop = () => signal.removeEventListener('abort', giveUp);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}
