// Leader election: competes for a lock, and runs a term under it, again and again.

import { onAbort } from '#glue';

import type { LockLostError } from '../../base/errors.js';
import type { Duration } from '../../base/duration.js';
import { INSPECT, quoted } from '../../base/look.js';
import { abortSignal, callable, callback, checkedOptions, lengthOf, listener } from '../../base/options.js';
import type { Entered } from './claims.js';
import type { RunnerHost } from './drive.js';
import type { RunnerEvent, RunnerExit } from './events.js';
import { acquireLock, type Lock } from './lock.js';
import type { RunnerPlan } from './options.js';
import type { RunnerListener } from './runner.js';
import { lossOf, workSignal } from './work-signal.js';

/** The handlers of {@link LocketClient.elect}. */
export interface ElectionHandlers {
  /**
   * Called once for each term. The signal aborts when the term ends. The next term starts after the
   * returned promise has settled, so two terms never overlap. If the promise resolves early, the
   * client stays leader; if it rejects early, the election fails.
   */
  onLead: (signal: AbortSignal) => unknown;
  /** Called after the leadership was lost and the signal has aborted. */
  onLose?: (error: LockLostError) => void;
  /** Called when the leader changes, with its owner name; `undefined` if the leader is unknown. */
  onLeader?: (owner: string | undefined) => void;
  /** Called with every event of the runners, from the first attempt on. */
  onEvent?: RunnerListener;
  /** Stops the election, as {@link Election.stop} does. */
  signal?: AbortSignal;
}

const HANDLERS = { onLead: callable, onLose: callback, onLeader: callback, onEvent: listener, signal: abortSignal };

/** Checks the handlers of {@link LocketClient.elect}. */
export function checkHandlers(handlers: ElectionHandlers): ElectionHandlers {
  checkedOptions(handlers, HANDLERS, 'handlers');
  return handlers;
}

/**
 * Competes for a lock again and again, and leads while it is held: the result of
 * {@link LocketClient.elect}.
 *
 * @example
 * ```ts
 * await using election = client.elect({ key: 'bbs', owner: 'bbs-0' }, { onLead: (signal) => schedule(signal) });
 * ```
 */
export class Election {
  /** The key of the lock that the leader holds. */
  readonly key: string;
  /** The owner name of this client. */
  readonly owner: string;
  /** Fulfilled with the result when the election has ended. Never rejects. */
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
  /** The end of the last runner. */
  #exit: RunnerExit | undefined;

  /** Internal: use {@link LocketClient.elect}. */
  constructor(plan: RunnerPlan, host: RunnerHost, handlers: ElectionHandlers) {
    const { key, owner } = plan.resource;
    this.key = key;
    this.owner = owner;
    this.#plan = plan;
    this.#host = host;
    this.#handlers = handlers;
    this.#claim = host.claims.enter(plan);
    const { signal } = handlers;
    const stopListening = signal && onAbort(signal, () => void this.stop());
    if (signal?.aborted) this.#isStopped = true;
    this.ended = this.#run().finally(() => {
      stopListening?.();
      this.#claim.leave();
    });
  }

  /** True if this client leads now. */
  get leading(): boolean {
    return this.#lock !== undefined && !this.#turn.signal.aborted && this.#lock.held;
  }

  /** The leader's owner name at the last attempt; `undefined` if it is unknown. */
  get leader(): string | undefined {
    return this.#leader;
  }

  /**
   * Ends the election. The leader's signal aborts; the lock is released after `onLead` has settled.
   */
  stop(): Promise<RunnerExit> {
    this.#isStopped = true;
    this.#turn.abort(new DOMException(`${this.key}: the election was stopped`, 'AbortError'));
    return this.ended;
  }

  /**
   * Gives up the leadership, and pauses the campaign: by default for one TTL. The signal aborts.
   * After `onLead` has settled, the lock is released and the promise is fulfilled.
   */
  async resign(options: { for?: Duration } = {}): Promise<void> {
    const { for: lengthMs } = checkedOptions(options, { for: lengthOf(this.#plan.resource.ttl) });
    this.#outMs = lengthMs;
    this.#turn.abort(new DOMException(`${this.key}: the leader resigned`, 'AbortError'));
    await this.#turnEnded;
  }

  [INSPECT](): string {
    const { key, owner, leading, leader } = this;
    return `Election ${quoted(key)} of ${owner}, ${leading ? 'leads' : `led by ${leader ?? 'an unknown owner'}`}`;
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

  /** One campaign and, if it succeeds, its term. Returns how the election fails, if it fails. */
  async #campaign(turn: AbortSignal): Promise<RunnerExit | undefined> {
    await this.#stayOut(turn);
    if (turn.aborted) return undefined;
    const { onEvent } = this.#handlers;
    const listeners = [(event: RunnerEvent) => this.#observe(event), ...(onEvent === undefined ? [] : [onEvent])];
    const wait = { signal: turn, maxWaitMs: undefined, listeners };
    try {
      const lock = await acquireLock(this.#plan, this.#host, wait, this.#claim.free());
      await this.#lead(lock, turn);
    } catch (error) {
      const exit = this.#exit;
      if (exit?.reason === 'closed') return exit;
      if (!turn.aborted) return { reason: 'failed', released: exit?.released ?? false, error: asError(error) };
    } finally {
      // This campaign has nothing under way.
      await this.#claim.free();
    }
    return undefined;
  }

  /** One term. Rejects if `onLead` rejects before the term has ended. */
  async #lead(lock: Lock, turn: AbortSignal): Promise<void> {
    const { signal, stop } = workSignal(lock, turn);
    // One microtask later: all listeners of the signal run before `onLose` is called.
    const over = new Promise<void>((resolve) => onAbort(signal, resolve)).then(() => this.#endTerm(lock));
    this.#lock = lock;
    this.#leads(this.owner);
    try {
      await settled(signal, async () => this.#handlers.onLead(signal));
      if (!signal.aborted) await over;
    } catch (error) {
      this.#host.machine?.note(`ends its term of ${quoted(this.key)}, since onLead failed: ${asError(error).message}`);
      throw error;
    } finally {
      this.#endTerm(lock);
      stop();
      await lock.release();
    }
  }

  /** Runs once for each term. The lock may be held until `onLead` has settled. */
  #endTerm(lock: Lock): void {
    if (this.#lock === undefined) return;
    this.#lock = undefined;
    const lost = lossOf(lock);
    if (lost !== undefined) notify(this.#handlers.onLose, lost);
    this.#leads(undefined);
  }

  #observe(event: RunnerEvent): void {
    if (event.type === 'retrying' && event.owner !== undefined) this.#leads(event.owner);
    if (event.exit !== undefined) this.#exit = event.exit;
  }

  #leads(owner: string | undefined): void {
    if (owner === this.#leader) return;
    this.#leader = owner;
    notify(this.#handlers.onLeader, owner);
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

/** After the signal has aborted, a rejection is a normal end of work. */
async function settled(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Calls a handler. */
function notify<T>(handler: ((value: T) => unknown) | undefined, value: T): void {
  // oxlint-disable-next-line typescript/no-floating-promises -- what a handler throws is unhandled, as what an event listener throws
  (async () => handler?.(value))();
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
