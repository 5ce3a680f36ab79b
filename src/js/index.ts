// What `locket-wasm` offers, whatever way its entries load the module.

export * from './client-only.js';
export { AmbientClock, VirtualClock, type Clock, type ClockWait, type RunUntilOptions } from './clock.js';
export { ScenarioError, StepLimitError } from './errors.js';
export { profilePresets, type Profile, type ProfileChoice } from './profile.js';
export type { Row } from './resource.js';
export { exportTrace } from './export.js';
export type { TraceFormat } from './trace-format.js';
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
} from './scenario-value.js';
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
} from './simulation.js';
export type { Stories } from './link.js';
export type { StepsOption } from './steps.js';
export type { SimulationMessage, SimulationSpan, SimulationTimeline } from './timeline.js';
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
} from './scenario.js';
export {
  LocketServer,
  type CloseOptions,
  type HttpAnswer,
  type HttpRequest,
  type LocketServerOptions,
  type RequestStats,
  type ServerClientOptions,
  type ServerStats,
} from './server.js';
export type { TestClient } from './test-client.js';
export type { ClockTimer, SleepOptions, TimerClock, TimerId } from './timers.js';
