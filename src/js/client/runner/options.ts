// What callers say about a runner, and its form for the module, which knows what makes sense.

import { LocketArgumentError } from '../../base/errors.js';
import { checkChoice, kindOf, knownFields, optionalText, safeInteger, text, wholeMs } from '../../base/options.js';
import { TypeCode } from '../resource.js';

/**
 * Which runner it is:
 *
 * * `safe` (by default) counts its lease from the moment each request is sent, and stops acting before the lease ends, whatever
 *   happens to the network, to this process or to the machine. One attempt may fail without harm.
 * * `upstream` is Locket's own runner as it is today. It learns of a loss from a failed attempt and from nothing else, so
 *   it may go on acting while another owner does; and any failure ends a lock. Its first attempt and its Release wait
 *   without end, unless the client has a `timeoutMs`. Over gRPC its later attempts wait for a connection; `fetch` has none to
 *   wait for, so here one that reaches nobody fails at once.
 * * `upstream-before-2025-10` is the one before, of which an attempt may take a whole TTL.
 */
export type RunnerVariant = 'safe' | 'upstream' | 'upstream-before-2025-10';

/** What to hold, and how. */
export interface AcquireOptions {
  /** Identifies the resource; 1 to 255 characters. */
  key: string;
  /** Who wants it; 1 to 255 characters. Two runners of the same owner both hold it: make it unique. */
  owner: string;
  /** Free text stored beside the key; at most 4096 characters; empty by default. */
  value?: string;
  /** The lease in whole seconds; 15 by default. Others wait as long as this after a crash. */
  ttlSeconds?: number;
  /** How often to renew or to try; 5 s by default, or a third of the TTL less `marginMs` if that is less. */
  retryIntervalMs?: number;
  /**
   * How long before the end of its lease a safe runner stops acting; 1 s by default (500 ms below a lease of 10 s, 250 ms below 5 s, 100 ms below 3 s), which is for clocks that
   * run at different rates. Add what your code needs to stop after its signal.
   */
  marginMs?: number;
  /** Which runner it is; `safe` by default. */
  variant?: RunnerVariant;
}

/** What else a runner may be told. */
export interface MeasureOptions {
  /** How often to tell, as an event `gauge`, whether everything is held; by default never. */
  gaugeIntervalMs?: number;
}

/** Options of {@link LocketClient.lockRunner}. */
export interface LockRunnerOptions extends AcquireOptions, MeasureOptions {
  /** What to do when the lock is lost: `exit` (by default), or `retry` to take it again as soon as it can be had. */
  onLoss?: 'exit' | 'retry';
}

/** Options of {@link LocketClient.jointLock}. */
export interface JointLockOptions extends MeasureOptions {
  /** What to hold together, in the order in which to take it. */
  locks: AcquireOptions[];
  /** How long each lock but the first may take; the first one is waited for without end. */
  timeoutMs: number;
}

/** A checked resource of a runner. */
export interface MemberOptions {
  key: string;
  owner: string;
  value: string;
  typeCode: TypeCode;
  ttlSeconds: number;
}

/** How a runner keeps one of its resources. */
export interface MemberSettings extends MemberOptions {
  variant: RunnerVariant;
  onLoss: 'exit' | 'retry';
  retryIntervalMs?: number;
  marginMs?: number;
}

/** The settings that the module takes; with `timeoutMs` they are a group's. */
export interface RunnerSettings {
  members: MemberSettings[];
  timeoutMs?: number;
  gaugeIntervalMs?: number;
}

/** Checked options: the resources, and the settings that the module takes. */
export interface RunnerPlan {
  members: MemberOptions[];
  settings: RunnerSettings;
}

const ACQUIRE_OPTIONS = new Set(['key', 'owner', 'value', 'ttlSeconds', 'retryIntervalMs', 'marginMs', 'variant']);
const LOCK_RUNNER_OPTIONS = new Set([...ACQUIRE_OPTIONS, 'onLoss', 'gaugeIntervalMs']);
const JOINT_LOCK_OPTIONS = new Set(['locks', 'timeoutMs', 'gaugeIntervalMs']);
const VARIANTS = ['safe', 'upstream', 'upstream-before-2025-10'];
const ON_LOSS = ['exit', 'retry'];
const TTL_DEFAULT_SECONDS = 15;

/** Checks options of {@link LocketClient.acquire}. */
export function planLock(options: AcquireOptions): RunnerPlan {
  knownFields('options', options, ACQUIRE_OPTIONS);
  return single(options, TypeCode.LOCK, 'exit');
}

/** Checks options of {@link LocketClient.lockRunner}. */
export function planLockRunner(options: LockRunnerOptions): RunnerPlan {
  knownFields('options', options, LOCK_RUNNER_OPTIONS);
  const { onLoss = 'exit' } = options;
  checkChoice('onLoss', onLoss, ON_LOSS);
  const { members, settings } = single(options, TypeCode.LOCK, onLoss);
  return { members, settings: { ...settings, ...measured(options) } };
}

/** Checks options of {@link LocketClient.presence}. */
export function planPresence(options: AcquireOptions): RunnerPlan {
  knownFields('options', options, ACQUIRE_OPTIONS);
  return single(options, TypeCode.PRESENCE, 'retry');
}

/** Checks options of {@link LocketClient.jointLock}. */
export function planJointLock(options: JointLockOptions): RunnerPlan {
  knownFields('options', options, JOINT_LOCK_OPTIONS);
  const { locks } = options;
  if (!Array.isArray(locks)) throw new LocketArgumentError('locks', `expected an array, not ${kindOf(locks)}`);
  const timeoutMs = wholeMs('timeoutMs', options.timeoutMs);
  const plans = locks.map((lock, index) => {
    knownFields(`locks[${index}]`, lock, ACQUIRE_OPTIONS);
    return planMember(lock, TypeCode.LOCK, 'exit', `locks[${index}].`);
  });
  return {
    members: plans.map(({ member }) => member),
    settings: { members: plans.map(({ settings }) => settings), timeoutMs, ...measured(options) },
  };
}

function measured({ gaugeIntervalMs }: MeasureOptions): MeasureOptions {
  return gaugeIntervalMs === undefined ? {} : { gaugeIntervalMs: wholeMs('gaugeIntervalMs', gaugeIntervalMs) };
}

function single(options: AcquireOptions, typeCode: TypeCode, onLoss: 'exit' | 'retry'): RunnerPlan {
  const { member, settings } = planMember(options, typeCode, onLoss, '');
  return { members: [member], settings: { members: [settings] } };
}

function planMember(options: AcquireOptions, typeCode: TypeCode, onLoss: 'exit' | 'retry', path: string) {
  const { retryIntervalMs, marginMs, variant = 'safe', ttlSeconds = TTL_DEFAULT_SECONDS } = options;
  checkChoice(`${path}variant`, variant, VARIANTS);
  const member: MemberOptions = {
    key: text(`${path}key`, options.key),
    owner: text(`${path}owner`, options.owner),
    value: optionalText(`${path}value`, options.value),
    typeCode,
    ttlSeconds: safeInteger(`${path}ttlSeconds`, ttlSeconds, 1),
  };
  const settings: MemberSettings = {
    ...member,
    variant,
    onLoss,
    ...(retryIntervalMs !== undefined && { retryIntervalMs: wholeMs(`${path}retryIntervalMs`, retryIntervalMs) }),
    ...(marginMs !== undefined && { marginMs: wholeMs(`${path}marginMs`, marginMs) }),
  };
  return { member, settings };
}
