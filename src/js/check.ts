// The exports of `locket-wasm/check`: questions about settings and runs.

export { init, type ModuleSource } from './base/init.js';
export { advise, type Advice, type AdviseOptions, type AdviseQuestion, type SafeSettings, type SettingsCost } from './check/advise.js';
export { boshJobs, boshSettings, type BoshInput, type BoshJob, type BoshSettings } from './check/bosh.js';
export { compareRunners, type CompareOptions, type CompareQuestion, type Comparison, type RunnerComparison } from './check/compare.js';
export {
  safetyMargin,
  SafetyMarginSearch,
  type SafetyMarginFault,
  type SafetyMarginMoment,
  type SafetyMarginSearchOptions,
  type SafetyMargin,
  type SafetyMarginProgress,
  type SafetyMarginOptions,
} from './check/safety-margin.js';
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
  type WhyUnknown,
} from './check/explore.js';
export { checkMonitors, type Moment, type Monitor, type MonitorResult } from './check/monitors.js';
export {
  mergeSweeps,
  splitShard,
  sweepSeeds,
  type FailedSeed,
  type Sweep,
  type SweepOptions,
  type SweepProgress,
} from './check/sweep.js';
export { minimize, Minimizer, type MinimizerOptions, type MinimizeOptions, type MinimizeProgress, type MinimizedRun } from './check/minimize.js';
export {
  joinMaps,
  mapRows,
  mapSettings,
  type MapAxis,
  type MapCell,
  type MapOptions,
  type MapProgress,
  type MapQuestion,
  type DurationRange,
  type SettingsMap,
} from './check/settings-map.js';
export type { Bounds, Property, Question, RunnerQuestion } from './check/question.js';
export type { Situation } from './check/situations.js';
export { randomWalks, type RandomWalks, type WalksOptions, type WalksProgress } from './check/random-walks.js';
export { stateGraph, type StateGraphOptions } from './check/state-graph.js';
export { witness, type Witness, type WitnessOptions } from './check/witness.js';
