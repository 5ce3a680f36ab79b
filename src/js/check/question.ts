// Questions about settings as values, and their form for the module, which knows what makes sense.

import { LocketArgumentError } from '../base/errors.js';
import { checkBoolean, checkChoice, type Duration, kindOf, knownFields, lengthMs, safeInteger, wholeMs } from '../base/options.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario } from '../simulation/scenario-value.js';
import { type Situation, situations } from './situations.js';

/** Which runner a question is about: those of {@link RunnerVariant}, and the Cloud Controller's loop. */
export type QuestionRunner = 'cloud-controller' | 'safe' | 'upstream' | 'upstream-before-2025-10';

/** The settings of a runner. */
export interface RunnerQuestion {
  /** Which runner it is; `upstream` by default. */
  runner?: QuestionRunner;
  /** What it wants; a lock by default. */
  kind?: 'lock' | 'presence';
  /** Its lease in whole seconds; 15 by default. */
  ttlSeconds?: number;
  /** How often it renews or tries, in seconds; 5 by default, 1 for the Cloud Controller's loop. */
  retrySeconds?: number;
  /** The same in milliseconds. */
  retryIntervalMs?: number;
  /** How long before the end of its lease a safe runner stops acting; 1 s by default (500 ms below a TTL of 10 s, 250 ms below 5 s, 100 ms below 3 s). */
  margin?: Duration;
  /** Whether its first attempt has a deadline as the others have; upstream's has not. */
  firstAttemptDeadline?: boolean;
  /** How many microseconds a second its clock gains; negative if it is slow. */
  clockRatePpm?: number;
}

/** What may go wrong, at most; nothing by default, but for the delay of messages. */
export interface FaultBounds {
  /** How long a message may take; each takes any time up to that. 1 s by default, or what the question's scenario says. */
  delay?: Duration;
  /** How many messages may be lost. */
  losses?: number;
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
  locketDown?: Duration;
  /** How often a Locket process may be paused; once if `locketPause` is given. */
  locketPauses?: number;
  /** How long each may last. */
  locketPause?: Duration;
  /** How often the database may stall, so that it answers nothing for a while and then everything; once if `stall` is given. */
  stalls?: number;
  /** How long each may last. */
  stall?: Duration;
  /** How many answers of the database to a Locket process may be lost; not together with a stall or with a paused process. */
  lostAnswers?: number;
  /** How often the database may fail over. */
  failovers?: number;
  /** How many commits it loses each time; one by default. */
  failoverCommits?: number;
  /** How often an operator may delete the row. */
  evictions?: number;
}

/** What must never happen. */
export type Property =
  /** Two believe to hold the lock at once for longer than `tolerated`, which is no time at all by default. */
  | { is: 'one-owner'; tolerated?: Duration }
  /** A runner gives its lock up although the row is still its own. */
  | { is: 'false-loss' }
  /** Nobody holds the lock for longer than `within`, after somebody did and while somebody wants it. */
  | { is: 'handover'; within: Duration }
  /** Somebody wants the lock, and nobody ever holds it for `within`. */
  | { is: 'owned'; within: Duration }
  /** There is no row for longer than `within`, after there was one and while somebody wants it. */
  | { is: 'presence-gap'; within: Duration }
  /** Somebody believes for longer than `within` while the row is not its own. */
  | { is: 'row-agrees'; within: Duration }
  /**
   * Of your own: it is for longer than `within`, no time at all by default, in a situation of which `never` says `true`. `never` is asked
   * once about every situation that there could be, before the search.
   */
  | { is: 'own'; never: (situation: Situation) => boolean; within?: Duration };

