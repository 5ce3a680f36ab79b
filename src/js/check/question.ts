// Questions about settings as values, and their form for the module, which knows what makes sense.

import { LocketArgumentError } from '../base/errors.js';
import { checkBoolean, isObject, jsonText, kindOf, knownFields, safeInteger, text } from '../base/checks.js';
import type { LockSettings } from '../base/lock-settings.js';
import { type RunnerName, type RunnerRule, RUNNERS } from '../base/runner-name.js';
import { type Duration, lengthMs } from '../base/duration.js';
import { type Check, type Checks, oneOf, optional, whole } from '../base/options.js';
import { scenarioText } from '../simulation/scenario-text.js';
import type { Scenario, ScenarioStorage } from '../simulation/scenario-value.js';
import { type Faults, FAULTS } from './faults-value.js';
import { PROPERTIES, type Property } from './property-value.js';
import { visibleStates } from './visible-states.js';

/** The settings of a runner in a question: those of {@link LockSettings}; `key`, `owner` and `value` are only labels. */
export interface RunnerQuestion extends Partial<Omit<LockSettings, 'kind' | 'runner'>> {
  /**
   * `safe` by default; a name, or a rule of your own. A job of Cloud Foundry in a release, such as `diego-bbs@2.102.0`, is its runner with its TTL and retry interval,
   * on the shipped Locket, where the question has no others. A library, such as `consul-lock@14691f7e`, is its rule with its TTL.
   */
  runner?: RunnerName | RunnerRule | `${string}@${string}`;
  /** A `lock` by default. All clients are of one kind. */
  kind?: 'lock' | 'presence';
  /**
   * How it connects. With `grpc` it waits as grpc-go does after a failed connection: 1 s, then 1.6 times as long each time, ±20 %, up
   * to 120 s. With `fetch` it connects at each attempt, as a client of this package does. By default a runner of Cloud Foundry on an
   * `upstream` Locket has `grpc`, any other `fetch`.
   */
  connection?: 'fetch' | 'grpc';
  /** Its machine's clock. */
  clock?: {
    /** How many microseconds a second it gains; negative if it is slow. */
    ratePpm?: number;
  };
}

export type { Faults, Property };

/** The most that may go wrong in a search. */
export interface Bounds {
  /** The longest latency of a message, 1 s by default; each message takes any time up to it. A scenario's latency replaces the default. */
  latency?: Duration;
  /**
   * The longest latency of a query to the database, and of its reply, none by default; each takes any time up to it. A scenario's
   * latency of the database replaces the default.
   */
  databaseLatency?: Duration;
  /**
   * The longest time of a transaction, from its statement until it commits, none by default; each takes any time up to it. Other
   * transactions on the same key wait behind it, in order. A scenario's transaction time replaces the default.
   */
  transactionTime?: Duration;
  /**
   * By how much the rate of each clock may differ from that of real time, up to 50%: of clients, processes and the database, constant
   * or varying. None by default.
   */
  drift?: `${number}%`;
  /**
   * The faults that may happen; none by default. Each is a length, a count, `'any'`, or `{ length, count }`. A count that is left out
   * is any number, or 1 where that is neither proved nor broken. Each fault that is given replaces that of a scenario.
   */
  faults?: Faults;
}

