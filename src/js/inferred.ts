// The entry `locket-wasm/types/inferred`: the shapes that follow from a function and that no program writes, such as its options and
// parts of its result. TypeScript has to name each type in the declarations of a program (TS2742), also one that it inferred, and
// names these by this entry. Types alone: nothing is loaded.

export type { LocketErrorDetails, ModuleErrorReason } from './base/errors.js';
export type { RunnerLease, RunnerTimeout, RunnerWait } from './base/runner-name.js';
export type { TimerId } from './base/clock-timer.js';
export type { WantedKey } from './base/waiting.js';
export type { AdviseOptions } from './check/advise.js';
export type { SurvivingSettings } from './check/advice-value.js';
export type { Coverage, ExplorationReport, LongestSchedule, StoryRange } from './check/answer-value.js';
export type { ExploreOptions } from './check/explore.js';
export type { MinimizeOptions, MinimizeProgress } from './check/minimize.js';
export type { MonitorResult } from './check/monitors.js';
export type { RunnerQuestion } from './check/question.js';
export type { RunQuestionOptions } from './check/question-of-run.js';
export type { FaultKind, SafetyMarginUnavoidable } from './check/run-value.js';
export type { SafetyMarginProgress } from './check/safety-margin.js';
export type { MapOptions, MapProgress } from './check/settings-map.js';
export type { SurviveOptions } from './check/survive.js';
export type { SweepOptions, SweepProgress } from './check/sweep.js';
export type { CallProperties, CallReply, CommonClientOptions, HeadersOption, Metadata, Owned } from './client/call.js';
export type { ElectionHandlers } from './client/runner/election.js';
export type { RunnerEventOf } from './client/runner/events.js';
export type { RunUntilOptions } from './server/clock.js';
export type { CloseOptions, RequestStats, ServerStats } from './server/server.js';
export type { SleepOptions } from './server/timers.js';
export type { RunOptions } from './simulation/scenario.js';
export type { ScenarioClock, ScenarioDatabase, ScenarioExpectation, ScenarioNetwork } from './simulation/scenario-value.js';
export type { FromLinkOptions, LinkOptions, SimulationAct } from './simulation/simulation.js';
export type { SimulationPending } from './simulation/state.js';
export type { FailedSeed } from './simulation/seed-runs.js';
export type { StepsOption } from './simulation/steps.js';
