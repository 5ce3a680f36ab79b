// Scenarios as values, for the compiler and for editors. The same in JSON Schema is `locket-wasm/scenario.schema.json`.

import type { Duration } from '../base/duration.js';
import type { ProfileChoice } from '../server/profile.js';

/**
 * A run as data: who takes part, what is done to them when, and what is expected.
 *
 * @example
 * ```ts
 * const run = runScenario({
 *   name: 'takeover',
 *   clients: [
 *     { name: 'a', key: 'bbs', retryInterval: '5s' },
 *     { name: 'b', key: 'bbs', retryInterval: '5s', startAt: '1s' },
 *   ],
 *   actions: [{ at: '7s', do: 'crash', node: 'a' }],
 *   until: '30s',
 *   expect: [{ at: '30s', key: 'bbs', owner: 'b' }],
 * } satisfies Scenario);
 * ```
 */
export interface Scenario {
  /** What the run is called. */
  name: string;
  /** What it teaches, for people. */
  description?: string;
  /** Which Locket it runs against; the documents' by default. */
  profile?: ProfileChoice;
  /** Where ids come from, and the faults of a random run; 0 by default. */
  seed?: number;
  /** Whether the seed decides wherever the world could go two ways: latencies, losses, duplicates, ties. */
  random?: boolean;
  /** Decisions that are taken whatever the seed says, by place: `{ 'l3.17': 1 }`. */
  overrides?: Record<string, number>;
  /** How many Locket processes share the database, 1 (by default) to 16. */
  processes?: number;
  /** What the links between clients and processes do. */
  network?: ScenarioNetwork;
  /** What the link between processes and database does. */
  database?: ScenarioDatabase;
  /** When the run ends; by default with the last thing that the scenario says. */
  until?: Duration;
  /** Who takes part. */
  clients: ScenarioClient[];
  /** What is done. */
  actions?: ScenarioAction[];
  /** What must hold. */
  expect?: ScenarioExpectation[];
}

/** How long a message takes: always the same, or a range, of which a run that is not random takes the least. */
export type ScenarioLatency = Duration | { min?: Duration; max: Duration; step?: Duration };

/** A part of all: a percentage from 0 to 100 with at most one decimal, such as `30%` or `0.5%`. */
export type Share = `${number}%`;

/** What links between clients and Locket processes do. */
export interface ScenarioNetwork {
  latency?: ScenarioLatency;
  /** How many messages are lost, in a random run. */
  loss?: Share;
  /** How many messages arrive twice, in a random run. */
  duplicates?: Share;
}

/** What the link to the database does. */
export interface ScenarioDatabase {
  /** How long a query or its answer takes. */
  latency?: ScenarioLatency;
  /** How many replies are lost after the commit, in a random run. */
  replyLoss?: Share;
}

/**
 * A client that wants a key, or several. It is a runner if it has a `retryInterval`, a `runner` or `keys`; the calls of any other are
 * actions. Settings of `acquire` fit.
 */
export interface ScenarioClient {
  /** Unique; also its owner unless that is given. */
  name: string;
  /** What it wants: a lock (by default), a presence, or several locks together, without one of which it gives up all. */
  kind?: 'joint' | 'lock' | 'presence';
  /** The key it wants; a joint lock has `keys`. */
  key?: string;
  /** The 2 to 16 keys that a joint lock wants, in this order, each once it has the one before. It waits for the first without limit. */
  keys?: string[];
  /** How long a joint lock waits for each key after the first; its TTL by default. */
  keyTimeout?: Duration;
  /** The owner it presents; its name by default. */
  owner?: string;
  /** What it stores beside the key. */
  value?: string;
  /** Its lease, whole seconds; 15 s by default. */
  ttl?: Duration;
  /** How long its runner waits between attempts. */
  retryInterval?: Duration;
  /** Which runner it is. */
  runner?: 'cloud-controller' | 'safe' | 'upstream' | 'upstream-before-2025-10';
  /** By how much a safe runner shortens its lease; 1 s by default (500 ms below a TTL of 10 s, 250 ms below 5 s, 100 ms below 3 s). */
  margin?: Duration;
  /** Whether its first attempt has a deadline as the others have; upstream's has not. */
  firstAttemptDeadline?: boolean;
  /** When its runner starts; at once by default. */
  startAt?: Duration;
  /** After how many things of that instant; 0 is before all. Left out, after everything that happens by itself. */
  startAfter?: number;
  /** The Locket process that it prefers, from 0. */
  process?: number;
  /** Its machine's clock. */
  clock?: ScenarioClock;
}

