// What the package throws. Families that are never mixed: Locket refused, there was no effect, nobody knows, and mistakes
// of the caller.

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
 * What a failed call did:
 *
 * * `refused`: certainly nothing. Locket, or a proxy in front of it, said no.
 * * `no-effect`: certainly nothing, and nobody said no. The call was not sent, since it was given up before or nothing
 *   listens at that address; or it only reads, and its answer did not come.
 * * `unknown`: it may have been done or not. Its owner may hold the lock until the TTL ends. A browser does not tell a
 *   connection that was refused from one that broke, so there both are this.
 */
export type Outcome = 'no-effect' | 'refused' | 'unknown';

/** The reasons that Locket gives, as its message strings. */
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

/** What is known of a failed call. */
export interface LocketErrorDetails {
  code: Code;
  /** The gRPC message, exactly as it arrived. */
  rawMessage: string;
  /** Overrides what follows from code and message. */
  outcome?: Outcome | undefined;
  requestId?: string | undefined;
  field?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  lastError?: LocketError | undefined;
  cause?: unknown;
}

/**
 * A call failed. Look at {@link LocketError.outcome | outcome} first: it tells apart "certainly not done"
 * and "nobody knows", which is what a lock's owner has to know.
 *
 * @example
 * ```ts
 * try {
 *   await client.lock({ key: 'bbs', owner: 'bbs-1', ttl: '15s' });
 * } catch (error) {
 *   if (error instanceof LocketError && error.reason === 'lock-collision') return 'somebody else has it';
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
  /** What the call did: certainly nothing, or nobody knows. */
  readonly outcome: Outcome;
  /** The gRPC message, exactly as it arrived. */
  readonly rawMessage: string;
  /** The `uuid` that the request carried; the server's log names it too. */
  readonly requestId: string | undefined;
  /** The request's field that is at fault, where one is. */
  readonly field: string | undefined;
  /** Headers and trailers of the answer, names in lower case, without those of HTTP and gRPC themselves. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Of a wait that was given up: why its last attempt failed. */
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

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'LocketError');
  }
}

/**
 * What was held is held no longer, or could not be had: the reason of a lock's `signal`, and the error of a runner that
 * ended by itself. Its `cause` is the {@link LocketError} of the attempt that brought it about, or of the last one if the
 * lease ended because none succeeded in time; there is none if no attempt had failed by then.
 */
export class LockLostError extends Error {
  override readonly name: string = 'LockLostError';
  /** The key; of several locks that were held together, all of them. */
  readonly key: string;
  /** Why the last attempt failed; `undefined` if none had failed. */
  readonly lastAttempt: LocketError | undefined;
  /** Of {@link LocketClient.withLock}: what the work resolved with, although the lock was lost before it ended. */
  readonly result: unknown = undefined;

  constructor(key: string, problem: string, cause?: unknown) {
    super(`${key}: ${problem}`, cause === undefined ? undefined : { cause });
    this.key = key;
    this.lastAttempt = cause instanceof LocketError ? cause : undefined;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'LockLostError');
  }
}

/** A lock was not held within `maxWait`. The client no longer wants it, and frees it if it is granted late. */
export class LockTimeoutError extends Error {
  override readonly name: string = 'LockTimeoutError';
  /** The key of the lock. */
  readonly key: string;
  /** How long the wait was, in milliseconds. */
  readonly waitedMs: number;
  /** Why the last attempt failed; `undefined` if none had ended. */
  readonly lastAttempt: LocketError | undefined;

  constructor(key: string, waitedMs: number, lastAttempt?: LocketError) {
    const problem = `not held after ${waitedMs / 1000} s${afterwards(lastAttempt)}`;
    super(`${key}: ${problem}`, lastAttempt === undefined ? undefined : { cause: lastAttempt });
    this.key = key;
    this.waitedMs = waitedMs;
    this.lastAttempt = lastAttempt;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'LockTimeoutError');
  }
}

/** An argument that cannot be taken; the call was not made. */
export class LocketArgumentError extends TypeError {
  override readonly name: string = 'LocketArgumentError';
  /** The argument at fault, with the path into it: `ttl`, `profile.releaseMissing`. */
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'LocketArgumentError');
  }
}

/**
 * Why the module cannot be used: a bug in it, no memory, or another instance has taken its place; the page's
 * Content-Security-Policy forbids WebAssembly, or the module could not be loaded.
 */
