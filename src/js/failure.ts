// Why a call failed, as an error: by an answer, by its caller, or by something that stood around it.

import type { CarriedCall, Reply } from './carrier.js';
import { Code, LocketError, ModuleError, type Outcome } from './errors.js';
import { fieldAtFault } from './fault.js';

/** The error of a call that a server or a carrier answered with one. */
export function answered({ code, message: rawMessage }: NonNullable<Reply['error']>, call: CarriedCall, request: object) {
  const { metadata, outcome, cause } = call.surroundings ?? {};
  const field = outcome === 'unknown' ? undefined : fieldAtFault(rawMessage, request);
  return new LocketError({ code, rawMessage, requestId: call.requestId, field, metadata, outcome, cause });
}

/** The error of who gave up by a signal; one of `AbortSignal.timeout` counts as a deadline. */
export function givenUp(signal: AbortSignal | undefined, outcome: Outcome, requestId?: string): LocketError {
  const cause: unknown = signal?.reason;
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const code = timedOut ? Code.DeadlineExceeded : Code.Canceled;
  const rawMessage = timedOut ? 'context deadline exceeded' : 'context canceled';
  return new LocketError({ code, rawMessage, outcome, requestId, cause });
}

/** The error of a call whose module has failed: what was lost before was not called, and what was under way may have been done. */
export function moduleFailed(thrown: unknown, requestId: string): unknown {
  if (!(thrown instanceof ModuleError)) return thrown;
  const { reason, message: rawMessage } = thrown;
  const wasLost = reason === 'replaced';
  const code = wasLost ? Code.Unavailable : reason === 'out-of-memory' ? Code.ResourceExhausted : Code.Internal;
  return new LocketError({ code, rawMessage, outcome: wasLost ? 'refused' : 'unknown', requestId, cause: thrown });
}

/** What was thrown instead of an answer: interceptors may throw anything, and nobody knows then what was done. */
export function thrownError(thrown: unknown, { requestId }: CarriedCall): LocketError {
  if (thrown instanceof LocketError) return thrown;
  const rawMessage = thrown instanceof Error ? thrown.message : String(thrown);
  return new LocketError({ code: Code.Unknown, rawMessage, outcome: 'unknown', requestId, cause: thrown });
}
