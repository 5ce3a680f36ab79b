// Carriers make calls: the in-process server's client, or the network's.

import type { Code, LocketError, Outcome } from '../base/errors.js';
import type { CallProperties, Metadata, Requests } from './call.js';
import type { Resource } from './resource.js';
import type { RunnerClock } from './runner/clock.js';
import type { RunnerMachine } from './runner/drive.js';

/** A request with the fields that any method has, those of others empty. */
export interface WireRequest {
  method: keyof Requests;
  key: string;
  owner: string;
  value: string;
  type: string;
  typeCode: number;
  ttlSeconds: number;
}

/** The result of a carrier's call; `undefined` is an immediate success without details. */
export interface Reply {
  /** The delay of the reply, on the carrier's machine; 0 for a reply that came over a network. */
  afterMs: number;
  error?: { code: Code; message: string };
  resource?: Resource;
  resources?: Resource[];
}

/** The surroundings of an answer, or of a failure without one. */
export interface Surroundings {
  headers: Metadata;
  trailers: Metadata;
  /** Headers and trailers, without those of HTTP and gRPC. */
  metadata: Metadata;
  /** Set if the failure did not come from the server. */
  outcome?: Outcome | undefined;
  cause?: unknown;
}

/** A call as carriers get it: only given properties are set. */
export interface CarriedCall extends Omit<CallProperties, 'headers'> {
  headers?: Metadata | undefined;
  /** True if it only reads. */
  isRead?: boolean;
  /** True if a runner makes it; its signal aborts when the runner has ended. */
  isKept?: boolean;
  /** Set by carriers that have details. */
  surroundings?: Surroundings | undefined;
}

/** The answer of a call: immediate or a promise. */
export type Answer = Reply | undefined | Promise<Reply | undefined>;

/** The machine that a client runs on, if it can be paused. */
export interface CarrierMachine extends RunnerMachine {
  /** The error that ended the machine, if it has ended. */
  readonly ended: LocketError | undefined;
  /** Fulfilled when a reply with this delay arrives. */
  replyAfter(afterMs: number, call: CarriedCall): Promise<void>;
}

/**
 * Makes calls, with checked arguments. A carrier that answers at once does so without a promise.
 */
export interface Carrier {
  /** Where its calls go, for a line about its client. */
  readonly to: string;
  /** The owner of a client that has none; `undefined` if it is made up, or if there is nothing to make it from. */
  readonly owner?: string | undefined;
  /** The machine of the client, if it can be paused. */
  readonly machine?: CarrierMachine;
  /** The clock of runners over this carrier. */
  readonly runnerClock: RunnerClock;
  nextRequestId(): string;
  send(request: WireRequest, call: CarriedCall): Answer;
}