export type ModuleErrorReason = 'bug' | 'csp' | 'not-loaded' | 'out-of-memory' | 'replaced';

/**
 * The WebAssembly module of this package failed, or what is used was lost when it did: servers, simulations, searches and
 * runners of that time are gone. The module begins anew by itself: whatever is made from then on works.
 */
export class ModuleError extends Error {
  override readonly name: string = 'ModuleError';
  /**
   * `bug` is one to report, `out-of-memory` says that there is too much at once, `replaced` that something was lost by one of
   * these two. `csp` and `not-loaded` are of the first use: the next one tries again.
   */
  readonly reason: ModuleErrorReason;

  constructor(reason: ModuleErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'ModuleError');
  }
}

/**
 * A run would take more steps than it may: see `RunOptions.maxSteps`. A step is one thing that happens, such as that
 * a message arrives or a process polls.
 */
export class StepLimitError extends RangeError {
  override readonly name: string = 'StepLimitError';
  /** How many steps it may take. */
  readonly maxSteps: number;
  /** The virtual time that they led to, in milliseconds. */
  readonly reachedMs: number;
  /** The virtual time that they should have led to. */
  readonly untilMs: number;

  constructor({ maxSteps, reachedMs, untilMs }: { maxSteps: number; reachedMs: number; untilMs: number }) {
    const [reached, until] = [reachedMs, untilMs].map((ms) => `${ms / 1000} s`);
    super(`the run took ${maxSteps} steps, all that it may take, to come to ${reached} of ${until}; raise maxSteps, or end it earlier`);
    this.maxSteps = maxSteps;
    this.reachedMs = reachedMs;
    this.untilMs = untilMs;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'StepLimitError');
  }
}

/** A mistake in a scenario's text. */
export class ScenarioError extends SyntaxError {
  override readonly name: string = 'ScenarioError';
  /** Line of the mistake, from 1. */
  readonly line: number;
  /** Column of the mistake, from 1. */
  readonly column: number;
  /** The path to it, such as `actions[2].client`; may be empty. */
  readonly path: string;

  constructor(mistake: { line: number; column: number; path: string; message: string }) {
    const { line, column, path, message } = mistake;
    super(`${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`);
    this.line = line;
    this.column = column;
    this.path = path;
  }

  /** Also true for errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(value, 'ScenarioError');
  }
}

function isBranded(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}

function nameOf(code: Code): CodeName {
  const names = Object.keys(Code) as CodeName[];
  return names.find((name) => Code[name] === code) ?? 'Unknown';
}

/** What to do about a reason, for the message. */
const REMEDIES: Record<Reason, string> = {
  'invalid-key': 'give a key that is not empty',
  'invalid-owner': 'give an owner that is not empty',
  'invalid-resource': 'give a resource',
  'invalid-ttl': 'give a ttl greater than 0s',
  'invalid-type': 'give a kind, lock or presence',
  'lock-collision': 'another owner holds the key',
  'resource-not-found': 'nobody holds the key',
  'sql-bad-request': 'a text is too long: key and owner take 255 characters, value takes 4096',
  'sql-resource-exists': 'another owner took the key at the same time; try again',
  'sql-resource-not-found': 'nobody holds the key',
  'sql-unrecoverable': 'the locks table is gone; restart Locket',
};

function isReason(message: string): message is Reason {
  return Object.hasOwn(REMEDIES, message);
}

/** What a message says of the last attempt. */
export function afterwards(lastError: LocketError | undefined): string {
  return lastError === undefined ? '' : `; the last attempt failed: ${lastError.message}`;
}

function describe(codeName: CodeName, rawMessage: string, field: string | undefined): string {
  const remedy = isReason(rawMessage) ? `: ${REMEDIES[rawMessage]}` : '';
  return `${rawMessage} (${codeName})${remedy}${field === undefined ? '' : ` [${field}]`}`;
}

/** Codes that a server gives only for what it did not do. */
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

/** As src/transport/fetch/failure.js has it for what comes over the network. */
const SQL_REFUSAL = /^sql-(?:(?!unknown)|unknown, error code: 22)/;

/** What a call did that a server answered with this. */
export function outcomeOf(code: Code, rawMessage: string): Outcome {
  // Locket's reasons are refusals even where they come as Unknown: the transaction was rolled back.
  return REFUSALS.has(code) || isReason(rawMessage) || SQL_REFUSAL.test(rawMessage) ? 'refused' : 'unknown';
}
