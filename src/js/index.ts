// Everything the package offers, whatever way its entries load the module.

export * from './client-only.js';
export { AmbientClock, VirtualClock, type Clock, type ClockWait, type RunUntilOptions } from './clock.js';
export { ScenarioError, StepLimitError } from './errors.js';
export { profilePresets, type Profile, type ProfileChoice } from './profile.js';
export type { Row } from './resource.js';
export { advise, type Advice, type AdviseOptions, type AdviseQuestion, type SafeSettings, type SettingsCost } from './advise.js';
export { boshJobs, boshSettings, type BoshInput, type BoshJob, type BoshSettings } from './bosh.js';
export { compareRunners, type CompareOptions, type CompareQuestion, type Comparison, type RunnerComparison } from './compare.js';
export {
  dangerProfile,
  DangerSearch,
  type DangerFault,
  type DangerMoment,
  type DangerOptions,
  type DangerProfile,
  type DangerProgress,
  type DangerProfileOptions,
} from './danger.js';
export {
  explore,
  Search,
  type Coverage,
  type Exploration,
  type ExplorationReport,
  type ExploreOptions,
  type LongestSchedule,
  type NoViolation,
  type SearchOptions,
  type SearchProgress,
  type Story,
  type StoryLine,
  type StoryRange,
  type Verdict,
  type Violation,
} from './explore.js';
export { runMonitors, type Moment, type Monitor, type MonitorResult } from './monitors.js';
export {
  mergeSweeps,
  splitShard,
  sweepSeeds,
  type FailedSeed,
  type Sweep,
  type SweepOptions,
  type SweepProgress,
} from './sweep.js';
export { shrink, Shrinker, type ShrinkerOptions, type ShrinkOptions, type ShrinkProgress, type ShrunkRun } from './shrink.js';
export {
  joinMaps,
  mapRows,
  settingsMap,
  type MapAxis,
  type MapCell,
  type MapOptions,
  type MapProgress,
  type MapQuestion,
  type SecondsRange,
  type SettingsMap,
} from './settings-map.js';
export type { FaultBounds, Property, Question, QuestionRunner, RunnerQuestion, Situation } from './question.js';
export { randomWalks, type RandomWalks, type WalksOptions, type WalksProgress } from './random-walks.js';
export { stateGraph, type StateGraphOptions } from './state-graph.js';
export { witness, type Witness, type WitnessOptions } from './witness.js';
export { exportTrace, type TraceFormat } from './export.js';
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
