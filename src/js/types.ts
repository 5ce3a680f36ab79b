// The entry `locket-wasm/types`: the shapes that users of `locket-wasm`, `/client` and `/check` name, for all platforms. The
// options of a function and what it reports meanwhile follow from the function. Types alone: nothing is loaded.

// -- a client

export type { Call, CallOptions, Interceptor, Requests } from './client/call.js';
export type { Code, CodeName, LocketArgumentError, LocketError, LockLostError, LockTimeoutError, ModuleError, Outcome, Reason, ScenarioError, StepLimitError } from './base/errors.js';
export type { Duration } from './base/duration.js';
export type { ModuleSource } from './base/init.js';
export type { LockSettings, RunnerName, RunnerRule } from './base/lock-settings.js';
export type { LocketClient } from './client/client.js';
export type { LocketClientOptions } from './client/network.js';
export type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './client/resource.js';
export type { Row } from './client/row-value.js';
export type { Election } from './client/runner/election.js';
export type { RunnerEvent, RunnerExit } from './client/runner/events.js';
export type { AcquireOptions, Lock } from './client/runner/lock.js';
export type { LockRunnerOptions } from './client/runner/options.js';
export type { Runner } from './client/runner/runner.js';
export type { Work } from './client/runner/with-lock.js';
export type { WatchEvent, WatchOptions } from './client/watch.js';

// -- a server and its clock

export type { AmbientClock } from './base/ambient-clock.js';
export type { Clock, ClockTimer } from './base/clock-timer.js';
export type { ClockWait, VirtualClock } from './server/clock.js';
export type { Profile, ProfileChoice } from './server/profile.js';
export type { HttpAnswer, HttpRequest } from './server/raw-request.js';
export type { LocketServer, LocketServerOptions, ServerClientOptions } from './server/server.js';
export type { TestClient } from './server/test-client.js';
export type { TimerClock } from './server/timers.js';

// -- scenarios and simulations

export type { SimulationBranch, SimulationPlace } from './simulation/branch.js';
export type { Stories } from './simulation/link.js';
export type { EventKind, RunnerEventKind, ScenarioEvent, ScenarioRun } from './simulation/run-value.js';
export type { Scenario, ScenarioAct, ScenarioAction, ScenarioClient, ScenarioLatency, Share } from './simulation/scenario-value.js';
export type { Simulation, SimulationOptions } from './simulation/simulation.js';
export type { SimulationNode, SimulationState } from './simulation/state.js';
export type { SimulationMessage, SimulationSpan, SimulationTimeline } from './simulation/timeline.js';
export type { TraceFormat } from './simulation/trace-format.js';

// -- questions

export type { Advice, MapCell, SafeSettings, Survival } from './check/advice-value.js';
export type { Story, StoryLine, Verdict, Violation, WhyUnknown } from './check/answer-value.js';
export type { SurviveQuestion } from './check/survive.js';
export type { Exploration, SearchProgress } from './check/explore.js';
export type { Moment, Monitor } from './check/monitors.js';
export type { Bounds, Faults, Property, Question } from './check/question.js';
export type { MinimizedRun, Outside, RunQuestion, SafetyMargin, SafetyMarginFault, SafetyMarginMoment } from './check/run-value.js';
export type { SafetyMarginOptions } from './check/safety-margin.js';
export type { DurationRange, MapAxis, MapQuestion, SettingsMap } from './check/settings-map.js';
export type { VisibleState } from './check/visible-states.js';
export type { Sweep } from './check/sweep.js';
