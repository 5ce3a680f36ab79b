// What `locket-wasm/check` offers, whatever way its entries load the module: questions about settings and runs.

export { init, type ModuleSource } from './init.js';
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
export type { FaultBounds, Property, Question, QuestionRunner, RunnerQuestion } from './question.js';
export type { Situation } from './situations.js';
export { randomWalks, type RandomWalks, type WalksOptions, type WalksProgress } from './random-walks.js';
export { stateGraph, type StateGraphOptions } from './state-graph.js';
export { witness, type Witness, type WitnessOptions } from './witness.js';
