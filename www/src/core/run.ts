// A scenario's run with its manual actions: the package's simulation, and the limit of its steps.

import { LocketArgumentError, ScenarioError, Simulation, StepLimitError } from 'locket-wasm';
import type { SimulationMessage, SimulationPlace } from 'locket-wasm/types';
import { stories as texts } from 'locket-wasm/stories';

import { type Json, print } from '../base/print.js';
import { durationText } from '../base/time.js';
import { settledOf, type Whole, wholeOf } from './whole.js';

/** A phone plays this many steps within a second, so no link or text can block the page for longer. */
export const STEPS_MAX = 500_000;

export const TOO_LONG = `it takes more than ${STEPS_MAX.toLocaleString('en')} steps, the most that the page plays; play it with locket-wasm run --max-steps`;

/** What was done by hand, at a step of an instant. */
export type ManualAction = ReturnType<Simulation['acts']>[number];

/** Goes to a time, after so many things of that instant, or after all if there are fewer. */
export function seekWithin(simulation: Simulation, timeMs: number, count: number): void {
  simulation.seek({ timeMs });
  const here = simulation.snapshot();
  if (here.timeMs === timeMs && here.count > count) simulation.restore({ ...here, count });
}

/** Goes to right after so many events, of which the last is at a time: forward alone, the package stops where the scenario ends by itself. */
export function seekEvents(simulation: Simulation, timeMs: number, count: number): void {
  simulation.seek({ timeMs });
  simulation.seek({ event: count });
}

/** The result of an action: its branch, its moment, and the run. */
interface Done {
  simulation: Simulation;
  here: SimulationPlace;
  whole: Whole;
}

/** A scenario from its start. Throws its validation error. */
function openText(text: string): Simulation {
  return new Simulation(text, { maxSteps: STEPS_MAX });
}

/** A scenario with what was done by hand. */
export interface Acted {
  scenario: string;
  manualActions: readonly ManualAction[];
}

/** The same, as a run. */
export interface Opened extends Acted {
  simulation: Simulation;
  whole: Whole;
}

/** The place that a link points to, in its whole run. */
export function openedLink(link: string, maxSteps = STEPS_MAX): Opened {
  // It may be a change of any shipped story.
  const simulation = Simulation.fromLink(link, { stories: texts, maxSteps });
  return closingUnless(simulation, () => {
    const scenario = print(JSON.parse(simulation.scenario) as Json);
    const manualActions = simulation.acts();
    return { simulation, scenario, manualActions, whole: wholeBranch(simulation, manualActions) };
  });
}

/** The run of the branch that a simulation is in. One with acts goes on until it has settled; a scenario says its own end. */
function wholeBranch(simulation: Simulation, manualActions: readonly ManualAction[]): Whole {
  return (manualActions.length === 0 ? wholeOf : settledOf)(simulation);
}

function closingUnless<Result>(simulation: Simulation, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    simulation.close();
    throw error;
  }
}

/** A scenario, with everything that was done by hand. With a planned end the run goes on until it has settled, and the scenario then says so. */
export function replay({ scenario, manualActions }: Acted, plannedEndMs?: number): Opened {
  if (plannedEndMs === undefined) return played(scenario, manualActions, wholeOf);
  const run = played(withEnd(scenario, plannedEndMs), manualActions, settledOf);
  const { endMs } = run.whole.timeline;
  if (endMs <= plannedEndMs) return run;
  run.simulation.close();
  // As its link will: a run that never settles would go on once more.
  return played(withEnd(scenario, endMs), manualActions, (simulation) => wholeBranch(simulation, manualActions));
}

function played(scenario: string, manualActions: readonly ManualAction[], tell: typeof wholeOf): Opened {
  const simulation = openText(scenario);
  return closingUnless(simulation, () => {
    for (const { timeMs, count, action } of manualActions) {
      seekWithin(simulation, timeMs, count);
      simulation.act(action);
    }
    // As a link has them: an instant of another run may have had fewer things.
    return { simulation, scenario, manualActions: simulation.acts(), whole: tell(simulation) };
  });
}

function withEnd(scenario: string, endMs: number): string {
  return print({ ...(JSON.parse(scenario) as { [name: string]: Json }), until: durationText(endMs) });
}

/** Does something in a branch of its own. If it cannot be done, the simulation is where it was, and the error says why. */
export function doIn({ simulation: whole, endMs }: Pick<Opened, 'simulation'> & { endMs: number }, act: (simulation: Simulation) => void): Done {
  // At its end a branch would not fork, but go on.
  const simulation = whole.nowMs < endMs ? whole : openedLink(whole.link()).simulation;
  const before = simulation.snapshot();
  try {
    act(simulation);
    const here = simulation.snapshot();
    const told = settledOf(simulation);
    simulation.restore(here);
    return { simulation, here, whole: told };
  } catch (error) {
    simulation.restore(before);
    throw error;
  }
}

/** A value at a branch's end, for instance a link to all of it. */
export function atEnd(simulation: Simulation, endMs: number, tell: (simulation: Simulation) => string): string {
  const here = simulation.snapshot();
  simulation.seek({ timeMs: endMs });
  const text = tell(simulation);
  simulation.restore(here);
  return text;
}

/** Loses a message, or has it take longer by so much; the event with this index sent it. */
export function interfereWith(simulation: Simulation, { from, to, sentMs, arrivesMs }: SimulationMessage, index: number, delayMs: number | undefined): void {
  // Before it is sent, and after whatever happened before that.
  seekEvents(simulation, sentMs, index);
  while (simulation.eventCount > index && simulation.stepBack());
  if (delayMs === undefined) {
    simulation.act({ do: 'lose-messages', from, to, count: 1 });
    return;
  }
  const usualMs = (arrivesMs ?? sentMs) - sentMs;
  simulation.act({ do: 'set-latency', from, to, oneWay: true, latency: durationText(usualMs + delayMs) });
  while (simulation.eventCount <= index && simulation.step().length > 0);
  simulation.act({ do: 'set-latency', from, to, oneWay: true, latency: durationText(usualMs) });
}

/** Why an action is not possible, as a message; bugs are thrown again. */
export function whyNot(error: unknown): string {
  if (error instanceof StepLimitError) return TOO_LONG;
  // Nobody sees the text of the scenario there.
  if (error instanceof LocketArgumentError || error instanceof ScenarioError) return error.message.replace(/^\d+:\d+: (clients\[\d+\]\.)?/, '');
  throw error;
}
