// Questions about settings as values, and their form for the module, which knows what makes sense.

import { LocketArgumentError } from '../base/errors.js';
import { checkBoolean, checkChoice, kindOf, knownFields, safeInteger, text } from '../base/checks.js';
import type { LockSettings } from '../base/lock-settings.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { type Situation, situations } from './situations.js';

/** The settings of a runner in a question: those of {@link LockSettings}, of which `key`, `owner` and `value` are only labels. */
export interface RunnerQuestion extends Partial<LockSettings> {
  /** Its machine's clock. */
  clock?: {
    /** How many microseconds a second it gains; negative if it is slow. */
    ratePpm?: number;
  };
}

/** What may go wrong, at most; nothing by default, but for the latency of messages. */
export interface Bounds {
  /** How long a message may take; each takes any time up to that. 1 s by default, or what the question's scenario says. */
  latency?: Duration;
  /** How many messages may be lost. */
  lostMessages?: number;
  /** How many messages may arrive twice, the second time as late as a message may. */
  duplicates?: number;
  /**
   * How often the link between a client and a Locket process may be cut, in one direction or in both; one if `partition` is given.
   * What is sent over it meanwhile is lost.
   */
  partitions?: number;
  /** How long each may last. */
  partition?: Duration;
  /** How many pauses of clients there may be; one if `pause` is given. */
  pauses?: number;
  /** How long each may last. */
  pause?: Duration;
  /** How often a client may crash. */
  crashes?: number;
  /** How often a client that is down or has ended may start again, with the same owner. */
  restarts?: number;
  /** How often a client may be told to stop. */
  stops?: number;
  /** How often a Locket process may crash. */
  locketCrashes?: number;
  /** How long it is down then, at most. */
  locketDowntime?: Duration;
  /** How often a Locket process may be paused; once if `locketPause` is given. */
  locketPauses?: number;
  /** How long each may last. */
  locketPause?: Duration;
  /** How often the database may stall, so that it answers nothing for a while and then everything; once if `stall` is given. */
  stalls?: number;
  /** How long each may last. */
  stall?: Duration;
  /** How many replies of the database to a Locket process may be lost; not together with a stall or with a paused process. */
  lostReplies?: number;
  /** How often the database may fail over. */
  failovers?: number;
  /** How many commits it loses each time; one by default. */
  lostCommits?: number;
  /** How often an operator may delete the row. */
  rowDeletions?: number;
}

/** What must never happen. */
export type Property =
  /** Two believe to hold the lock at once for longer than `allow`, which is no time at all by default. */
  | { is: 'one-owner'; allow?: Duration }
  /** A runner gives its lock up although the row is still its own. */
  | { is: 'false-loss' }
  /** Nobody holds the lock for longer than `allow`, after somebody did and while somebody wants it. */
  | { is: 'handover'; allow: Duration }
  /** Somebody wants the lock, and nobody ever holds it for `allow`. */
  | { is: 'acquired'; allow: Duration }
  /** There is no row for longer than `allow`, after there was one and while somebody wants it. */
  | { is: 'presence-gap'; allow: Duration }
  /** Somebody believes for longer than `allow` while the row is not its own. */
  | { is: 'belief-matches-row'; allow: Duration }
  /**
   * Of your own: it is for longer than `allow`, no time at all by default, in a situation of which `never` says `true`. `never` is asked
   * once about every situation that there could be, before the search.
   */
  | { is: 'own'; never: (situation: Situation) => boolean; allow?: Duration };

/** A question about settings: two runners of the same ones by default, of which never two may act at once. */
export interface Question extends RunnerQuestion, Bounds {
  /**
   * A scenario that says who takes part, on which Locket, and how long messages may take, instead of the members that do. What
   * happens is up to the search: a scenario with actions, or with anything else that a search cannot take into account, is a
   * `ScenarioError` with line and column.
   */
  scenario?: string | Scenario;
  /** The runners, 1 to 4; what one does not say is taken from the question itself. */
  clients?: RunnerQuestion[];
  /** What must never happen; that two act at once by default. */
  property?: Property;
  /** Which Locket it is; as `documented` by default. */
  profile?: 'documented' | 'upstream';
  /** How many Locket processes there are, 1 to 3; one by default. */
  processes?: number;
  /**
   * The step of time at which messages arrive and faults begin and end. By default the longest that divides every setting and bound,
   * which makes the answer exact; with a coarser one, no answer proves that settings are safe. Maps, advice and comparisons are always exact: for them it is the
   * step in which settings are changed, 1 s by default.
   */
  grid?: Duration;
  /** Whether processes poll the table every 5 s even where that finds nothing new. */
  polls?: boolean;
}

/** The question's JSON for the module. */
export function questionJson(question: Question, field = 'question'): string {
  return JSON.stringify(questionValue(question, field));
}

