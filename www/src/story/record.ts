// Records the run of a tour: plays its scenario in the simulator and keeps what the stage draws, in beats. Runs when the page is built.

import { Simulation } from 'locket-wasm';

import { beatCaption, type Fact, turnOf } from '../core/sentences.js';
import { using } from '../core/using.js';
import { factsOf } from './facts.js';
import { recorded } from './recorded.js';
import type { Beat, Run } from './run.js';
import { type Plan, PLANS } from './plans.js';
import type { Tour } from './tours.js';

/** The run of a tour; `stories` are the texts of the shipped scenarios by name. */
export function record(tour: Tour, stories: Stories): Run {
  const plan = PLANS[tour.id];
  if (plan === undefined) throw new Error(`no plan for the tour ${tour.id}`);
  return using(new Simulation(changed(plan, stories[tour.story] ?? '')), (simulation) => told(tour, plan, simulation, stories));
}

type Stories = Readonly<Record<string, string>>;

function told({ story }: Tour, plan: Plan, simulation: Simulation, stories: Stories): Run {
  const timeline = simulation.timeline();
  const whole = { ...recorded(simulation, timeline, plan.writes), instrument: instrumentAt(story, plan, simulation, stories) };
  return { ...whole, beats: beatsOf(factsOf(timeline, whole), plan.cutsMs) };
}

/** The address of the run in the instrument, where its last beat ends. */
function instrumentAt(story: string, { clients, latency, cutsMs }: Plan, simulation: Simulation, stories: Stories): string {
  const timeMs = cutsMs.at(-1) ?? 0;
  if (clients === undefined && latency === undefined) return `#story=${story}&t=${timeMs}`;
  simulation.seek({ timeMs });
  return `#sim=${encodeURIComponent(simulation.link({ stories }))}`;
}

/** The scenario with other settings. Its description, notes and expectations are about the old ones, and left out. */
function changed({ clients: change, latency }: Plan, scenario: string): string {
  if (change === undefined && latency === undefined) return scenario;
  const { expect: _, description: __, clients, actions, ...rest } = JSON.parse(scenario) as Changeable;
  const network = latency === undefined ? {} : { network: { latency } };
  return JSON.stringify({
    ...rest,
    ...network,
    clients: clients.map((client) => ({ ...client, ...change })),
    actions: actions?.filter((action) => action.do !== 'note'),
  });
}

interface Changeable {
  description?: unknown;
  expect?: unknown;
  clients: object[];
  actions?: { do: string }[];
}

function beatsOf(facts: readonly Fact[], cutsMs: readonly number[]): Beat[] {
  return cutsMs.map((toMs, index) => {
    const fromMs = index === 0 ? 0 : (cutsMs[index - 1] ?? 0);
    const own = facts.filter(({ atMs }) => (index === 0 || atMs > fromMs) && atMs <= toMs);
    const pinMs = index === 0 ? 0 : (turnOf(own)?.atMs ?? toMs);
    return { fromMs, toMs, pinMs, caption: beatCaption(own) };
  });
}
