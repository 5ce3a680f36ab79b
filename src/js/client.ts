// The exports of `locket-wasm/client`: a client of a real Locket. types.ts has the other types.

export type { CallOptions, Interceptor } from './client/call.js';
export { LocketClient } from './client/client.js';
export { Code, LocketArgumentError, LocketError, LockLostError, LockTimeoutError, ModuleError, type Outcome, type Reason } from './base/errors.js';
export { duration, type Duration } from './base/duration.js';
export { init } from './base/init.js';
export type { LockSettings } from './base/lock-settings.js';
export type { LocketClientOptions } from './client/network.js';
export type { Resource } from './client/resource.js';
export type { Election } from './client/runner/election.js';
export type { RunnerEvent, RunnerExit } from './client/runner/events.js';
export type { AcquireOptions, Lock } from './client/runner/lock.js';
export type { Runner } from './client/runner/runner.js';
export type { WatchEvent } from './client/watch.js';
