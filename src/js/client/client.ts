// The client: checks arguments, passes the call to a carrier, and converts the answer to a result
// or an error.

import { Code, LocketArgumentError, LocketError } from '../base/errors.js';
import { moduleReady } from '../base/init.js';
import { checkFunction, knownFields, text } from '../base/checks.js';
import { lengthMs } from '../base/duration.js';
import type { LockSettings } from '../base/lock-settings.js';
import { INSPECT } from '../base/look.js';
import {
  type Call,
  type CallOptions,
  type CallReply,
  checkCallOptions,
  checkDefaults,
  checkedInterceptor,
  checkHeaders,
  checkProperties,
  type CommonClientOptions,
  type Defaults,
  type Owned,
  type Requests,
} from './call.js';
import type { Answer, CarriedCall, Carrier, Reply } from './carrier.js';
import { answered, givenUp, moduleFailed, thrownError } from './failure.js';
import { type LocketClientOptions, NetworkCarrier } from './network.js';
import type { FetchAllRequest, LockRequest, ReleaseRequest, Resource } from './resource.js';
import { Claims } from './runner/claims.js';
import { checkSettings, type RunnerHost } from './runner/drive.js';
import { checkHandlers, Election, type ElectionHandlers } from './runner/election.js';
import { uniqueOwner } from './owner.js';
import { runnerHost } from './runner/host.js';
import { acquire, type AcquireOptions, type Lock, planWait } from './runner/lock.js';
import { type LockRunnerOptions, planLock, planLocks, planLockRunner, planPresence } from './runner/options.js';
import { type Runner, startRunner } from './runner/runner.js';
import { withLock, withLocks, type Work, type WorkUnderAll } from './runner/with-lock.js';
import { watch, type WatchEvent, type WatchOptions } from './watch.js';
import { wired } from './wire.js';

const CLIENT_OPTIONS = new Set([
  'baseUrl',
  'fetch',
  'timeout',
  'headers',
  'interceptors',
  'credentials',
  'clock',
  'maxMessageBytes',
  'owner',
]);
const NO_OPTIONS: CallOptions = {};
/**
 * The timeout of a watch's poll if the client has none: a poll that never ends would be the last
 * one.
 */
const LOOK_MAX = '10s';

/** Carriers other than the network's, by the options object of their clients. */
const carriers = new WeakMap<object, Carrier>();

/** The options of a client with another carrier than the network's. */
export function carriedOptions(carrier: Carrier, { timeout, headers, interceptors, owner }: CommonClientOptions): LocketClientOptions {
  const options = { timeout, headers, interceptors, owner } as LocketClientOptions;
  carriers.set(options, carrier);
  return options;
}

/**
 * Calls Locket: a real one behind a gRPC-Web proxy, or the one in this process if you get the
 * client from {@link LocketServer.client}.
 *
 * Every method rejects with a {@link LocketError} if Locket refuses or the outcome is unknown, and
 * with a {@link LocketArgumentError} if an argument is invalid. The client never repeats a call.
 *
 * A client keeps a key for an owner once. A second `acquire`, `withLock`, `elect`, `lockRunner`
 * or `presence` of both is refused with a {@link LocketArgumentError}: the release of
 * one would end the other. Two clients do not know each other's keys, so give them other owners.
 *
 * @example
 * ```ts
 * const locket = new LocketClient({ baseUrl: 'https://locket.example.org', timeout: '5s' });
 * await locket.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
 * ```
 */
export class LocketClient {
  readonly #carrier: Carrier;
  readonly #defaults: Defaults | undefined;
  readonly #claims = new Claims(checkSettings);
  #owner: string | undefined;
  /** Sends through the interceptors, if there are any. */
  readonly #intercepted: ((call: Call) => Promise<CallReply>) | undefined;

  constructor(options: LocketClientOptions) {
    const own = carriers.get(options);
    if (own === undefined) knownFields('options', options, CLIENT_OPTIONS);
    const defaults = checkDefaults(options);
    this.#carrier = own ?? new NetworkCarrier(options);
    this.#defaults = defaults.headers === undefined && defaults.timeoutMs === undefined ? undefined : defaults;
    const { interceptors = [], owner } = options;
    this.#owner = owner === undefined ? this.#carrier.owner : text('owner', owner);
    const innermost = (call: Call): Promise<CallReply> => this.#handOn(call);
    this.#intercepted =
      interceptors.length === 0
        ? undefined
        : interceptors.reduceRight((next, wrap, index) => checkedInterceptor(`interceptors[${index}]`, wrap, next), innermost);
  }

