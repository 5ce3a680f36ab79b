// The exports of `locket-wasm`, on every platform. types.ts has the other types.

export * from './client.js';
export { durationMs } from './base/duration.js';
export { ScenarioError, StepLimitError } from './base/errors.js';
export { init } from './server/init.js';
export { AmbientClock, VirtualClock } from './server/clock.js';
export { profilePresets } from './server/profile.js';
export { LocketServer, type LocketServerOptions } from './server/server.js';
export { exportTrace } from './simulation/export.js';
export type { ScenarioEvent, ScenarioRun } from './simulation/run-value.js';
export type { Scenario } from './simulation/scenario-value.js';
export { runScenario, runScenarioAsync } from './simulation/scenario.js';
export { Simulation } from './simulation/simulation.js';