/** The question as the module reads it. */
export function questionValue(question: Question, field: string): object {
  knownFields(field, question, QUESTION_FIELDS);
  const { clients } = question;
  if (clients !== undefined && !Array.isArray(clients)) {
    throw new LocketArgumentError('clients', `expected an array, not ${kindOf(clients)}`);
  }
  const listed = clients?.map((client, index) => {
    const path = `clients[${index}]`;
    knownFields(path, client, RUNNER_FIELDS);
    return runnerValue(client, `${path}.`);
  });
  return {
    ...runnerValue(question, ''),
    clients: listed,
    bounds: converted(question, BOUNDS, ''),
    ...converted(question, REST, ''),
  };
}

/** What the module calls otherwise than its users do. */
export function fieldOfUser(field: string): string {
  return field.replace(/^question\./, '').replace(/^bounds\./, '').replace(/\bratePpm$/, 'clock.ratePpm');
}

function runnerValue(runner: RunnerQuestion, path: string): object {
  const { clock, ...rest } = converted(runner, RUNNER, path);
  return { ...rest, ratePpm: clock };
}

type Read = (field: string, value: unknown) => unknown;

const duration: Read = (field, value) => `${lengthMs(field, value)}ms`;
/** Checked here, where it is known which runner's it is. */
const lease: Read = (field, value) => {
  const ms = lengthMs(field, value);
  if (ms < 1000 || ms % 1000 !== 0) throw new LocketArgumentError(field, 'expected whole seconds, at least 1');
  return `${ms}ms`;
};
const count: Read = (field, value) => safeInteger(field, value, 0, 255);
const rate: Read = (field, value) => {
  knownFields(field, value, CLOCK_FIELDS);
  const { ratePpm = 0 } = value as { ratePpm?: unknown };
  return safeInteger(`${field}.ratePpm`, ratePpm, -900_000, 9_000_000);
};
/** Said in settings, and nothing to a question. */
const label: Read = (field, value) => void text(field, value);
const CLOCK_FIELDS = new Set(['ratePpm']);
const flag: Read = checkBoolean;
const oneOf =
  (...choices: string[]): Read =>
  (field, value) => {
    checkChoice(field, value, choices);
    return value;
  };

const PROPERTIES: Record<Property['is'], 'may-allow' | 'must-allow' | undefined> = {
  'one-owner': 'may-allow',
  'false-loss': undefined,
  handover: 'must-allow',
  own: 'may-allow',
  acquired: 'must-allow',
  'presence-gap': 'must-allow',
  'belief-matches-row': 'must-allow',
};

const property: Read = (field, value) => {
  knownFields(field, value, new Set(['is', 'never', 'allow']));
  const { is, never, allow } = value as { is: Property['is']; never?: unknown; allow?: unknown };
  if (typeof is !== 'string' || !Object.hasOwn(PROPERTIES, is)) {
    throw new LocketArgumentError(`${field}.is`, `expected ${Object.keys(PROPERTIES).join(', ')}`);
  }
  const allowing = PROPERTIES[is];
  const isOwn = is === 'own';
  knownFields(field, value, new Set(['is', ...(allowing === undefined ? [] : ['allow']), ...(isOwn ? ['never'] : [])]));
  if (allowing === 'must-allow' && allow === undefined) throw new LocketArgumentError(`${field}.allow`, 'expected a duration');
  return {
    is,
    ...(allow !== undefined && { allow: duration(`${field}.allow`, allow) }),
    ...(isOwn && { never: situations(`${field}.never`, never) }),
  };
};

const RUNNER: Record<string, Read> = {
  runner: oneOf('cloud-controller', 'safe', 'upstream', 'upstream-before-2025-10'),
  kind: oneOf('lock', 'presence'),
  key: label,
  owner: label,
  value: label,
  ttl: lease,
  retryInterval: duration,
  margin: duration,
  firstAttemptDeadline: flag,
  clock: rate,
};

const BOUNDS: Record<keyof Bounds, Read> = {
  latency: duration,
  lostMessages: count,
  duplicates: count,
  partitions: count,
  partition: duration,
  pauses: count,
  pause: duration,
  crashes: count,
  restarts: count,
  stops: count,
  locketCrashes: count,
  locketDowntime: duration,
  locketPauses: count,
  locketPause: duration,
  stalls: count,
  stall: duration,
  lostReplies: count,
  failovers: count,
  lostCommits: count,
  rowDeletions: count,
};

const REST: Record<string, Read> = {
  scenario: (_, value) => scenarioText(value),
  property,
  profile: oneOf('documented', 'upstream'),
  processes: count,
  grid: duration,
  polls: flag,
};

const RUNNER_FIELDS = new Set(Object.keys(RUNNER));
const QUESTION_FIELDS = new Set([...RUNNER_FIELDS, ...Object.keys(BOUNDS), ...Object.keys(REST), 'clients']);

function converted(value: object, reads: Record<string, Read>, path: string): Record<string, unknown> {
  const given = Object.entries(reads).map(([name, read]) => {
    return [name, optional(read, `${path}${name}`, (value as Record<string, unknown>)[name])];
  });
  return Object.fromEntries(given) as Record<string, unknown>;
}

function optional(read: Read, field: string, value: unknown): unknown {
  return value === undefined ? undefined : read(field, value);
}
