// Waiting for something as long as a signal lets one.

import { NotSent, tellNotSent } from './not-sent.js';

/** What the promise gives, or an error as soon as the signal aborts. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = (): void => {
      tellNotSent(signal);
      reject(new NotSent('the call was given up before there was a connection', { cause: signal.reason }));
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
