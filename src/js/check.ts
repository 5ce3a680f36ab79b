// What `locket-wasm/check` exports: questions about settings and runs. types.ts has the other types.

export { init } from './base/init.js';
export { advise, type Advice, type AdviseQuestion } from './check/advise.js';
export { boshJobs, boshSettings, type BoshJob } from './check/bosh.js';
export { compareRunners, type Comparison } from './check/compare.js';
export { explore, Search, type Exploration, type ExploreOptions, type Story, type Verdict } from './check/explore.js';
export { minimize, Minimizer, type MinimizedRun } from './check/minimize.js';
export { checkMonitors, type Monitor, type MonitorResult } from './check/monitors.js';
export type { Bounds, Property, Question } from './check/question.js';
export { randomWalks } from './check/random-walks.js';
export { safetyMargin, SafetyMarginSearch, type SafetyMargin } from './check/safety-margin.js';
export { joinMaps, mapRows, mapSettings, type MapQuestion, type SettingsMap } from './check/settings-map.js';
export { stateGraph } from './check/state-graph.js';
export { mergeSweeps, splitShard, sweepSeeds, type Sweep } from './check/sweep.js';
export { witness } from './check/witness.js';
