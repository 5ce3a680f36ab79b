// The options of a runner, and their form for the module, which checks the values.

import { LocketArgumentError } from '../../base/errors.js';
import { checkBoolean, checkChoice, kindOf, knownFields, optionalText, text } from '../../base/checks.js';
import { type Duration, lengthMs } from '../../base/duration.js';
import type { LockSettings, RunnerName } from '../../base/lock-settings.js';
import { RUNNERS } from '../../base/runner-name.js';
import type { Owned } from '../call.js';
import { ownerText } from '../owner.js';
import { typeCodeOf } from '../resource.js';

/** Further options of a runner. */
export interface RunnerOptions {
  /**
   * The time between `gauge` events, which report whether everything is held; by default there are
   * none.
   */
  gaugeInterval?: Duration;
}

/** Options of {@link LocketClient.lockRunner}. */
export interface LockRunnerOptions extends RunnerOptions {
  /** After a loss: `exit` (the default), or `retry` to take the lock again as soon as possible. */
  afterLoss?: 'exit' | 'retry';
}

/** Options of {@link LocketClient.jointLock}. */
export interface JointLockOptions extends RunnerOptions {
  /** The longest wait for each lock but the first; the wait for the first has no limit. */
  keyTimeout: Duration;
}

/** A checked resource of a runner, as its Lock calls send it. */
export interface MemberOptions {
  key: string;
  owner: string;
  value: string;
  kind: 'lock' | 'presence';
  ttl: Duration;
}

/** How a runner keeps one of its resources. */
export interface MemberSettings extends MemberOptions {
  typeCode: number;
  ttlSeconds: number;
  runner: RunnerName;
  afterLoss: 'exit' | 'retry';
  firstAttemptDeadline: boolean;
  retryIntervalMs?: number;
  marginMs?: number;
}

/** The settings for the module; with `keyTimeoutMs` they are a joint lock's. */
export interface RunnerSettings {
  members: MemberSettings[];
  keyTimeoutMs?: number;
  gaugeIntervalMs?: number;
}

/** The methods of a client that keep keys. */
export type Door = 'acquire' | 'elect' | 'jointLock' | 'lockRunner' | 'presence' | 'withLock';

/** Checked options: the resources, and the settings for the module. */
export interface RunnerPlan {
  door: Door;
  members: MemberOptions[];
  settings: RunnerSettings;
}

const LOCK_SETTINGS = new Set(['key', 'owner', 'value', 'kind', 'ttl', 'retryInterval', 'margin', 'runner', 'firstAttemptDeadline']);
const RUNNER_OPTIONS = new Set(['gaugeInterval']);
const LOCK_RUNNER_OPTIONS = new Set([...RUNNER_OPTIONS, 'afterLoss']);
const JOINT_LOCK_OPTIONS = new Set([...RUNNER_OPTIONS, 'keyTimeout']);
const AFTER_LOSS = ['exit', 'retry'];
const TTL_DEFAULT = '15s';

/** Checks arguments of {@link LocketClient.acquire}, or of another door that ends with its lock. */
export function planLock(settings: Owned<LockSettings>, door: Door): RunnerPlan {
  return single(door, settings, 'exit', {});
}

/** Checks arguments of {@link LocketClient.lockRunner}. */
export function planLockRunner(settings: Owned<LockSettings>, options: LockRunnerOptions = {}): RunnerPlan {
  knownFields('options', options, LOCK_RUNNER_OPTIONS);
  const { afterLoss = 'exit' } = options;
  checkChoice('afterLoss', afterLoss, AFTER_LOSS);
  return single('lockRunner', settings, afterLoss, options);
}

/** Checks arguments of {@link LocketClient.presence}. */
export function planPresence(settings: Owned<LockSettings>, options: RunnerOptions = {}): RunnerPlan {
  knownFields('options', options, RUNNER_OPTIONS);
  const { kind = 'presence' } = checkedSettings(settings, 'options');
  checkChoice('kind', kind, ['presence']);
  return single('presence', { ...settings, kind }, 'retry', options);
}

/** Checks arguments of {@link LocketClient.jointLock}. */
export function planJointLock(locks: Owned<LockSettings>[], options: JointLockOptions): RunnerPlan {
  knownFields('options', options, JOINT_LOCK_OPTIONS);
  if (!Array.isArray(locks)) throw new LocketArgumentError('locks', `expected an array, not ${kindOf(locks)}`);
  const keyTimeoutMs = lengthMs('keyTimeout', options.keyTimeout);
  // A hole in an array is no lock.
  const plans = [...locks].map((lock, index) => planMember(checkedSettings(lock, `locks[${index}]`), 'exit', `locks[${index}].`));
  return {
    door: 'jointLock',
    members: plans.map(({ member }) => member),
    settings: { members: plans.map(({ settings }) => settings), keyTimeoutMs, ...measured(options) },
  };
}

function checkedSettings(settings: Owned<LockSettings>, field: string): Owned<LockSettings> {
  knownFields(field, settings, LOCK_SETTINGS);
  return settings;
}

function measured({ gaugeInterval }: RunnerOptions): Pick<RunnerSettings, 'gaugeIntervalMs'> {
  return gaugeInterval === undefined ? {} : { gaugeIntervalMs: lengthMs('gaugeInterval', gaugeInterval) };
}

function single(door: Door, given: Owned<LockSettings>, afterLoss: 'exit' | 'retry', options: RunnerOptions): RunnerPlan {
  const { member, settings } = planMember(checkedSettings(given, 'options'), afterLoss, '');
  return { door, members: [member], settings: { members: [settings], ...measured(options) } };
}

function planMember(given: Owned<LockSettings>, afterLoss: 'exit' | 'retry', path: string) {
  const { kind = 'lock', ttl = TTL_DEFAULT, retryInterval, margin, runner = 'safe', firstAttemptDeadline = false } = given;
  checkChoice(`${path}runner`, runner, RUNNERS);
  const member: MemberOptions = {
    key: text(`${path}key`, given.key),
    owner: ownerText(path, given.owner),
    value: optionalText(`${path}value`, given.value),
    kind,
    ttl,
  };
  const settings: MemberSettings = {
    ...member,
    typeCode: typeCodeOf(`${path}kind`, kind),
    ttlSeconds: wholeSeconds(`${path}ttl`, ttl),
    runner,
    afterLoss,
    firstAttemptDeadline: checkBoolean(`${path}firstAttemptDeadline`, firstAttemptDeadline),
    ...(retryInterval !== undefined && { retryIntervalMs: lengthMs(`${path}retryInterval`, retryInterval) }),
    ...(margin !== undefined && { marginMs: lengthMs(`${path}margin`, margin) }),
  };
  return { member, settings };
}

function wholeSeconds(field: string, ttl: unknown): number {
  const ms = lengthMs(field, ttl);
  if (ms > 0 && ms % 1_000 === 0) return ms / 1_000;
  throw new LocketArgumentError(field, `expected whole seconds, at least 1s, not ${String(ttl)}`);
}
