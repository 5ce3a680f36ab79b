// A run that the visitor makes: the acts done on a fresh simulation, and what the stage draws of it.

import { Simulation } from 'locket-wasm';

import { type Fact, factsOf } from '../story/facts.js';
import { recorded } from '../story/recorded.js';
import { isWithin, type Letter, LETTERS, type Recorded, type Span } from '../story/run.js';
import { type Act, perform, type Played, scenarioOf } from './acts.js';
import { type Presence, presenceOf, presenceSettled } from './presence.js';

/** A run with what its sentences need. */
export interface Made {
  run: Recorded;
  facts: readonly Fact[];
  /** The times with two owners, as the package counts them. */
  twoOwners: readonly Span[];
  /** Of a game with presences, which has no owners. */
  presence?: Presence;
}

/** Long enough for the longest freeze and what follows it. */
const END_MS = 150_000;
/** Slow enough that the file has room for the harm, whenever it is done. */
const WRITES = { firstMs: 800, everyMs: 9_000 };
/** For so long a run is shown after it has settled. */
const REST_MS = 2_000;

/** The run of a game, with all that follows from it. */
export function make({ settings, acts }: Played): Made {
  const simulation = new Simulation(scenarioOf(settings, END_MS));
  return using(simulation, () => {
    perform(simulation, acts);
    if (settings.isPresence !== true) return madeOf(simulation);
    return { ...presenceOf(simulation, simulation.timeline(), acts), facts: [], twoOwners: [] };
  });
}

/** The run of a scenario that a search has found. */
export function makeOf(scenario: string): Made {
  const simulation = new Simulation(scenario);
  return using(simulation, () => madeOf(simulation));
}

/** A link of the package to the game, with an end. It shows the run right before the acts of that moment. */
export function linkOf({ settings, acts }: Played, endMs: number): string {
  const simulation = new Simulation(scenarioOf(settings, endMs));
  return using(simulation, () => {
    perform(simulation, acts);
    simulation.seek({ timeMs: endMs });
    return simulation.link();
  });
}

function using<Result>(simulation: Simulation, make: () => Result): Result {
  try {
    return make();
  } finally {
    simulation.close();
  }
}

function madeOf(simulation: Simulation): Made {
  const timeline = simulation.timeline();
  const run = recorded(simulation, timeline, WRITES);
  return { run, facts: factsOf(timeline, run), twoOwners: timeline.twoOwners };
}

/** When an act is over; `undefined` while its client is frozen. */
export function overAt(act: Act): number | undefined {
  return act.do === 'freeze' || act.do === 'cut' ? act.untilMs : act.atMs;
}

/** When all acts have had their effect: a client has renewed the lock since, and the other does not believe it has it. */
export function settledAt({ run, presence }: Made, acts: readonly Act[]): number | undefined {
  const over = acts.map(overAt);
  if (over.length === 0 || over.includes(undefined)) return undefined;
  const lastMs = Math.max(...over.map((atMs) => atMs ?? 0));
  if (presence !== undefined) return Math.min(presenceSettled(presence, lastMs) + REST_MS, run.endMs);
  const calm = run.leases.find(({ atMs }) => atMs > lastMs && isCalm(run, atMs));
  return Math.min(calm === undefined ? run.endMs : calm.atMs + REST_MS, run.endMs);
}

function isCalm({ beliefs, holders, outages }: Recorded, atMs: number): boolean {
  const at = <Stretch extends Span>(spans: readonly Stretch[]): Stretch[] => spans.filter((span) => isWithin(span, atMs));
  const believers = at(beliefs).map(({ client }) => client);
  return at(outages).length === 0 && believers.length === 1 && at(holders)[0]?.client === believers[0];
}

/** Who believes at a moment. */
export function believersAt({ beliefs }: Recorded, atMs: number): Letter[] {
  return LETTERS.filter((letter) => beliefs.some((span) => span.client === letter && isWithin(span, atMs)));
}
