// The package's errors. The families are never mixed: Locket refused, the call had no effect, the
// outcome is unknown, and the caller made a problem.

import { errorFacts, errorLines, INSPECT } from './look.js';

/** gRPC status codes by name. */
export const Code = {
  Canceled: 1,
  Unknown: 2,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  AlreadyExists: 6,
  PermissionDenied: 7,
  ResourceExhausted: 8,
  FailedPrecondition: 9,
  Aborted: 10,
  OutOfRange: 11,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
  DataLoss: 15,
  Unauthenticated: 16,
} as const;

/** A gRPC status code: one of the values of {@link Code}. */
export type Code = (typeof Code)[keyof typeof Code];

/** The name of a gRPC status code: one of the keys of {@link Code}. */
export type CodeName = keyof typeof Code;

/**
 * The effect of a failed call:
 *
 * * `refused`: certainly nothing. Locket, or a proxy in front of it, refused the call.
 * * `no-effect`: certainly nothing, without a refusal. The call was not sent, because it was
 *   aborted first, nothing listens at that address, or one side refused the certificate of the
 *   other; or the call only reads, and its answer did not come.
 * * `unknown`: the call may have had its effect. Its owner may hold the lock until the TTL ends. A
 *   browser cannot distinguish a refused connection from a broken one, so both are `unknown` there.
 */
export type Outcome = 'no-effect' | 'refused' | 'unknown';

/** Locket's reasons, as it writes them in messages. */
export type Reason =
  | 'invalid-key'
  | 'invalid-owner'
  | 'invalid-resource'
  | 'invalid-ttl'
  | 'invalid-type'
  | 'lock-collision'
  | 'resource-not-found'
  | 'sql-bad-request'
  | 'sql-resource-exists'
  | 'sql-resource-not-found'
  | 'sql-unrecoverable';

/** The details of a failed call. */
export interface LocketErrorDetails {
  code: Code;
  /** The gRPC message, unchanged. */
  rawMessage: string;
  /** Overrides the outcome that follows from code and message. */
  outcome?: Outcome | undefined;
  requestId?: string | undefined;
  field?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  lastError?: LocketError | undefined;
  cause?: unknown;
}

/**
 * A call failed. Look at {@link LocketError.outcome | outcome} first: it distinguishes "certainly
 * not done" from "possibly done", which a lock's owner must know.
 *
 * @example
 * ```ts
 * try {
 *   await client.lock({ key: 'bbs', owner: 'bbs-1', ttl: '15s' });
 * } catch (error) {
 *   if (error instanceof LocketError && error.reason === 'lock-collision') return 'another owner holds it';
 *   throw error;
 * }
 * ```
 */
export class LocketError extends Error {
  override readonly name: string = 'LocketError';
  /** The gRPC status code. */
  readonly code: Code;
  /** The code's name, such as `AlreadyExists`. */
  readonly codeName: CodeName;
  /** Locket's own reason, such as `lock-collision`; `undefined` for other failures. */
  readonly reason: Reason | undefined;
  /** The effect of the call: see {@link Outcome}. */
  readonly outcome: Outcome;
  /** The gRPC message, unchanged. */
  readonly rawMessage: string;
  /** The `uuid` header of the request; the server's log shows it too. */
  readonly requestId: string | undefined;
  /** The invalid field of the request, if the failure is about one. */
  readonly field: string | undefined;
  /**
   * Headers and trailers of the answer, with names in lower case, without those of HTTP and gRPC
   * themselves.
   */
  readonly metadata: Readonly<Record<string, string>>;
  /** For a wait that was aborted: the error of its last attempt. */
  readonly lastError: LocketError | undefined;