  /**
   * The owner of locks and presences that name none: the option `owner`, or the name of a client in
   * this process; `undefined` for one without a name. For a client over a network it is another one
   * for each client by default, in which the host and the number of the process can be read.
   */
  get owner(): string | undefined {
    if (this.#carrier.machine === undefined) this.#owner ??= uniqueOwner();
    return this.#owner;
  }

  /**
   * Takes a lock or presence, or renews it if `owner` already holds it.
   *
   * @example
   * ```ts
   * await client.lock({ key: 'bbs', owner: 'bbs-0', ttl: '15s' });
   * ```
   */
  async lock(request: LockRequest, options: CallOptions = NO_OPTIONS): Promise<void> {
    await this.#make('lock', this.#owned(request), options);
  }

  /** Releases a lock or presence. */
  async release(request: ReleaseRequest, options: CallOptions = NO_OPTIONS): Promise<void> {
    await this.#make('release', this.#owned(request), options);
  }

  /**
   * Reads the owner of a key. Rejects with the reason `resource-not-found` if no owner holds it.
   */
  async fetch(key: string, options: CallOptions = NO_OPTIONS): Promise<Resource> {
    return (await this.#make('fetch', { key }, options))?.resource ?? missingAnswer();
  }

  /** Lists all locks, or all presences, in no particular order. */
  async fetchAll(request: FetchAllRequest, options: CallOptions = NO_OPTIONS): Promise<Resource[]> {
    return (await this.#make('fetchAll', request, options))?.resources ?? missingAnswer();
  }

  /**
   * Waits for a lock, then renews it until it is released or lost. Rejects with a
   * {@link LockTimeoutError} after `options.maxWait`, or with a {@link LocketError} if
   * `options.signal` aborts first; its {@link LocketError.lastError} is the last attempt's error.
   *
   * It waits while another owner holds the lock, and while Locket cannot be reached. An error that
   * no retry can fix ends the wait: an invalid request, wrong credentials, a wrong path.
   * {@link LocketClient.lockRunner} continues in any case. `onEvent` reports every attempt.
   *
   * @example
   * ```ts
   * await using lock = await client.acquire({ key: 'bbs', owner: 'bbs-0' }, { maxWait: '1m' });
   * await doWork({ signal: lock.signal }); // aborted before another owner can get the lock
   * ```
   */
  async acquire(settings: LockSettings, options: AcquireOptions = {}): Promise<Lock> {
    const loading = moduleReady();
    if (loading) await loading;
    return acquire(planLock(this.#owned(settings), 'acquire'), this.#host(), planWait(options));
  }

  /**
   * Waits for a lock as {@link LocketClient.acquire} does, runs `work` while it renews the lock,
   * releases the lock, and settles with the result of `work`. Several locks are taken one after
   * another, in the order of their keys, and released in reverse; `maxWait` is for all of them.
   *
   * * The signal of `work` aborts when a lock is lost, or when the caller's signal aborts. The
   *   lock is kept until `work` has settled.
   * * If the lock is lost before `work` resolves, the promise rejects with the
   *   {@link LockLostError}, whose `result` is the result of `work`.
   * * If the wait ends before the lock is held, the promise rejects with a
   *   {@link LockTimeoutError}, the reason of the caller's signal, or an error that no retry can
   *   fix. `work` does not run, and a late grant is released.
   * * A failed release does not change the result: `onEvent` reports it, and the lock expires with
   *   its TTL.
   *
   * @example
   * ```ts
   * await client.withLock({ key: 'bbs', owner: 'bbs-0' }, { maxWait: '1m' }, async (signal) => deploy({ signal }));
   * ```
   */
  withLock<T>(settings: LockSettings, work: Work<T>): Promise<T>;
  withLock<T>(settings: LockSettings, options: AcquireOptions | undefined, work: Work<T>): Promise<T>;
  withLock<T>(locks: LockSettings[], work: WorkUnderAll<T>): Promise<T>;
  withLock<T>(locks: LockSettings[], options: AcquireOptions | undefined, work: WorkUnderAll<T>): Promise<T>;
  async withLock<T>(settings: LockSettings | LockSettings[], ...rest: [Work<T>] | [AcquireOptions | undefined, Work<T>]): Promise<T> {
    const loading = moduleReady();
    if (loading) await loading;
    const [options = {}, work] = rest.length === 2 ? rest : [undefined, rest[0]];
    const wait = planWait(options);
    const plans = Array.isArray(settings) ? planLocks([...settings].map((lock) => this.#owned(lock))) : planLock(this.#owned(settings), 'withLock');
    checkFunction('work', work);
    return Array.isArray(plans) ? withLocks(plans, this.#host(), wait, work as WorkUnderAll<T>) : withLock(plans, this.#host(), wait, work);
  }

  /**
   * Competes for a lock until it is stopped, and calls `onLead` for each term in which this client
   * leads. After a loss it competes again. An error that no retry can fix ends it, as it ends
   * {@link LocketClient.acquire}. Settings that cannot work throw a {@link LocketArgumentError}.
   *
   * @example
   * ```ts
   * await using election = client.elect(
   *   { key: 'bbs', owner: 'bbs-0' },
   *   { onLead: (signal) => schedule(signal), onLeader: (owner) => console.log(`${owner} leads`) },
   * );
   * await election.ended;
   * ```
   */
  elect(settings: LockSettings, handlers: ElectionHandlers): Election {
    return new Election(planLock(this.#owned(settings), 'elect'), this.#host(), checkHandlers(handlers));
  }

  /** Starts a runner that takes a lock as soon as it is free, and keeps it. */
  lockRunner(settings: LockSettings, options?: LockRunnerOptions): Runner {
    return startRunner(planLockRunner(this.#owned(settings), options), this.#host());
  }

  /**
   * Starts a runner that announces a presence and keeps it: it retries after every failure until it
   * is stopped.
   *
   * @example
   * ```ts
   * const presence = client.presence({ key: 'cell-1', owner: 'cell-1', value: '{"zone":"z1"}' });
   * for await (const event of presence) console.log(event.type);
   * ```
   */
  presence(settings: LockSettings): Runner {
    return startRunner(planPresence(this.#owned(settings)), this.#host());
  }

  /**
   * Polls locks and presences: first a snapshot of all, then the differences from one poll to the
   * next. It does not report renewals, nor a lock that comes and goes between two polls. An error
   * is an event and does not end the watch.
   *
   * @example
   * ```ts
   * for await (const event of client.watch({ kind: 'presence' })) {
   *   if (event.type === 'removed') console.log(`${event.resource.key} is gone`);
   * }
   * ```
   */
  watch(options: WatchOptions = {}): AsyncIterableIterator<WatchEvent> {
    const { clock } = this.#host();
    const { machine } = this.#carrier;
    const limit: CallOptions = this.#defaults?.timeoutMs === undefined ? { timeout: LOOK_MAX } : {};
    const list = (kind: 'lock' | 'presence', signal: AbortSignal | undefined) =>
      this.fetchAll({ kind }, { ...(signal && { signal }), ...limit });
    return watch(options, { clock, machine, list });
  }

  /** The request, or the settings of a lock, with this client's owner if they name none. Another value is refused later. */
  #owned<T extends { owner?: string }>(given: T): Owned<T> {
    const hasNone = typeof given === 'object' && given !== null && !Array.isArray(given) && given.owner === undefined;
    return (hasNone ? { ...given, owner: this.owner } : given) as Owned<T>;
  }

  [INSPECT](): string {
    return `LocketClient to ${this.#carrier.to}`;
  }

  #host(): RunnerHost {
    const host = runnerHost(this.#carrier, this.#defaults, this.#claims, this.#intercepted !== undefined || this.#carrier.machine === undefined, (method, request, call) =>
      this.#intercepted === undefined
        ? this.#send(method, request as never, call)
        : this.#intercept(method, request as never, call, NO_OPTIONS),
    );
    const release: RunnerHost['release'] = ({ key, owner, ttl: timeout }) => {
      const requestId = host.nextRequestId();
      return this.release({ key, owner }, { timeout, requestId }).then(() => undefined, (thrown) => thrownError(thrown, { requestId }));
    };
    return { ...host, release };
  }

  #begin(options: CallOptions): CarriedCall {
    const defaults = this.#defaults;
    if (options === NO_OPTIONS) {
      const requestId = this.#carrier.nextRequestId();
      return defaults === undefined ? { requestId } : { requestId, ...defaults };
    }
    checkCallOptions(options);
    const { signal, timeout, requestId, headers } = options;
    const call: CarriedCall = {
      requestId: requestId === undefined ? this.#carrier.nextRequestId() : text('requestId', requestId),
      timeoutMs: timeout === undefined ? defaults?.timeoutMs : lengthMs('timeout', timeout),
      signal,
    };
    const own = headers === undefined ? undefined : checkHeaders(headers);
    if ((own ?? defaults?.headers) !== undefined) call.headers = { ...defaults?.headers, ...own };
    // The request was not sent.
    if (signal?.aborted) throw givenUp(call, 'no-effect');
    return call;
  }

  /** Makes a call, through the interceptors if there are any. */
  #make<M extends keyof Requests>(method: M, request: Requests[M], options: CallOptions): Promise<Reply | CallReply | undefined> | undefined {
    const call = this.#begin(options);
    if (this.#intercepted !== undefined) return this.#intercept(method, request, call, options);
    const reply = this.#send(method, request, call);
    // An immediate success needs no further work.
    return reply === undefined && options === NO_OPTIONS ? undefined : this.#finish(reply, call, request, options);
  }

  /** Checks a request, and passes it to the carrier. A failure of the module becomes an error of the call. */
  #send<M extends keyof Requests>(method: M, request: Requests[M], call: CarriedCall): Answer {
    const wire = wired(method, request);
    if (method === 'fetch' || method === 'fetchAll') call.isRead = true;
    try {
      return this.#carrier.send(wire, call);
    } catch (thrown) {
      throw moduleFailed(thrown, call.requestId);
    }
  }

  /** Waits for the answer, and throws if it is an error. */
  async #finish(
    pending: Reply | undefined | Promise<Reply | undefined>,
    call: CarriedCall,
    request: object,
    options: CallOptions,
  ): Promise<Reply | undefined> {
    const reply = pending instanceof Promise ? await pending : pending;
    if (reply !== undefined && reply.afterMs > 0) await this.#carrier.machine?.replyAfter(reply.afterMs, call);
    options.onHeader?.(call.surroundings?.headers ?? {});
    options.onTrailer?.(call.surroundings?.trailers ?? {});
    if (reply?.error === undefined) return reply;
    throw answered(reply.error, call, request);
  }

  /** Sends a call through the interceptors. */
  async #intercept<M extends keyof Requests>(
    method: M,
    request: Requests[M],
    { requestId, headers = {}, timeoutMs, signal }: CarriedCall,
    options: CallOptions,
  ): Promise<CallReply> {
    const call = { method, request: { ...request }, requestId, headers, timeoutMs, signal } as Call;
    const reply = (await this.#intercepted?.(call)) ?? missingAnswer();
    options.onHeader?.(reply.headers);
    options.onTrailer?.(reply.trailers);
    return reply;
  }

  /** The innermost `next` of the interceptors. A call that they changed is checked again. */
  async #handOn(call: Call): Promise<CallReply> {
    const { method, request } = call;
    const carried: CarriedCall = checkProperties(call);
    if (carried.signal?.aborted) throw givenUp(carried, 'no-effect');
    const reply = await this.#finish(this.#send(method, request as never, carried), carried, request, NO_OPTIONS);
    const { headers, trailers } = carried.surroundings ?? { headers: {}, trailers: {} };
    return { resource: reply?.resource, resources: reply?.resources, headers, trailers };
  }
}

function missingAnswer(): never {
  throw new LocketError({ code: Code.Internal, rawMessage: 'bug in locket-wasm: a success without a result; please report it' });
}
