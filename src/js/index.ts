// The exports of `locket-wasm`, on every platform.

export * from './client.js';
export { AmbientClock, VirtualClock, type Clock, type ClockWait, type RunUntilOptions } from './server/clock.js';
export { ScenarioError, StepLimitError } from './base/errors.js';
export { profilePresets, type Profile, type ProfileChoice } from './server/profile.js';
export type { Row } from './client/resource.js';
export { exportTrace } from './simulation/export.js';
export type { TraceFormat } from './simulation/trace-format.js';
export type {
  Scenario,
  ScenarioAct,
  ScenarioAction,
  ScenarioClient,
  ScenarioClock,
  ScenarioDatabase,
  ScenarioDeeds,
  ScenarioExpectation,
  ScenarioLatency,
  ScenarioNetwork,
  ScenarioRepetition,
} from './simulation/scenario-value.js';
export {
  Simulation,
  type SimulationBranch,
  type FromLinkOptions,
  type LinkOptions,
  type RunUntilAsyncOptions,
  type SimulationClientOptions,
  type SimulationNode,
  type SimulationOptions,
  type SimulationPending,
  type SimulationPlace,
  type SimulationState,
} from './simulation/simulation.js';
export type { Stories } from './simulation/link.js';
export type { StepsOption } from './simulation/steps.js';
export type { SimulationMessage, SimulationSpan, SimulationTimeline } from './simulation/timeline.js';
export {
  runScenario,
  runScenarioAsync,
  type EventKind,
  type RunAsyncOptions,
  type RunnerEventKind,
  type RunOptions,
  type RunProgress,
  type ScenarioEvent,
  type ScenarioRun,
} from './simulation/scenario.js';
export {
  LocketServer,
  type CloseOptions,
  type HttpAnswer,
  type HttpRequest,
  type LocketServerOptions,
  type RequestStats,
  type ServerClientOptions,
  type ServerStats,
} from './server/server.js';
export type { TestClient } from './server/test-client.js';
export type { ClockTimer, SleepOptions, TimerClock, TimerId } from './server/timers.js';
