// A scenario's run with its manual actions: the package's simulation, and the limit of its steps.

import { LocketArgumentError, Simulation, StepLimitError } from 'locket-wasm';
import type { ScenarioAct, SimulationMessage, SimulationPlace, SimulationTimeline } from 'locket-wasm/types';
import { stories as texts } from 'locket-wasm/stories';

import { durationText } from '../base/time.js';

/** A phone plays this many steps within a second, so no link or text can block the page for longer. */
const STEPS_MAX = 500_000;

export const TOO_LONG = `it takes more than ${STEPS_MAX.toLocaleString('en')} steps, the most that the page plays; play it with locket-wasm run --max-steps`;

/** An action on a run at a moment. */
export interface ManualAction {
  atMs: number;
  /** The action, if it is a single one. */
  act?: ScenarioAct;
  do: (simulation: Simulation) => void;
}

/** One action at a moment, after everything else that happens at it, or after `count` things. */
export function manualActionOf(atMs: number, act: ScenarioAct, count = Infinity): ManualAction {
  return {
    atMs,
    act,
    do: (simulation) => {
      while (simulation.nowMs === atMs && simulation.snapshot().count > count && simulation.stepBack());
      simulation.act(act);
    },
  };
}

/** The result of an action: its branch, its moment, and its timeline. */
export interface Done {
  here: SimulationPlace;
  timeline: SimulationTimeline;
}

/** A scenario from its start. Throws its validation error. */
export function openText(text: string): Simulation {
  return new Simulation(text, { maxSteps: STEPS_MAX });
}

/** The place that a link points to. */
export function openLink(link: string): Simulation {
  // It may be a change of any shipped story.
  return Simulation.fromLink(link, { stories: texts, maxSteps: STEPS_MAX });
}

/**
 * The timeline of a whole branch. It also makes the branch complete, so that an action keeps it.
 */
export function wholeOf(simulation: Simulation): SimulationTimeline {
  const here = simulation.snapshot();
  const timeline = simulation.timeline();
  simulation.seek({ timeMs: timeline.endMs });
  simulation.restore(here);
  return timeline;
}

/** Does something in a branch of its own. If it cannot be done, the simulation is where it was, and the error says why. */
export function doIn(simulation: Simulation, act: (simulation: Simulation) => void): Done {
  const before = simulation.snapshot();
  try {
    act(simulation);
    const here = simulation.snapshot();
    return { here, timeline: wholeOf(simulation) };
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
  simulation.seek({ event: index });
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
  if (error instanceof LocketArgumentError) return error.message;
  throw error;
}
