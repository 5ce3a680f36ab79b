// What a caller gets who gave up.

import { Code, LocketError, type Outcome } from './errors.js';

/** The error of who gave up by a signal; one of `AbortSignal.timeout` counts as a deadline. */
export function givenUp(signal: AbortSignal | undefined, outcome: Outcome, requestId?: string): LocketError {
  const cause: unknown = signal?.reason;
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const code = timedOut ? Code.DeadlineExceeded : Code.Canceled;
  const rawMessage = timedOut ? 'context deadline exceeded' : 'context canceled';
  return new LocketError({ code, rawMessage, outcome, requestId, cause });
}
