// What callers say about a runner, and its form for the module, which knows what makes sense.

import { LocketArgumentError } from '../../base/errors.js';
import { checkBoolean, checkChoice, kindOf, knownFields, optionalText, text } from '../../base/checks.js';
import { type Duration, lengthMs } from '../../base/duration.js';
import { typeCodeOf } from '../resource.js';

/**
 * Which runner keeps a lock:
 *
 * * `safe` (the default) counts its lease from the moment when it sends each request, and stops before the lease ends, whatever
 *   happens to the network, to this process or to the machine. One attempt may fail without harm.
 * * `upstream` is Locket's own runner as it is today. It learns of a loss from a failed attempt and from nothing else, so it may
 *   still believe that it holds the lock while another owner does; and any failure ends a lock. Its first attempt and its Release
 *   wait without end, unless the client has a `timeout`. Over gRPC its later attempts wait for a connection; `fetch` has none to
 *   wait for, so here an attempt that reaches no server fails at once.
 * * `upstream-before-2025-10` is the one before; an attempt of it may take a whole TTL.
 * * `cloud-controller` is the Cloud Controller's loop, with a TTL of 15 s and a retry interval of 1 s.
 */
export type RunnerName = 'cloud-controller' | 'safe' | 'upstream' | 'upstream-before-2025-10';

/** A lock or a presence, and how to keep it. Scenarios and questions take the same object. */
export interface LockSettings {
  /** Identifies the resource; 1 to 255 characters. */
  key: string;
  /** Who wants it; 1 to 255 characters. Two runners of the same owner both hold it: make it unique. */
  owner: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** A `lock` by default; `presence()` keeps presences, everything else locks or either. */
  kind?: 'lock' | 'presence';
  /** The lease, whole seconds; `15s` by default. After a crash others wait as long as this. */
  ttl?: Duration;
  /** The time between attempts; `5s` by default, or a third of `ttl` less `margin` if that is less. */
  retryInterval?: Duration;
  /**
   * How long before the end of its lease a safe runner stops; `1s` by default (`500ms` for a TTL below 10 s, `250ms` below 5 s,
   * `100ms` below 3 s), which allows for clocks that run at different rates. Add what your code needs to stop after its signal.
   */
  margin?: Duration;
  /** Which runner it is; `safe` by default. */
  runner?: RunnerName;
  /** Whether its first attempt has a deadline as the others have; upstream's has not. */
  firstAttemptDeadline?: boolean;
}

/** What else a runner may be told. */
export interface RunnerOptions {
  /** The time between events `gauge`, which tell whether everything is held; by default there are none. */
  gaugeInterval?: Duration;
}

/** Options of {@link LocketClient.lockRunner}. */
export interface LockRunnerOptions extends RunnerOptions {
  /** What to do after the lock is lost: `exit` (the default), or `retry` to take it again as soon as that is possible. */
  afterLoss?: 'exit' | 'retry';
}

/** Options of {@link LocketClient.jointLock}. */
export interface JointLockOptions extends RunnerOptions {
  /** How long each lock but the first may take; the first is waited for without end. */
  keyTimeout: Duration;
}

/** A checked resource of a runner. */
export interface MemberOptions {
  key: string;
  owner: string;
  value: string;
  typeCode: number;
  ttlSeconds: number;
}

/** How a runner keeps one of its resources. */
export interface MemberSettings extends MemberOptions {
  runner: RunnerName;
  afterLoss: 'exit' | 'retry';
  firstAttemptDeadline: boolean;
  retryIntervalMs?: number;
  marginMs?: number;
}

/** The settings that the module takes; with `keyTimeoutMs` they are a joint lock's. */
export interface RunnerSettings {
  members: MemberSettings[];
  keyTimeoutMs?: number;
  gaugeIntervalMs?: number;
}

/** Checked options: the resources, and the settings that the module takes. */
export interface RunnerPlan {
  members: MemberOptions[];
  settings: RunnerSettings;
}

