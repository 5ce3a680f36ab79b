// Leader election: campaigns for a lock, and terms of work under it, one after another.

import { onAbort } from '#glue';

import { LocketArgumentError, type LockLostError } from '../../base/errors.js';
import { checkSignal, kindOf, knownFields } from '../../base/checks.js';
import { type Duration, lengthMs } from '../../base/duration.js';
import { checkListener } from '../call.js';
import type { Entered } from './claims.js';
import type { RunnerHost } from './drive.js';
import type { RunnerEvent, RunnerExit } from './events.js';
import { acquireLock, type Lock } from './lock.js';
import type { RunnerPlan } from './options.js';
import type { RunnerListener } from './runner.js';
import { lossOf, workSignal } from './work-signal.js';

/** What {@link LocketClient.elect} calls. */
export interface ElectionHandlers {
  /**
   * Called once for each term. The signal aborts when the term ends. The next term waits until what it returns has settled, so two
   * never overlap. If it resolves before, the client stays leader; if it rejects before, the election fails.
   */
  onLead: (signal: AbortSignal) => unknown;
  /** Called when the leadership was lost, after the signal has aborted. */
  onLose?: (error: LockLostError) => void;
  /** Called when the leader changes, with its owner name; `undefined` if the leader is not known. */
  onLeader?: (owner: string | undefined) => void;
  /** Called with every event of the runners, from the first attempt on. */
  onEvent?: RunnerListener;
  /** Stops the election, as {@link Election.stop} does. */
  signal?: AbortSignal;
}

const HANDLERS = new Set(['onLead', 'onLose', 'onLeader', 'onEvent', 'signal']);

/** Checks what {@link LocketClient.elect} is told. */
export function checkHandlers(handlers: ElectionHandlers): ElectionHandlers {
  knownFields('handlers', handlers, HANDLERS);
  const { onLead, onLose, onLeader, onEvent, signal } = handlers;
  for (const [name, value] of Object.entries({ onLead, onLose, onLeader })) {
    if (typeof value !== 'function' && (value !== undefined || name === 'onLead')) {
      throw new LocketArgumentError(name, `expected a function, not ${kindOf(value)}`);
    }
  }
  checkListener('onEvent', onEvent);
  checkSignal(signal);
  return handlers;
}

/**
 * Campaigns for a lock again and again, and leads while it is held: what {@link LocketClient.elect} gives.
 *
 * @example
 * ```ts
 * await using election = client.elect({ key: 'bbs', owner: 'bbs-0' }, { onLead: (signal) => schedule(signal) });
 * ```
 */
export class Election {
  /** The key of the lock that the leader holds. */
  readonly key: string;
  /** Under which name this client campaigns. */
  readonly owner: string;
  /** Fulfilled when the election has ended, with how. Never rejects. */
  readonly ended: Promise<RunnerExit>;
  readonly #plan: RunnerPlan;
  readonly #host: RunnerHost;
  readonly #handlers: ElectionHandlers;
  readonly #claim: Entered;
  /** One campaign with its term. `stop` and `resign` abort it. */
  #turn = new AbortController();
  #turnEnded: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #outMs = 0;
  #lock: Lock | undefined;
  #leader: string | undefined;
  /** How the last runner ended. */
  #exit: RunnerExit | undefined;

