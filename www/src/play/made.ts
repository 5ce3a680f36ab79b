// A run that the visitor makes: the acts done on a fresh simulation, and what the stage draws of it.

import { Simulation } from 'locket-wasm';

import type { Fact } from '../core/sentences.js';
import { using } from '../core/using.js';
import { factsOf } from '../story/facts.js';
import { recorded } from '../story/recorded.js';
import { isWithin, type Letter, LETTERS, type Recorded, type Span } from '../story/run.js';
import { type Act, FREEZE_MAX_MS, KEY, NAMES, perform, type Played, scenarioOf } from './acts.js';
import { type Presence, presenceOf } from './presence.js';

/** A run with what its sentences need. */
export interface Made {
  run: Recorded;
  facts: readonly Fact[];
  /** The times with two owners, as the package counts them. */
  twoOwners: readonly Span[];
  /** Of a game with presences, which has no owners. */
  presence?: Presence;
  /** When all that was done has had its effect, and that has been seen; `undefined` without an act, or while a client is held. */
  overMs?: number;
}

/** For so long a run goes on after all that was done: it has settled by then. */
const TAIL_MS = 60_000;
/** Slow enough that the file has room for the harm, whenever it is done. */
const WRITES = { firstMs: 800, everyMs: 9_000 };
/** A schedule of a search is short, and its owners write at once. */
const SHORT_WRITES = { firstMs: 100, everyMs: 4_000 };
/** For so long a run is shown after it has settled. */
const REST_MS = 2_000;
/** And one that never settles, after its last act. */
const RESTLESS_MS = 20_000;

/** When the run of a game ends. */
export const endOf = (acts: readonly Act[]): number => lastOf(acts) + TAIL_MS;

/** The run of a game, with all that follows from it. */
export function make({ settings, acts }: Played): Made {
  const simulation = new Simulation(scenarioOf(settings, endOf(acts)));
  return using(simulation, () => {
    perform(simulation, acts);
    const made = settings.isPresence === true ? { ...presenceOf(simulation, simulation.timeline(), acts), facts: [], twoOwners: [] } : madeOf(simulation);
    const isHeld = acts.some((act) => 'untilMs' in act && act.untilMs === undefined);
    return acts.length === 0 || isHeld ? made : { ...made, overMs: overAt(simulation, made, lastOf(acts)) };
  });
}

/** The run of a scenario that a search has found. */
export function makeOf(scenario: string): Made {
  const simulation = new Simulation(scenario);
  return using(simulation, () => {
    const made = madeOf(simulation, SHORT_WRITES);
    // A search has names of its own; the clients are those of the game.
    return { ...made, run: { ...made.run, names: NAMES, key: KEY } };
  });
}

/** When the last act is over; what is held may be held for as long as possible. */
function lastOf(acts: readonly Act[]): number {
  return Math.max(0, ...acts.map((act) => ('untilMs' in act ? (act.untilMs ?? act.atMs + FREEZE_MAX_MS) : act.atMs)));
}

/** A game for the Worker: its scenario, if nobody has done anything, or a link. */
export function runOf(played: Played, endMs: number): string {
  return played.acts.length === 0 ? scenarioOf(played.settings, endMs) : linkOf(played, endMs);
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

function madeOf(simulation: Simulation, writes = WRITES): Made {
  const timeline = simulation.timeline();
  const run = recorded(simulation, timeline, writes);
  return { run, facts: factsOf(timeline, run), twoOwners: timeline.twoOwners };
}

/** The package knows whether a run has settled: it is asked at each renewal after the last act. One whose lock expires again and again never has. */
function overAt(simulation: Simulation, { run, presence, twoOwners }: Made, doneMs: number): number {
  const renewal = run.renewals.find(({ atMs }) => atMs > doneMs && hasSettled(simulation, atMs));
  const last = [...(presence?.copies ?? []), ...twoOwners].map(({ toMs }) => toMs);
  // At the end of the run every belief and every row ends.
  return Math.min(Math.max(renewal?.atMs ?? doneMs + RESTLESS_MS, ...last) + REST_MS, run.endMs - 1);
}

function hasSettled(simulation: Simulation, atMs: number): boolean {
  simulation.seek({ timeMs: atMs });
  return simulation.hasSettled;
}

/** Who believes at a moment. */
export function believersAt({ beliefs }: Recorded, atMs: number): Letter[] {
  return LETTERS.filter((letter) => beliefs.some((span) => span.client === letter && isWithin(span, atMs)));
}