/** A question about settings. By default: can two runners with the same settings be owners at the same time? */
export interface Question extends RunnerQuestion, Bounds {
  /**
   * A scenario with the clients, the Locket, the latency and the faults, instead of the members that have them. Its faults are
   * bounds, where the question has no others: the search decides when they happen, and to whom. The answer
   * names the parts that no search tries. A scenario without a runner is a `ScenarioError`.
   */
  scenario?: string | Scenario;
  /**
   * The runners, 1 to 4; what one does not say is taken from the question itself. With `any` only a proof for any number of equal
   * runners is looked for, and no schedule is searched.
   */
  clients?: RunnerQuestion[] | 'any';
  /** The property to search for a violation of; by default two owners at the same time, or with a `storage` no wrong write. */
  property?: Property;
  /** The storage that holders write to, which each may decide to do at any instant at which it acts. */
  storage?: Pick<ScenarioStorage, 'guard'> & {
    /** The longest that a write takes from when its client decides on it, 1 s by default. A pause of the client in between is not counted. */
    writeLatency?: Duration | 'any';
  };
  /** Which Locket it is; as `documented` by default. */
  profile?: 'documented' | 'upstream';
  /**
   * True if all runners present the same owner string, as two processes with the same configuration do: Locket takes them for one
   * owner, and refuses neither. By default each has its own; the `owner` of a runner is only a label.
   */
  sameOwner?: boolean;
  /** How many Locket processes there are, 1 to 3; one by default. */
  processes?: number;
  /**
   * The step of time at which messages arrive and faults begin and end. By default the longest that divides every setting and bound,
   * which makes the answer exact; with a coarser one, no answer proves that settings are safe. Maps and advice are always exact: for them it is the
   * step in which settings are changed, 1 s by default.
   */
  grid?: Duration;
}

/** The question's JSON for the module. */
export function questionJson(question: Question, field = 'question'): string {
  return JSON.stringify(questionValue(question, field));
}

/** The question as the module reads it. */
export function questionValue(question: Question, field: string): object {
  knownFields(field, question, QUESTION_FIELDS);
  const { clients } = question;
  if (clients !== undefined && clients !== ANY && !Array.isArray(clients)) {
    throw new LocketArgumentError('clients', `expected an array or 'any', not ${kindOf(clients)}`);
  }
  // A hole in an array is no client.
  const listed = !Array.isArray(clients) ? clients : [...clients].map((client, index) => {
    const path = `clients[${index}]`;
    knownFields(path, client, RUNNER_FIELDS);
    return runnerValue(client, `${path}.`);
  });
  return {
    ...runnerValue(question, ''),
    clients: listed,
    ...converted(question, REST, ''),
  };
}

/** Bounds as the module writes them: latencies, and each fault with its argument, a comma, and its count. */
export function boundsOf(list: readonly [name: string, value: string][]): Bounds {
  const faults = list.filter(([name]) => FAULT_NAMES.has(name)).map(([name, value]) => {
    const [argument = '', times = ''] = value.split(',');
    const part = name === 'failover' ? { lostCommits: Number(argument) } : { length: argument };
    return [name, { ...(argument !== '' && part), count: times === ANY ? ANY : Number(times) }];
  });
  const latencies = list.filter(([name]) => !FAULT_NAMES.has(name));
  return { ...Object.fromEntries(latencies), faults: Object.fromEntries(faults) } as Bounds;
}

/** Bounds as the module reads them. */
export function boundsValue(bounds: Bounds, field: string): object {
  knownFields(field, bounds, new Set(Object.keys(BOUNDS)));
  return converted(bounds, BOUNDS, '');
}

/** The user's name of a field that has another name in the module. */
export function fieldOfUser(field: string): string {
  return field.replace(/^question\./, '').replace(/\bratePpm$/, 'clock.ratePpm');
}

function runnerValue(runner: RunnerQuestion, path: string): object {
  const { clock, ...rest } = converted(runner, RUNNER, path);
  return { ...rest, ratePpm: clock };
}

/** A number without a limit. */
const ANY = 'any';

