// The entry `locket-wasm/types`: every shape that a user of `locket-wasm`, `/client` and `/check` may want to name, for all
// platforms. Types alone: nothing is loaded.

// -- a client

export type {
  Call,
  CallOptions,
  CallProperties,
  CallReply,
  CommonClientOptions,
  HeadersOption,
  Interceptor,
  Metadata,
  Requests,
} from './client/call.js';
export type {
  Code,
  CodeName,
  LocketArgumentError,
  LocketError,
  LocketErrorDetails,
  LockLostError,
  LockTimeoutError,
  ModuleError,
  ModuleErrorReason,
  Outcome,
  Reason,
  ScenarioError,
  StepLimitError,
} from './base/errors.js';
export type { Duration } from './base/duration.js';
export type { ModuleSource } from './base/init.js';
export type { LockSettings, RunnerName } from './base/lock-settings.js';
export type { LocketClient } from './client/client.js';
export type { LocketClientOptions } from './client/network.js';
export type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './client/resource.js';
export type { Row } from './client/row-value.js';
export type { Election, ElectionHandlers } from './client/runner/election.js';
export type { RunnerEvent, RunnerEventOf, RunnerEventType, RunnerExit } from './client/runner/events.js';
export type { AcquireOptions, Lock } from './client/runner/lock.js';
export type { JointLockOptions, LockRunnerOptions, MemberSettings, RunnerOptions } from './client/runner/options.js';
export type { Runner, RunnerListener } from './client/runner/runner.js';
export type { Work } from './client/runner/with-lock.js';
export type { WatchEvent, WatchOptions } from './client/watch.js';

// -- a server and its clock

export type { WantedKey } from './base/waiting.js';
export type { AmbientClock, Clock, ClockWait, RunUntilOptions, VirtualClock } from './server/clock.js';
export type { ProfileDifference } from './server/comparison.js';
export type { Profile, ProfileChoice } from './server/profile.js';
export type { HttpAnswer, HttpRequest } from './server/raw-request.js';
export type {
  CloseOptions,
  LocketServer,
  LocketServerOptions,
  RequestStats,
  ServerClientOptions,
  ServerStats,
} from './server/server.js';
export type { TestClient } from './server/test-client.js';
export type { ClockTimer, SleepOptions, TimerClock, TimerId } from './server/timers.js';

// -- scenarios and simulations

export type { SimulationBranch, SimulationPlace } from './simulation/branch.js';
export type { Stories } from './simulation/link.js';
export type { EventKind, RunnerEventKind, ScenarioEvent, ScenarioRun } from './simulation/run-value.js';
export type {
  Scenario,
  ScenarioAct,
  ScenarioAction,
  ScenarioClient,
  ScenarioClock,
  ScenarioDatabase,
  ScenarioExpectation,
  ScenarioLatency,
  ScenarioNetwork,
  ScenarioSchedule,
  Share,
} from './simulation/scenario-value.js';
export type { RunAsyncOptions, RunOptions, RunProgress } from './simulation/scenario.js';
export type {
  FromLinkOptions,
  LinkOptions,
  RunUntilAsyncOptions,
  Simulation,
  SimulationAct,
  SimulationClientOptions,
  SimulationOptions,
} from './simulation/simulation.js';
export type { SimulationNode, SimulationPending, SimulationState } from './simulation/state.js';
export type { StepsOption } from './simulation/steps.js';
export type { SimulationMessage, SimulationSpan, SimulationTimeline } from './simulation/timeline.js';
export type { TraceFormat } from './simulation/trace-format.js';

// -- questions

export type { Advice, AvailabilityCheck, AvailabilityEvent, BoshAbsence, BoshJob, BoshLocket, BoshRow, BoshSettings, Comparison, MapCell, RunnerComparison, SafeSettings, SettingsCost } from './check/advice-value.js';
export type { AdviseOptions, AdviseQuestion } from './check/advise.js';
export type {
  Coverage,
  ExplorationReport,
  LongestSchedule,
  RandomWalks,
  Story,
  StoryLine,
  StoryRange,
  Verdict,
  Violation,
  WhyNotAny,
  WhyUnknown,
} from './check/answer-value.js';
export type { BoshInput } from './check/bosh.js';
export type { AvailabilityOptions } from './check/availability.js';
export type { CompareOptions, CompareQuestion } from './check/compare.js';
export type { Exploration, ExploreOptions, NoViolation, Search, SearchOptions, SearchProgress } from './check/explore.js';
export type { MinimizeOptions, MinimizeProgress, Minimizer, MinimizerOptions } from './check/minimize.js';
export type { Moment, Monitor, MonitorResult } from './check/monitors.js';
export type { Bounds, Faults, Property, Question, RunnerQuestion } from './check/question.js';
export type { RunQuestionOptions } from './check/question-of-run.js';
export type { WalksOptions, WalksProgress } from './check/random-walks.js';
export type { MinimizedRun, Outside, RunQuestion, SafetyMargin, SafetyMarginMoment, SafetyMarginUnavoidable } from './check/run-value.js';
export type {
  SafetyMarginFault,
  SafetyMarginOptions,
  SafetyMarginProgress,
  SafetyMarginSearch,
  SafetyMarginSearchOptions,
} from './check/safety-margin.js';
export type { DurationRange, MapAxis, MapOptions, MapProgress, MapQuestion, SettingsMap } from './check/settings-map.js';
export type { VisibleState } from './check/visible-states.js';
export type { FailedSeed, Sweep, SweepOptions, SweepProgress } from './check/sweep.js';