/** A question about settings: two runners of the same ones by default, of which never two may act at once. */
export interface Question extends RunnerQuestion, FaultBounds {
  /**
   * A scenario that says who takes part, on which Locket, and how long messages may take, instead of the members that do. What
   * happens is up to the search: a scenario with actions, or with anything else that a search cannot take into account, is a
   * {@link ScenarioError} with line and column.
   */
  scenario?: string | Scenario;
  /** The runners, 1 to 4; what one does not say is taken from the question itself. */
  clients?: RunnerQuestion[];
  /** What must never happen; that two act at once by default. */
  property?: Property;
  /** Which Locket it is; upstream's by default. */
  profile?: 'documented' | 'upstream';
  /** How many Locket processes there are, 1 to 3; one by default. */
  processes?: number;
  /**
   * The step of time at which messages arrive and faults begin and end. By default the longest that divides every setting and bound,
   * which makes the answer exact; with a coarser one it is a preview. Maps, advice and comparisons are always exact: for them it is the
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
  const name = field.replace(/^question\./, '').replace(/^bounds\./, '');
  const seconds = name.replace(/^ttls\b/, 'ttlSeconds').replace(/^retries\b/, 'retrySeconds');
  return seconds.replace(/\bttl$/, 'ttlSeconds').replace(/\bretry$/, 'retryIntervalMs').replace(/\bratePpm$/, 'clockRatePpm');
}

function runnerValue(runner: RunnerQuestion, path: string): object {
  const { ttlSeconds, retrySeconds, retryIntervalMs } = runner;
  if (retrySeconds !== undefined && retryIntervalMs !== undefined) {
    throw new LocketArgumentError(`${path}retrySeconds`, 'expected either this or retryIntervalMs');
  }
  const seconds = (name: string, value: unknown) =>
    value === undefined ? undefined : `${safeInteger(`${path}${name}`, value, 1, SECONDS_MAX)}s`;
  return {
    ...converted(runner, RUNNER, path),
    ttl: seconds('ttlSeconds', ttlSeconds),
    retry: seconds('retrySeconds', retrySeconds) ?? optional(milliseconds, `${path}retryIntervalMs`, retryIntervalMs),
    ratePpm: optional(rate, `${path}clockRatePpm`, runner.clockRatePpm),
  };
}

type Read = (field: string, value: unknown) => unknown;

const SECONDS_MAX = 2 ** 31;
const duration: Read = (field, value) => milliseconds(field, lengthMs(field, value));
const milliseconds: Read = (field, value) => `${wholeMs(field, value)}ms`;
const count: Read = (field, value) => safeInteger(field, value, 0, 255);
const rate: Read = (field, value) => safeInteger(field, value, -900_000, 9_000_000);
const flag: Read = checkBoolean;
const oneOf =
  (...choices: string[]): Read =>
  (field, value) => {
    checkChoice(field, value, choices);
    return value;
  };

const PROPERTIES: Record<Property['is'], 'tolerated' | 'within' | undefined> = {
  'one-owner': 'tolerated',
  'false-loss': undefined,
  handover: 'within',
  own: 'within',
  owned: 'within',
  'presence-gap': 'within',
  'row-agrees': 'within',
};

const property: Read = (field, value) => {
  knownFields(field, value, new Set(['is', 'never', 'tolerated', 'within']));
  const { is, never, ...bounds } = value as { is: Property['is']; never?: unknown };
  if (typeof is !== 'string' || !Object.hasOwn(PROPERTIES, is)) {
    throw new LocketArgumentError(`${field}.is`, `expected ${Object.keys(PROPERTIES).join(', ')}`);
  }
  const bound = PROPERTIES[is];
  const isOwn = is === 'own';
  knownFields(field, value, new Set(['is', ...(bound === undefined ? [] : [bound]), ...(isOwn ? ['never'] : [])]));
  const given = Object.entries(bounds).map(([name, time]) => [name, duration(`${field}.${name}`, time)]);
  if (bound === 'within' && given.length === 0 && !isOwn) throw new LocketArgumentError(`${field}.within`, 'expected a duration');
  return { is, ...Object.fromEntries(given), ...(isOwn && { never: situations(`${field}.never`, never) }) };
};

const RUNNER: Record<string, Read> = {
  runner: oneOf('cloud-controller', 'safe', 'upstream', 'upstream-before-2025-10'),
  kind: oneOf('lock', 'presence'),
  margin: duration,
  firstAttemptDeadline: flag,
};

const BOUNDS: Record<keyof FaultBounds, Read> = {
  delay: duration,
  losses: count,
  duplicates: count,
  partitions: count,
  partition: duration,
  pauses: count,
  pause: duration,
  crashes: count,
  restarts: count,
  stops: count,
  locketCrashes: count,
  locketDown: duration,
  locketPauses: count,
  locketPause: duration,
  stalls: count,
  stall: duration,
  lostAnswers: count,
  failovers: count,
  failoverCommits: count,
  evictions: count,
};

const REST: Record<string, Read> = {
  scenario: (_, value) => scenarioText(value),
  property,
  profile: oneOf('documented', 'upstream'),
  processes: count,
  grid: duration,
  polls: flag,
};

const RUNNER_FIELDS = new Set([...Object.keys(RUNNER), 'ttlSeconds', 'retrySeconds', 'retryIntervalMs', 'clockRatePpm']);
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
