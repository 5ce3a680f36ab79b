// A branch of a simulation over its whole time, as a space-time diagram draws it.

import type { ScenarioEvent } from './scenario.js';

/** A branch over its whole time, also what is still to come. */
export interface SimulationTimeline {
  /** When it ends: with the scenario, or where it was gone after that. */
  endMs: number;
  /** What happens, in order. */
  events: ScenarioEvent[];
  /** Calls, queries and their answers, by the time of sending. */
  messages: SimulationMessage[];
  /** Truth: who the row of a key says holds it. */
  holders: ({ key: string; owner: string } & SimulationSpan)[];
  /** Belief: when a client acts as the owner of its key. */
  beliefs: ({ client: string } & SimulationSpan)[];
  /** When two clients or more believe to hold a key, and which. */
  twoOwners: ({ key: string; clients: string[] } & SimulationSpan)[];
  /** When a node stood still or was not there. */
  outages: ({ node: string; status: 'down' | 'paused' } & SimulationSpan)[];
  /** What the scenario expects and does not hold, each a sentence. */
  failures: string[];
  /** The digest of all of it. */
  digest: string;
}

/** A stretch of time. */
export interface SimulationSpan {
  fromMs: number;
  toMs: number;
}

/** A call, a query, or an answer to one. */
export interface SimulationMessage {
  from: string;
  to: string;
  sentMs: number;
  /** When it arrives, be it at a node that stands still or is down; `null` if the network lost it. */
  arrivesMs: number | null;
  /** What became of it: `refused` if nobody was there to take it. */
  fate: 'arrives' | 'lost' | 'refused';
  /** The number of the event that sent it. */
  cause: number | null;
  isAnswer: boolean;
}

/** What the module gives. */
interface Told extends Pick<SimulationTimeline, 'digest' | 'events'> {
  /** The rest, as JSON. */
  lines: string;
}

/** The timeline that the module told. */
export function readTimeline(told: unknown): SimulationTimeline {
  const { events, digest, lines } = told as Told;
  return { ...(JSON.parse(lines) as Omit<SimulationTimeline, keyof Told>), events, digest };
}
