// The exports of `locket-wasm/client`: a client of a real Locket.

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
} from './client/call.js';
export { LocketClient } from './client/client.js';
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
} from './base/errors.js';
export { init, type ModuleSource } from './base/init.js';
export type { LocketClientOptions } from './client/network.js';
export { duration, durationMs, type Duration } from './base/duration.js';
export type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './client/resource.js';
export type { Election, ElectionHandlers } from './client/runner/election.js';
export type { RunnerEvent, RunnerEventOf, RunnerEventType, RunnerExit } from './client/runner/events.js';
export type { AcquireOptions, Lock } from './client/runner/lock.js';
export type { Work } from './client/runner/with-lock.js';
export type { LockSettings, RunnerName } from './base/lock-settings.js';
export type { JointLockOptions, LockRunnerOptions, RunnerOptions } from './client/runner/options.js';
export type { Runner, RunnerListener } from './client/runner/runner.js';
export type { WatchEvent, WatchOptions } from './client/watch.js';
