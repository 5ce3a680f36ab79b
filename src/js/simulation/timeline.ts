// A branch of a simulation over its whole time, for a space-time diagram.

import type { ScenarioEvent } from './scenario.js';

/** A branch over its whole time, including the future. */
export interface SimulationTimeline {
  /** Its end: the scenario's, or the latest time reached after it. */
  endMs: number;
  /** The events, in order. */
  events: ScenarioEvent[];
  /** Calls, queries and their answers, by the time of sending. */
  messages: SimulationMessage[];
  /** Truth: the owner of each key's row. */
  holders: ({ key: string; owner: string } & SimulationSpan)[];
  /** Belief: when a client believes it holds its key. */
  beliefs: ({ client: string } & SimulationSpan)[];
  /** When two or more clients believe they hold a key, and which. */
  twoOwners: ({ key: string; clients: string[] } & SimulationSpan)[];
  /** When a node was paused or down. */
  outages: ({ node: string; status: 'down' | 'paused' } & SimulationSpan)[];
  /** The failed expectations, each a sentence. */
  failures: string[];
  /** The digest of the events. */
  digest: string;
}

/** A period of time. */
export interface SimulationSpan {
  fromMs: number;
  toMs: number;
}

/** A call, a query, or an answer to one. */
export interface SimulationMessage {
  from: string;
  to: string;
  sentMs: number;
  /** When it arrives, even at a node that is paused or down; `null` if the network lost it. */
  arrivesMs: number | null;
  /** Its fate; `refused` if its receiver was down. */
  fate: 'arrives' | 'lost' | 'refused';
  /** The number of the event that sent it. */
  cause: number | null;
  isAnswer: boolean;
}

/** The module's timeline. */
interface TimelineJson extends Pick<SimulationTimeline, 'digest' | 'events'> {
  /** The rest, as JSON. */
  lines: string;
}

/** Reads the module's timeline. */
export function readTimeline(timeline: unknown): SimulationTimeline {
  const { events, digest, lines } = timeline as TimelineJson;
  return { ...(JSON.parse(lines) as Omit<SimulationTimeline, keyof TimelineJson>), events, digest };
}