const duration: Check<string> = (field, value) => `${lengthMs(field, value)}ms`;
/** Checked here, where it is known which runner's it is. */
const ttl: Check<string> = (field, value) => {
  const ms = lengthMs(field, value);
  if (ms < 1000 || ms % 1000 !== 0) throw new LocketArgumentError(field, 'expected whole seconds, at least 1');
  return `${ms}ms`;
};
const count = whole(0, 255);
const clockRate: Check<number> = (field, value) => {
  knownFields(field, value, new Set(['ratePpm']));
  return safeInteger(`${field}.ratePpm`, (value as { ratePpm?: unknown }).ratePpm ?? 0, -900_000, 9_000_000);
};
/** Said in settings, and nothing to a question. */
const label: Check<void> = (field, value) => void text(field, value);
/** An object with these members, all of them optional. */
const members =
  (checks: Checks): Check<object> =>
  (field, value) => {
    knownFields(field, value, new Set(Object.keys(checks)));
    return converted(value as object, checks, `${field}.`);
  };

const property: Check<object> = (field, value) => {
  knownFields(field, value, new Set(['is', 'never', 'allow']));
  const { is, never, allow } = value as { is: Property['is']; never?: unknown; allow?: unknown };
  if (typeof is !== 'string' || !Object.hasOwn(PROPERTIES, is)) {
    throw new LocketArgumentError(`${field}.is`, `expected ${Object.keys(PROPERTIES).join(', ')}`);
  }
  const allowing = PROPERTIES[is];
  const isOwn = is === 'own';
  knownFields(field, value, new Set(['is', ...(allowing === 'takes-nothing' ? [] : ['allow']), ...(isOwn ? ['never'] : [])]));
  if (allowing === 'must-allow' && allow === undefined) throw new LocketArgumentError(`${field}.allow`, 'expected a duration');
  return {
    is,
    ...(allow !== undefined && { allow: duration(`${field}.allow`, allow) }),
    ...(isOwn && { never: visibleStates(`${field}.never`, never) }),
  };
};

// The module knows rules, and the table of jobs.
const runner: Check<unknown> = (field, value) => {
  if (isObject(value)) return JSON.parse(jsonText(field, value)) as unknown;
  if (typeof value === 'string' && (value.includes('@') || RUNNERS.includes(value as RunnerName))) return value;
  throw new LocketArgumentError(field, `expected ${RUNNERS.join(', ')}, a rule, or a job or library with its version, such as etcd-session@084a0ff2`);
};

const RUNNER: Checks = {
  runner,
  kind: oneOf('lock', 'presence'),
  key: label,
  owner: label,
  value: label,
  ttl,
  retryInterval: duration,
  margin: duration,
  firstAttemptDeadline: checkBoolean,
  connection: oneOf('fetch', 'grpc'),
  clock: clockRate,
};

const FAULT_NAMES = new Set<string>(FAULTS);

const orAny =
  (check: Check<unknown>): Check<unknown> =>
  (field, value) => (value === ANY ? ANY : check(field, value));
const faultParts = members({ length: duration, lostCommits: count, count: orAny(count) });

/** A length, a count, or an object of both. The module knows which of them a fault has. */
const fault: Check<unknown> = (field, value) => {
  if (value === ANY || typeof value === 'number') return orAny(count)(field, value);
  return typeof value === 'string' ? duration(field, value) : faultParts(field, value);
};

const BOUNDS = { latency: duration, databaseLatency: duration, transactionTime: duration, drift: text, faults: members(Object.fromEntries(FAULTS.map((name) => [name, fault]))) } satisfies Record<keyof Bounds, Check<unknown>>;

const REST: Checks = {
  ...BOUNDS,
  scenario: (_, value) => scenarioText(value),
  property,
  // The module knows the guards.
  storage: members({ guard: text, writeLatency: orAny(duration) }),
  profile: oneOf('documented', 'upstream'),
  processes: count,
  sameOwner: checkBoolean,
  grid: duration,
};

const RUNNER_FIELDS = new Set(Object.keys(RUNNER));
const QUESTION_FIELDS = new Set([...RUNNER_FIELDS, ...Object.keys(REST), 'clients']);

function converted(value: object, checks: Checks, path: string): Record<string, unknown> {
  const given = value as Record<string, unknown>;
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, optional(check)(`${path}${name}`, given[name])]));
}
