// An incident's scenario with other settings, and whether it goes wrong in its run again. Nothing is run here: this entry has no
// module, and its users have one.

import { madeBy } from '../base/checks.js';
import { type Duration, lengthMs } from '../base/duration.js';
import type { Property } from '../check/question.js';
import type { RunnerName, RunnerRule } from '../base/lock-settings.js';
import type { Scenario, ScenarioClient } from '../simulation/scenario-value.js';
import type { SimulationTimeline } from '../simulation/timeline.js';
import type { Reproduction } from './scenario.js';

/** Settings of runners, as `advise` names them. */
export interface RunnerSettings {
  runner: RunnerName | RunnerRule;
  ttlMs: number;
  retryIntervalMs: number;
}

/** An incident's scenario to run again. */
export interface Replay {
  scenario: Scenario;
  /** Whether the incident happens in a run of it, and the outcome in words, such as `has two owners`. */
  outcome(run: Pick<SimulationTimeline, 'noClientActs' | 'twoOwners'>): { isIncident: boolean; text: string };
}

/**
 * The scenario of an incident as it was, or with other settings of its clients, to see whether these prevent it. With other settings
 * it goes on for two TTLs more, so that all shows that they change, and expects nothing.
 *
 * @example
 * ```ts
 * const { alternatives } = await advise(reproduction.question);
 * const { scenario, outcome } = replayOf(reproduction, alternatives[0]);
 * console.log(outcome(new Simulation(scenario).timeline()).isIncident); // false
 * ```
 */
export function replayOf(reproduction: Reproduction, settings?: RunnerSettings): Replay {
  return madeBy('reproductionOf()', 'reproduction', reproduction, ({ scenario, question: { property } }) => ({
    scenario: settings === undefined ? scenario : scenarioWith(scenario, settings),
    outcome: (run) => madeBy('runScenario()', 'run', run, (it) => outcomeOf(property, it)),
  }));
}

function scenarioWith({ expect: _, ...scenario }: Scenario, { runner, ttlMs, retryIntervalMs }: RunnerSettings): Scenario {
  const times: Pick<ScenarioClient, 'retryInterval' | 'ttl'> = { ttl: `${ttlMs}ms`, retryInterval: `${retryIntervalMs}ms` };
  const clients = scenario.clients.map((client) => ({ ...client, runner, ...times }));
  const until: Duration = `${lengthMs('until', scenario.until) + 2 * ttlMs}ms`;
  return { ...scenario, until, clients };
}

/** What must not happen in a run: two owners, a loss, or too long a time in which no client acts. */
function outcomeOf(property: Property | undefined, { twoOwners, noClientActs }: Pick<SimulationTimeline, 'noClientActs' | 'twoOwners'>): ReturnType<Replay['outcome']> {
  const told = (isIncident: boolean, wrong: string, right: string) => ({ isIncident, text: isIncident ? wrong : right });
  if (property?.is === 'one-owner') return told(twoOwners.length > 0, 'has two owners', 'has one owner at a time');
  const longestMs = Math.max(0, ...noClientActs.map(({ fromMs, toMs }) => toMs - fromMs));
  if (property?.is !== 'no-client-acts') return told(longestMs > 0, 'loses the lock', 'keeps the lock');
  const { allow = '0s' } = property;
  return told(longestMs > lengthMs('allow', allow), `has no client that acts for more than ${allow}`, `has no client that acts for at most ${allow}`);
}
