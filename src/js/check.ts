// The exports of `locket-wasm/check`: questions about settings and runs. types.ts has the other types.

export { init } from './base/init.js';
export type { Advice } from './check/advice-value.js';
export { advise } from './check/advise.js';
export type { Verdict } from './check/answer-value.js';
export { explore, type Exploration } from './check/explore.js';
export { merge } from './check/merge.js';
export { minimize } from './check/minimize.js';
export { checkMonitors, type Monitor } from './check/monitors.js';
export type { Bounds, Property, Question } from './check/question.js';
export { questionOfRun } from './check/question-of-run.js';
export type { MinimizedRun, RunQuestion, SafetyMargin } from './check/run-value.js';
export { safetyMargin } from './check/safety-margin.js';
export { mapRows, mapSettings, questionOfCell, type MapQuestion, type SettingsMap } from './check/settings-map.js';
export { survive, type SurviveQuestion } from './check/survive.js';
export { sweepSeeds, type Sweep } from './check/sweep.js';