  constructor(details: LocketErrorDetails) {
    const { code, rawMessage, requestId, field, lastError } = details;
    const codeName = nameOf(code);
    super(`${describe(codeName, rawMessage, field)}${afterwards(lastError)}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.codeName = codeName;
    this.reason = isReason(rawMessage) ? rawMessage : undefined;
    this.outcome = details.outcome ?? outcomeOf(code, rawMessage);
    this.rawMessage = rawMessage;
    this.requestId = requestId;
    this.field = field;
    this.metadata = details.metadata ?? {};
    this.lastError = lastError;
  }

  static {
    complete(this, 'LocketError');
  }
}

/**
 * The lock was held and then lost, or its runner ended first: the reason of a lock's `signal`, and
 * the error of a runner that ended without being stopped. Its `cause` is the {@link LocketError} of the attempt
 * that ended it. If the lease ended without a successful renewal, the cause is the last failed
 * attempt, if there is one.
 */
export class LockLostError extends Error {
  override readonly name: string = 'LockLostError';
  /** The key. */
  readonly key: string;
  /** The error of the last attempt; `undefined` if none had failed. */
  readonly lastAttempt: LocketError | undefined;
  /**
   * For {@link LocketClient.withLock}: the result of the work, if the lock was lost before the work
   * ended.
   */
  readonly result: unknown = undefined;

  constructor(key: string, problem: string, cause?: unknown) {
    super(`${key}: ${problem}`, cause === undefined ? undefined : { cause });
    this.key = key;
    this.lastAttempt = cause instanceof LocketError ? cause : undefined;
  }

  static {
    complete(this, 'LockLostError');
  }
}

/**
 * A lock was not acquired within `maxWait`. The client stops trying, and frees the lock if it is
 * granted late.
 */
export class LockTimeoutError extends Error {
  override readonly name: string = 'LockTimeoutError';
  /** The key of the lock. */
  readonly key: string;
  /** The length of the wait, in milliseconds. */
  readonly waitedMs: number;
  /** The error of the last attempt; `undefined` if no attempt had ended. */
  readonly lastAttempt: LocketError | undefined;

  constructor(key: string, waitedMs: number, lastAttempt?: LocketError) {
    const problem = `not held after ${waitedMs / 1000} s${afterwards(lastAttempt)}`;
    super(`${key}: ${problem}`, lastAttempt === undefined ? undefined : { cause: lastAttempt });
    this.key = key;
    this.waitedMs = waitedMs;
    this.lastAttempt = lastAttempt;
  }

  static {
    complete(this, 'LockTimeoutError');
  }
}

/** An argument is invalid; the call was not made. */
export class LocketArgumentError extends TypeError {
  override readonly name: string = 'LocketArgumentError';
  /** The invalid argument, with the path into it: `ttl`, `profile.releaseMissing`. */
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }

  static {
    complete(this, 'LocketArgumentError');
  }
}

/**
 * Why the module cannot be used: it has a bug, it is out of memory, or another instance replaced
 * it; the page's Content-Security-Policy forbids WebAssembly, or the module did not load.
 */
export type ModuleErrorReason = 'bug' | 'csp' | 'not-loaded' | 'out-of-memory' | 'replaced';

/**
 * The WebAssembly module of this package failed. Servers, simulations, searches and runners of the
 * failed instance are lost. The package starts a new instance itself: objects made after the
 * failure work.
 */
export class ModuleError extends Error {
  override readonly name: string = 'ModuleError';
  /**
   * `bug`: please report it. `out-of-memory`: too much at once. `replaced`: the object was lost
   * when an instance failed for one of these two reasons. `csp` and `not-loaded` occur at first
   * use; the next use tries again.
   */
  readonly reason: ModuleErrorReason;

  constructor(reason: ModuleErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }

  static {
    complete(this, 'ModuleError');
  }
}

/**
 * A run would take more steps than allowed: see `RunOptions.maxSteps`. A step is one event,
 * such as the arrival of a message or a poll.
 */
export class StepLimitError extends RangeError {
  override readonly name: string = 'StepLimitError';
  /** The number of steps allowed. */
  readonly maxSteps: number;
  /** The virtual time that the run reached, in milliseconds. */
  readonly reachedMs: number;
  /** The virtual time that the run should have reached. */
  readonly untilMs: number;

  constructor({ maxSteps, reachedMs, untilMs }: { maxSteps: number; reachedMs: number; untilMs: number }) {
    const [reached, until] = [reachedMs, untilMs].map((ms) => `${ms / 1000} s`);
    super(`the run used all its ${maxSteps} steps and reached ${reached} of ${until}; raise maxSteps, or end the run earlier`);
    this.maxSteps = maxSteps;
    this.reachedMs = reachedMs;
    this.untilMs = untilMs;
  }

  static {
    complete(this, 'StepLimitError');
  }
}

/** A validation error in a scenario's text. */
export class ScenarioError extends SyntaxError {
  override readonly name: string = 'ScenarioError';
  /** Line of the error, from 1. */
  readonly line: number;
  /** Column of the error, from 1. */
  readonly column: number;
  /** The path of the invalid value, such as `actions[2].client`; may be empty. */
  readonly path: string;

  constructor(problem: { line: number; column: number; path: string; message: string }) {
    const { line, column, path, message } = problem;
    super(`${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`);
    this.line = line;
    this.column = column;
    this.path = path;
  }

  static {
    complete(this, 'ScenarioError');
  }
}

/** Its facts for JSON, its lines for a console, and `instanceof` also for errors of another copy of this package. */
function complete(type: { prototype: Error }, name: string): void {
  const value = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === name;
  Object.defineProperty(type, Symbol.hasInstance, { value });
  Object.defineProperties(type.prototype, {
    toJSON: { value(this: Error) { return errorFacts(this); } },
    [INSPECT]: { value(this: Error) { return errorLines(this); } },
  });
}

function nameOf(code: Code): CodeName {
  const names = Object.keys(Code) as CodeName[];
  return names.find((name) => Code[name] === code) ?? 'Unknown';
}

/** The remedy for each reason, for the message. */
const REMEDIES: Record<Reason, string> = {
  'invalid-key': 'pass a key that is not empty',
  'invalid-owner': 'pass an owner that is not empty',
  'invalid-resource': 'pass a resource',
  'invalid-ttl': 'pass a ttl greater than 0s',
  'invalid-type': "pass the kind 'lock' or 'presence'",
  'lock-collision': 'another owner holds the key',
  'resource-not-found': 'no owner holds the key',
  'sql-bad-request': 'a text is too long: key and owner take 255 characters, value takes 4096',
  'sql-resource-exists': 'another owner took the key at the same time; try again',
  'sql-resource-not-found': 'no owner holds the key',
  'sql-unrecoverable': 'the locks table does not exist; restart Locket',
};

function isReason(message: string): message is Reason {
  return Object.hasOwn(REMEDIES, message);
}

/** The end of a message: the last attempt's error. */
export function afterwards(lastError: LocketError | undefined): string {
  return lastError === undefined ? '' : `; the last attempt failed: ${lastError.message}`;
}

function describe(codeName: CodeName, rawMessage: string, field: string | undefined): string {
  const remedy = isReason(rawMessage) ? `: ${REMEDIES[rawMessage]}` : '';
  return `${rawMessage} (${codeName})${remedy}${field === undefined ? '' : ` [${field}]`}`;
}

/** Codes that a server sends only for calls without effect. */
const REFUSALS: ReadonlySet<Code> = new Set([
  Code.InvalidArgument,
  Code.NotFound,
  Code.AlreadyExists,
  Code.PermissionDenied,
  Code.ResourceExhausted,
  Code.FailedPrecondition,
  Code.OutOfRange,
  Code.Unimplemented,
  Code.Unauthenticated,
]);

/** The same rule as in src/transport/fetch/failure.js, for calls over the network. */
const SQL_REFUSAL = /^sql-(?:(?!unknown)|unknown, error code: 22)/;

/** The outcome of a call that a server answered with an error. */
export function outcomeOf(code: Code, rawMessage: string): Outcome {
  // Locket's reasons are refusals even where they come as Unknown: the transaction was rolled back.
  return REFUSALS.has(code) || isReason(rawMessage) || SQL_REFUSAL.test(rawMessage) ? 'refused' : 'unknown';
}