  /** Not for users: {@link LocketClient.elect} makes elections. */
  constructor(plan: RunnerPlan, host: RunnerHost, handlers: ElectionHandlers) {
    const { key, owner } = plan.members[0] as { key: string; owner: string };
    this.key = key;
    this.owner = owner;
    this.#plan = plan;
    this.#host = host;
    this.#handlers = handlers;
    this.#claim = host.claims.enter(plan.members);
    const { signal } = handlers;
    const stopListening = signal && onAbort(signal, () => void this.stop());
    if (signal?.aborted) this.#isStopped = true;
    this.ended = this.#run().finally(() => {
      stopListening?.();
      this.#claim.leave();
    });
  }

  /** Whether this client leads at this moment. */
  get leading(): boolean {
    return this.#lock !== undefined && !this.#turn.signal.aborted && this.#lock.held;
  }

  /** The leader's owner name, as of the last attempt; `undefined` if it is not known. */
  get leader(): string | undefined {
    return this.#leader;
  }

  /** Ends the election. A leader's signal aborts; when `onLead` has settled, the lock is released. */
  stop(): Promise<RunnerExit> {
    this.#isStopped = true;
    this.#turn.abort(new DOMException(`${this.key}: the election was stopped`, 'AbortError'));
    return this.ended;
  }

  /**
   * Gives the leadership up, and does not campaign for a while: by default one TTL. The signal aborts; when `onLead` has settled, the
   * lock is released, and the promise is fulfilled.
   */
  async resign(options: { for?: Duration } = {}): Promise<void> {
    knownFields('options', options, new Set(['for']));
    const { for: length } = options;
    this.#outMs = lengthMs('for', length ?? this.#plan.members[0]?.ttl ?? '0s');
    this.#turn.abort(new DOMException(`${this.key}: the leader resigned`, 'AbortError'));
    await this.#turnEnded;
  }

  /** {@link Election.stop}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #run(): Promise<RunnerExit> {
    let failure: RunnerExit | undefined;
    while (failure === undefined && !this.#isStopped) {
      this.#turn = new AbortController();
      const turn = this.#campaign(this.#turn.signal);
      this.#turnEnded = turn;
      failure = await turn;
    }
    const exit = this.#exit;
    return failure ?? { reason: 'stopped', released: exit?.released ?? false, error: exit?.reason === 'stopped' ? exit.error : undefined };
  }

  /** One campaign, and the term that follows if it is won. Gives how the election fails, if it does. */
  async #campaign(turn: AbortSignal): Promise<RunnerExit | undefined> {
    await this.#stayOut(turn);
    if (turn.aborted) return undefined;
    const { onEvent } = this.#handlers;
    const listeners = [(event: RunnerEvent) => this.#heard(event), ...(onEvent === undefined ? [] : [onEvent])];
    const wait = { signal: turn, maxWaitMs: undefined, listeners };
    try {
      const lock = await acquireLock(this.#plan, this.#host, wait, this.#claim.free());
      await this.#lead(lock, turn);
    } catch (error) {
      const exit = this.#exit;
      if (exit?.reason === 'closed') return exit;
      if (!turn.aborted) return { reason: 'failed', released: exit?.released ?? false, error: asError(error) };
    } finally {
      // Nothing of this campaign is under way any more.
      await this.#claim.free();
    }
    return undefined;
  }

  /** One term. It rejects if `onLead` rejects before the term has ended. */
  async #lead(lock: Lock, turn: AbortSignal): Promise<void> {
    const { signal, stop } = workSignal(lock, turn);
    // A microtask later: all listeners of the signal hear of it before `onLose` is called.
    const over = new Promise<void>((resolve) => onAbort(signal, resolve)).then(() => this.#endTerm(lock));
    this.#lock = lock;
    this.#leads(this.owner);
    try {
      await settled(signal, async () => this.#handlers.onLead(signal));
      if (!signal.aborted) await over;
    } finally {
      this.#endTerm(lock);
      stop();
      await lock.release();
    }
  }

  /** Once for each term. The lock may be held until `onLead` has settled. */
  #endTerm(lock: Lock): void {
    if (this.#lock === undefined) return;
    this.#lock = undefined;
    const lost = lossOf(lock);
    if (lost !== undefined) tell(this.#handlers.onLose, lost);
    this.#leads(undefined);
  }

  #heard(event: RunnerEvent): void {
    if (event.type === 'retrying' && event.owner !== undefined) this.#leads(event.owner);
    if (event.exit !== undefined) this.#exit = event.exit;
  }

  #leads(owner: string | undefined): void {
    if (owner === this.#leader) return;
    this.#leader = owner;
    tell(this.#handlers.onLeader, owner);
  }

  async #stayOut(turn: AbortSignal): Promise<void> {
    const outMs = this.#outMs;
    this.#outMs = 0;
    if (outMs === 0) return;
    await new Promise<void>((resolve) => {
      const stopTimer = this.#host.clock.startTimer(outMs, () => {
        stopListening();
        resolve();
      });
      const stopListening = onAbort(turn, () => {
        stopTimer();
        resolve();
      });
    });
  }
}

/** Once the signal has aborted, a rejection is how work ends. */
async function settled(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Calls a handler; what it throws is its own, and goes unhandled. */
function tell<T>(handler: ((value: T) => unknown) | undefined, value: T): void {
  void (async () => handler?.(value))();
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
