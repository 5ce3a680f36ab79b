// The error of a failed call: from its answer, its caller, or the code around it.

import { Code, LocketArgumentError, LocketError, ModuleError, type Outcome, outcomeOf } from '../base/errors.js';
import type { CarriedCall, Reply } from './carrier.js';
import { fieldAtFault } from './fault.js';

/** The error that a server or a carrier answered with. */
export function answered({ code, message: rawMessage }: NonNullable<Reply['error']>, call: CarriedCall, request: object) {
  const { metadata, outcome = outcomeOf(code, rawMessage), cause } = call.surroundings ?? {};
  const field = outcome === 'refused' ? fieldAtFault(rawMessage, request) : undefined;
  return new LocketError({ code, rawMessage, requestId: call.requestId, field, metadata, outcome: ofCall(call, outcome), cause });
}

/** The error of an aborted call; a signal of `AbortSignal.timeout` counts as a deadline. */
export function givenUp(call: CarriedCall, outcome: Outcome): LocketError {
  return new LocketError({ ...endOf(call.signal), outcome: ofCall(call, outcome), requestId: call.requestId });
}

/** The error of an aborted wait for a lock. */
export function waitGivenUp(signal: AbortSignal, outcome: Outcome, lastError?: LocketError): LocketError {
  return new LocketError({ ...endOf(signal), outcome, lastError });
}

/**
 * The error of a call whose module failed. A `replaced` module did not make the call; a call under
 * way may have had its effect.
 */
export function moduleFailed(thrown: unknown, requestId: string): unknown {
  if (!(thrown instanceof ModuleError)) return thrown;
  const { reason, message: rawMessage } = thrown;
  const wasLost = reason === 'replaced';
  const code = wasLost ? Code.Unavailable : reason === 'out-of-memory' ? Code.ResourceExhausted : Code.Internal;
  return new LocketError({ code, rawMessage, outcome: wasLost ? 'no-effect' : 'unknown', requestId, cause: thrown });
}

/**
 * The error for a value that was thrown instead of an answer. Interceptors may throw anything, so
 * the outcome is unknown.
 */
export function thrownError(thrown: unknown, call: CarriedCall): LocketError {
  if (thrown instanceof LocketError) return thrown;
  const rawMessage = thrown instanceof Error ? thrown.message : String(thrown);
  const outcome = ofCall(call, 'unknown');
  return new LocketError({ code: Code.Unknown, rawMessage, outcome, requestId: call.requestId, cause: thrown });
}

/**
 * True if a retry cannot help: the request, its credentials or its address are wrong. Without an
 * effect, but not refused, is a call to a server whose certificate or whose client's was refused.
 */
export function isHopeless({ code, reason, outcome, field, cause }: LocketError): boolean {
  if (cause instanceof LocketArgumentError) return true;
  return outcome !== 'unknown' && (HOPELESS.has(code) || reason === 'invalid-type' || field !== undefined);
}

const HOPELESS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** A read has no effect in any case. */
function ofCall({ isRead }: CarriedCall, outcome: Outcome): Outcome {
  return isRead && outcome === 'unknown' ? 'no-effect' : outcome;
}

function endOf(signal: AbortSignal | undefined): { code: Code; rawMessage: string; cause: unknown } {
  const cause: unknown = signal?.reason;
  return cause instanceof Error && cause.name === 'TimeoutError'
    ? { code: Code.DeadlineExceeded, rawMessage: 'context deadline exceeded', cause }
    : { code: Code.Canceled, rawMessage: 'context canceled', cause };
}
