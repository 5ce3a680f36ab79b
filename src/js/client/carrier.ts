// What makes calls: the in-process server's client, or the network's.

import type { Code, LocketError, Outcome } from '../base/errors.js';
import type { Waiting } from '../base/waiting.js';
import type { CallProperties, Metadata } from './call.js';
import type { Resource } from './resource.js';
import type { RunnerClock } from './runner/clock.js';
import type { RunnerMachine } from './runner/drive.js';

/** What a carrier brings back; `undefined` is success at once with nothing to tell. */
export interface Reply {
  /** How long after the call this arrives at the carrier's machine; what came over a network is there already. */
  afterMs: number;
  error?: { code: Code; message: string };
  resource?: Resource;
  resources?: Resource[];
}

/** What came with an answer, or instead of one. */
export interface Surroundings {
  headers: Metadata;
  trailers: Metadata;
  /** Headers and trailers without HTTP's and gRPC's own. */
  metadata: Metadata;
  /** Set if the failure is not the server's own word. */
  outcome?: Outcome | undefined;
  cause?: unknown;
}

/** A call as carriers get it: only what was given is set. */
export interface CarriedCall extends Omit<CallProperties, 'headers'> {
  headers?: Metadata | undefined;
  /** Whether it only reads. */
  isRead?: boolean;
  /** Left there by carriers that have something to tell. */
  surroundings?: Surroundings | undefined;
}

/** What comes of a call: there, or in a while. */
export type Answer = Reply | undefined | Promise<Reply | undefined>;

/** What a client runs on, if that can be paused. */
export interface CarrierMachine extends RunnerMachine {
  /** Why it does nothing any more. */
  readonly ended: LocketError | undefined;
  /** Fulfilled when a reply arrives that takes so long. */
  replyAfter(afterMs: number, call: CarriedCall): Promise<void>;
  /** Notes an entry that waits, until it or the machine ends. Returns how to take it off. */
  wait(waiting: Waiting): () => void;
}

/** Makes calls. Arguments are checked. Whoever answers at once does so without a promise. */
export interface Carrier {
  /** What the client runs on, if it can be paused. */
  readonly machine?: CarrierMachine;
  /** What runners over this carrier are driven by; none where runners are somebody else's. */
  readonly runnerClock?: RunnerClock;
  nextRequestId(): string;
  lock(
    key: string,
    owner: string,
    value: string,
    type: string,
    typeCode: number,
    ttlSeconds: number,
    requestId: string,
    timeoutMs: number | undefined,
    call: CarriedCall,
  ): Answer;
  release(key: string, owner: string, requestId: string, timeoutMs: number | undefined, call: CarriedCall): Answer;
  fetch(key: string, requestId: string, timeoutMs: number | undefined, call: CarriedCall): Answer;
  fetchAll(
    type: string,
    typeCode: number,
    requestId: string,
    timeoutMs: number | undefined,
    call: CarriedCall,
  ): Answer;
}
