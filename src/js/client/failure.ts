// Why a call failed, as an error: by an answer, by its caller, or by something that stood around it.

import { Code, LocketArgumentError, LocketError, ModuleError, type Outcome, outcomeOf } from '../base/errors.js';
import type { CarriedCall, Reply } from './carrier.js';
import { fieldAtFault } from './fault.js';

/** The error of a call that a server or a carrier answered with one. */
export function answered({ code, message: rawMessage }: NonNullable<Reply['error']>, call: CarriedCall, request: object) {
  const { metadata, outcome = outcomeOf(code, rawMessage), cause } = call.surroundings ?? {};
  const field = outcome === 'refused' ? fieldAtFault(rawMessage, request) : undefined;
  return new LocketError({ code, rawMessage, requestId: call.requestId, field, metadata, outcome: ofCall(call, outcome), cause });
}

/** The error of a call that was given up by its signal; by one of `AbortSignal.timeout`, that counts as a deadline. */
export function givenUp(call: CarriedCall, outcome: Outcome): LocketError {
  return new LocketError({ ...endOf(call.signal), outcome: ofCall(call, outcome), requestId: call.requestId });
}

/** The error of a wait for a lock that was given up by a signal. */
export function waitGivenUp(signal: AbortSignal, outcome: Outcome, lastError?: LocketError): LocketError {
  return new LocketError({ ...endOf(signal), outcome, lastError });
}

/** The error of a call whose module has failed: what was lost before was not called, and what was under way may have been done. */
export function moduleFailed(thrown: unknown, requestId: string): unknown {
  if (!(thrown instanceof ModuleError)) return thrown;
  const { reason, message: rawMessage } = thrown;
  const wasLost = reason === 'replaced';
  const code = wasLost ? Code.Unavailable : reason === 'out-of-memory' ? Code.ResourceExhausted : Code.Internal;
  return new LocketError({ code, rawMessage, outcome: wasLost ? 'no-effect' : 'unknown', requestId, cause: thrown });
}

/** What was thrown instead of an answer: interceptors may throw anything, and nobody knows then what was done. */
export function thrownError(thrown: unknown, call: CarriedCall): LocketError {
  if (thrown instanceof LocketError) return thrown;
  const rawMessage = thrown instanceof Error ? thrown.message : String(thrown);
  const outcome = ofCall(call, 'unknown');
  return new LocketError({ code: Code.Unknown, rawMessage, outcome, requestId: call.requestId, cause: thrown });
}

/** Whether trying again cannot help: the request, its credentials or its address are wrong. */
export function isHopeless({ code, reason, outcome, field, cause }: LocketError): boolean {
  if (cause instanceof LocketArgumentError) return true;
  return outcome === 'refused' && (HOPELESS.has(code) || reason === 'invalid-type' || field !== undefined);
}

const HOPELESS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.Unimplemented,
]);

/** A read has no effect, whatever became of it. */
function ofCall({ isRead }: CarriedCall, outcome: Outcome): Outcome {
  return isRead && outcome === 'unknown' ? 'no-effect' : outcome;
}

function endOf(signal: AbortSignal | undefined): { code: Code; rawMessage: string; cause: unknown } {
  const cause: unknown = signal?.reason;
  return cause instanceof Error && cause.name === 'TimeoutError'
    ? { code: Code.DeadlineExceeded, rawMessage: 'context deadline exceeded', cause }
    : { code: Code.Canceled, rawMessage: 'context canceled', cause };
}
