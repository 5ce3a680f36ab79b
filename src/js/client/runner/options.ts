// The options of a runner, and their form for the module, which checks the values.

import { LocketArgumentError } from '../../base/errors.js';
import { checkBoolean, checkChoice, isObject, knownFields, optionalText, text } from '../../base/checks.js';
import { type Duration, lengthMs } from '../../base/duration.js';
import type { LockSettings } from '../../base/lock-settings.js';
import { checkedOptions, oneOf, optional } from '../../base/options.js';
import { RUNNERS } from '../../base/runner-name.js';
import type { Owned } from '../call.js';
import { ownerText } from '../owner.js';
import { typeCodeOf } from '../resource.js';
import { ruleNumbers } from './rule-numbers.js';

/** Options of {@link LocketClient.lockRunner}. */
export interface LockRunnerOptions {
  /** After a loss: `exit`, or `retry` to take the lock again as soon as possible. By default what a rule says, and `exit`. */
  afterLoss?: 'exit' | 'retry';
}

/** A checked resource of a runner, as its Lock calls send it. */
export interface KeptResource {
  key: string;
  owner: string;
  value: string;
  kind: 'lock' | 'presence';
  ttl: Duration;
}

/** How a runner keeps its resource: the settings for the module. */
export interface RunnerSettings extends KeptResource {
  typeCode: number;
  ttlSeconds: number;
  /** Its name; none if it has a rule of its own. */
  runner: string;
  /** The rule of its own, if it has one. */
  rule: Float64Array;
  afterLoss: 'exit' | 'retry';
  firstAttemptDeadline: boolean;
  retryIntervalMs?: number;
  marginMs?: number;
}

/** The methods of a client that keep keys. */
export type Door = 'acquire' | 'elect' | 'lockRunner' | 'presence' | 'withLock';

/** Checked options: the resource, and the settings for the module. */
export interface RunnerPlan {
  door: Door;
  resource: KeptResource;
  settings: RunnerSettings;
}

/** One of several locks, and where its settings are: `locks[1].`. */
export interface ListedPlan {
  path: string;
  plan: RunnerPlan;
}

const LOCK_SETTINGS = new Set(['key', 'owner', 'value', 'kind', 'ttl', 'retryInterval', 'margin', 'runner', 'firstAttemptDeadline']);
const LOCK_RUNNER_OPTIONS = { afterLoss: optional(oneOf('exit', 'retry')) };
const TTL_DEFAULT = '15s';

/** Checks arguments of {@link LocketClient.acquire}, or of another door that ends with its lock. */
export function planLock(settings: Owned<LockSettings>, door: Door): RunnerPlan {
  return single(door, settings, 'exit');
}

/** Checks arguments of {@link LocketClient.lockRunner}. */
export function planLockRunner(settings: Owned<LockSettings>, options: LockRunnerOptions = {}): RunnerPlan {
  const { afterLoss } = checkedOptions(options, LOCK_RUNNER_OPTIONS);
  return single('lockRunner', settings, afterLoss);
}

/** Checks arguments of {@link LocketClient.presence}. */
export function planPresence(settings: Owned<LockSettings>): RunnerPlan {
  const { kind = 'presence' } = checkedSettings(settings);
  checkChoice('kind', kind, ['presence']);
  return single('presence', { ...settings, kind }, 'retry');
}

/**
 * Checks several locks of {@link LocketClient.withLock}, and gives them in the order of their keys: all
 * take them in one order, so that no two wait for each other.
 */
export function planLocks(locks: Owned<LockSettings>[]): ListedPlan[] {
  if (locks.length === 0) throw new LocketArgumentError('locks', 'expected at least one');
  // A hole in an array is no lock.
  const plans = [...locks].map((lock, index): ListedPlan => {
    knownFields(`locks[${index}]`, lock, LOCK_SETTINGS);
    const path = `locks[${index}].`;
    return { path, plan: at(path, () => planLock(lock, 'withLock')) };
  });
  const sorted = plans.sort((one, other) => (one.plan.resource.key < other.plan.resource.key ? -1 : 1));
  const twice = sorted.find(({ plan }, index) => plan.resource.key === sorted[index - 1]?.plan.resource.key);
  if (twice !== undefined) throw new LocketArgumentError(`${twice.path}key`, 'another of the locks has the same key');
  return sorted;
}

/** Checks something, whose errors name their field by its path. */
export function at<T>(path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    throw new LocketArgumentError(`${path}${error.field}`, error.message.slice(error.field.length + 2));
  }
}

function checkedSettings(settings: Owned<LockSettings>): Owned<LockSettings> {
  knownFields('options', settings, LOCK_SETTINGS);
  return settings;
}

function single(door: Door, given: Owned<LockSettings>, afterLoss?: 'exit' | 'retry'): RunnerPlan {
  const { kind = 'lock', ttl = TTL_DEFAULT, retryInterval, margin, runner = 'safe', firstAttemptDeadline = false } = checkedSettings(given);
  if (!isObject(runner)) checkChoice('runner', runner, RUNNERS);
  const resource: KeptResource = {
    key: text('key', given.key),
    owner: ownerText(given.owner),
    value: optionalText('value', given.value),
    kind,
    ttl,
  };
  const settings: RunnerSettings = {
    ...resource,
    typeCode: typeCodeOf('kind', kind),
    ttlSeconds: wholeSeconds('ttl', ttl),
    runner: typeof runner === 'string' ? runner : '',
    rule: typeof runner === 'string' ? new Float64Array() : ruleNumbers(runner),
    afterLoss: afterLoss ?? (isObject(runner) && runner.onLoss === 'retry' ? 'retry' : 'exit'),
    firstAttemptDeadline: checkBoolean('firstAttemptDeadline', firstAttemptDeadline),
    ...(retryInterval !== undefined && { retryIntervalMs: lengthMs('retryInterval', retryInterval) }),
    ...(margin !== undefined && { marginMs: lengthMs('margin', margin) }),
  };
  return { door, resource, settings };
}

function wholeSeconds(field: string, ttl: unknown): number {
  const ms = lengthMs(field, ttl);
  if (ms > 0 && ms % 1_000 === 0) return ms / 1_000;
  throw new LocketArgumentError(field, `expected whole seconds, at least 1s, not ${String(ttl)}`);
}
