// The exports of `locket-wasm`, on every platform. types.ts has the other types.

export * from './client.js';
export { durationMs } from './base/duration.js';
export { ScenarioError, StepLimitError } from './base/errors.js';
export { init } from './server/init.js';
export type { AmbientClock } from './base/ambient-clock.js';
export { VirtualClock } from './server/clock.js';
export { LocketServer, type LocketServerOptions } from './server/server.js';
export type { ScenarioEvent, ScenarioRun } from './simulation/run-value.js';
export type { Scenario } from './simulation/scenario-value.js';
export { runScenario } from './simulation/scenario.js';
export { Simulation } from './simulation/simulation.js';