/** A machine's clock. */
export interface ScenarioClock {
  /** How far ahead it is. */
  offset?: Duration;
  /** How many microseconds a second it gains; negative if it is slow. */
  ratePpm?: number;
}

/** What each deed needs and takes. */
export interface ScenarioDeeds {
  /** A node crashes: what it knows is gone, and nothing is released. */
  crash: { node: string };
  /** A link passes nothing. */
  cut: { from: string; to: string; oneWay?: boolean };
  /** An operator deletes a row. */
  'delete-row': { key: string };
  /** An operator drops the table. */
  'drop-table': object;
  /** The database fails over to a replica that lacks its last commits. */
  'fail-over': { lostCommits: number };
  /** A client reads who holds its key. */
  fetch: { node: string };
  /** A client lists everything of its kind. */
  'fetch-all': { node: string };
  /** A cut link passes messages again. */
  heal: { from: string; to: string; oneWay?: boolean };
  /** A client takes or renews its key. */
  lock: { node: string };
  /** A client sends a Lock in which the resource is missing. */
  'lock-without-resource': { node: string };
  /** A link loses its next messages. */
  'lose-messages': { from: string; to: string; count?: number };
  /** The replies to the next transactions are lost, although they are committed. */
  'lose-replies': { count: number };
  /** The author says something. */
  note: { text: string };
  /** A node does nothing until it is resumed, or for a time. */
  pause: { node: string; for?: Duration };
  /** An operator writes a row. */
  'put-row': { key: string; owner: string; ttl?: Duration };
  /** A client gives its key up. */
  release: { node: string };
  /** A node crashes and starts at once; a client may get another owner. */
  restart: { node: string; owner?: string };
  /** A paused node goes on. */
  resume: { node: string };
  /** The database answers nothing for a time. */
  stall: { for: Duration };
  /** A link takes another time from now on. */
  'set-latency': { from: string; to: string; latency: ScenarioLatency; oneWay?: boolean };
  /** A node that is down starts. */
  start: { node: string };
  /** A client's runner is told to stop, and releases; a Locket process stops. */
  stop: { node: string };
  /** As a pause, but the machine's clock stands still too. */
  suspend: { node: string; for?: Duration };
}

/** Something that is done now; nodes are clients by name, `database`, `locket-0`, or `locket` for all processes. */
export type ScenarioAct = { [D in keyof ScenarioDeeds]: { do: D } & ScenarioDeeds[D] }[keyof ScenarioDeeds];

/** When something is done. */
export type ScenarioRepetition =
  | { at: Duration; every?: never; until?: never }
  | { at: Duration; /** The interval of repetitions. */ every: Duration; /** The last moment of one. */ until: Duration };

/** Something that is done once, or again and again. */
export type ScenarioAction = ScenarioAct &
  ScenarioRepetition & {
    /** After how many things of its instant it is done; 0 is before all. Left out, after everything that happens by itself. */
    after?: number;
  };

/** Something that must hold, at a moment or over the whole run. */
export interface ScenarioExpectation {
  /** The moment; after everything that happens at it. */
  at?: Duration;
  /** The key that `owner`, `believers` and `twoOwnersFor` are about. */
  key?: string;
  /** Who the row says owns the key at that moment; `null` if there is no row. */
  owner?: string | null;
  /** The clients that believe at that moment that they hold the key. */
  believers?: string[];
  /** For how long, in the whole run, two clients or more believed it at once. */
  twoOwnersFor?: Duration;
  /** A text that an event at that moment, or at any, must contain. */
  event?: string;
  /** A text that no event may contain. */
  noEvent?: string;
}
