// Errors of calls without an answer, in the form that src/transport/fetch/failure.js reads.

import { Code } from '../base/errors.js';
import { RefusedCertificate } from './refusal.js';

/** The call certainly did not reach a server. */
export class NotSent extends Error {
  readonly notSent = true;
  /** True if there was a connection, which took no more calls. */
  readonly isOfConnection: boolean;
  /** The gRPC code, if one side refused the certificate of the other: no retry helps, unless the next certificate is another one. */
  readonly grpcCode: number | undefined;

  constructor(message: string, { cause, isOfConnection = false }: { cause?: unknown; isOfConnection?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isOfConnection = isOfConnection;
    this.grpcCode = cause instanceof RefusedCertificate ? (cause.isLasting ? Code.Unauthenticated : Code.Unavailable) : undefined;
  }
}

/**
 * Marks an aborted call as not sent. The mark is on its signal's reason, since
 * src/transport/fetch/exchange.js does not wait for the error.
 */
export function markNotSent({ reason }: AbortSignal): void {
  if (reason instanceof Error) Object.assign(reason, { notSent: true });
}

/** The stream of a call ended before its answer did; the call may have been made. */
export class BrokenStream extends Error {
  /** The gRPC code for the way it ended. */
  readonly grpcCode: number | undefined;

  constructor(message: string, grpcCode?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.grpcCode = grpcCode;
  }
}
