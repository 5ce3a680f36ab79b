// What `locket-wasm/client` offers: a client of a real Locket.

export type {
  Call,
  CallOptions,
  CallProperties,
  CallReply,
  CommonClientOptions,
  HeadersOption,
  Interceptor,
  Metadata,
  Requests,
} from './call.js';
export { LocketClient } from './client.js';
export {
  Code,
  LocketArgumentError,
  LocketError,
  LockLostError,
  LockTimeoutError,
  ModuleError,
  type CodeName,
  type LocketErrorDetails,
  type ModuleErrorReason,
  type Outcome,
  type Reason,
} from './errors.js';
export { init, type ModuleSource } from './init.js';
export type { LocketClientOptions } from './network.js';
export { durationMs, type Duration } from './options.js';
export {
  TypeCode,
  type FetchAllRequest,
  type LockRequest,
  type ReleaseRequest,
  type Resource,
} from './resource.js';
export type { Election, ElectionHandlers } from './runner/election.js';
export type { RunnerEvent, RunnerEventOf, RunnerEventType, RunnerExit } from './runner/events.js';
export type { AcquireWait, Lock } from './runner/lock.js';
export type { Work } from './runner/with-lock.js';
export type { AcquireOptions, JointLockOptions, LockRunnerOptions, MeasureOptions, RunnerVariant } from './runner/options.js';
export type { Runner, RunnerListener } from './runner/runner.js';
export type { WatchEvent, WatchOptions } from './watch.js';