const LOCK_SETTINGS = new Set(['key', 'owner', 'value', 'kind', 'ttl', 'retryInterval', 'margin', 'runner', 'firstAttemptDeadline']);
const RUNNER_OPTIONS = new Set(['gaugeInterval']);
const LOCK_RUNNER_OPTIONS = new Set([...RUNNER_OPTIONS, 'afterLoss']);
const JOINT_LOCK_OPTIONS = new Set([...RUNNER_OPTIONS, 'keyTimeout']);
const RUNNERS = ['safe', 'upstream', 'upstream-before-2025-10', 'cloud-controller'];
const AFTER_LOSS = ['exit', 'retry'];
const TTL_DEFAULT = '15s';

/** Checks arguments of {@link LocketClient.acquire}. */
export function planLock(settings: LockSettings): RunnerPlan {
  return single(settings, 'exit', {});
}

/** Checks arguments of {@link LocketClient.lockRunner}. */
export function planLockRunner(settings: LockSettings, options: LockRunnerOptions = {}): RunnerPlan {
  knownFields('options', options, LOCK_RUNNER_OPTIONS);
  const { afterLoss = 'exit' } = options;
  checkChoice('afterLoss', afterLoss, AFTER_LOSS);
  return single(settings, afterLoss, options);
}

/** Checks arguments of {@link LocketClient.presence}. */
export function planPresence(settings: LockSettings, options: RunnerOptions = {}): RunnerPlan {
  knownFields('options', options, RUNNER_OPTIONS);
  const { kind = 'presence' } = checkedSettings(settings, 'settings');
  checkChoice('kind', kind, ['presence']);
  return single({ ...settings, kind }, 'retry', options);
}

/** Checks arguments of {@link LocketClient.jointLock}. */
export function planJointLock(locks: LockSettings[], options: JointLockOptions): RunnerPlan {
  knownFields('options', options, JOINT_LOCK_OPTIONS);
  if (!Array.isArray(locks)) throw new LocketArgumentError('locks', `expected an array, not ${kindOf(locks)}`);
  const keyTimeoutMs = lengthMs('keyTimeout', options.keyTimeout);
  const plans = locks.map((lock, index) => planMember(checkedSettings(lock, `locks[${index}]`), 'exit', `locks[${index}].`));
  return {
    members: plans.map(({ member }) => member),
    settings: { members: plans.map(({ settings }) => settings), keyTimeoutMs, ...measured(options) },
  };
}

function checkedSettings(settings: LockSettings, field: string): LockSettings {
  // Mistakes in the settings of a single lock are told by their own names.
  knownFields(field === 'settings' ? 'options' : field, settings, LOCK_SETTINGS);
  return settings;
}

function measured({ gaugeInterval }: RunnerOptions): Pick<RunnerSettings, 'gaugeIntervalMs'> {
  return gaugeInterval === undefined ? {} : { gaugeIntervalMs: lengthMs('gaugeInterval', gaugeInterval) };
}

function single(given: LockSettings, afterLoss: 'exit' | 'retry', options: RunnerOptions): RunnerPlan {
  const { member, settings } = planMember(checkedSettings(given, 'settings'), afterLoss, '');
  return { members: [member], settings: { members: [settings], ...measured(options) } };
}

function planMember(given: LockSettings, afterLoss: 'exit' | 'retry', path: string) {
  const { kind = 'lock', ttl = TTL_DEFAULT, retryInterval, margin, runner = 'safe', firstAttemptDeadline = false } = given;
  checkChoice(`${path}runner`, runner, RUNNERS);
  const member: MemberOptions = {
    key: text(`${path}key`, given.key),
    owner: text(`${path}owner`, given.owner),
    value: optionalText(`${path}value`, given.value),
    typeCode: typeCodeOf(`${path}kind`, kind),
    ttlSeconds: wholeSeconds(`${path}ttl`, ttl),
  };
  const settings: MemberSettings = {
    ...member,
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
