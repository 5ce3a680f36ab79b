// How runners use a client: its carrier, its defaults and its interceptors.

import type { CallReply, Defaults, Requests } from '../call.js';
import type { CarriedCall, Carrier, Reply } from '../carrier.js';
import { answered, thrownError } from '../failure.js';
import type { Claims } from './claims.js';
import type { Carried, RunnerCall, RunnerHost } from './drive.js';

type Answer = Reply | CallReply | undefined;

/**
 * Sends a request through a client's interceptors, or directly if it has none: then a carrier may
 * answer at once.
 */
export type Send = (method: keyof Requests, request: object, call: CarriedCall) => Answer | Promise<Answer>;

/** The host of a client's runners, but for the calls that a client makes itself. */
export function runnerHost(carrier: Carrier, defaults: Defaults | undefined, claims: Claims, isAsync: boolean, send: Send): Omit<RunnerHost, 'release'> {
  const { runnerClock } = carrier;
  const carry = ({ method, resource, requestId, timeoutMs, signal }: RunnerCall): Carried | Promise<Carried> => {
    const { key, owner } = resource;
    const request = method === 'lock' ? resource : method === 'release' ? { key, owner } : { key };
    const call: CarriedCall = {
      requestId: requestId ?? carrier.nextRequestId(),
      timeoutMs: timeoutMs ?? defaults?.timeoutMs,
      signal,
      isKept: true,
      ...(defaults?.headers !== undefined && { headers: defaults.headers }),
    };
    const carried = (reply: Answer): Carried => {
      const { afterMs = 0, error } = (reply ?? {}) as Partial<Reply>;
      return { afterMs, owner: reply?.resource?.owner, error: error && answered(error, call, request) };
    };
    const failed = (thrown: unknown): Carried => ({ afterMs: 0, error: thrownError(thrown, call) });
    try {
      const pending = send(method, request, call);
      return pending instanceof Promise ? pending.then(carried, failed) : carried(pending);
    } catch (thrown) {
      return failed(thrown);
    }
  };
  return { clock: runnerClock, machine: carrier.machine, claims, isAsync, nextRequestId: () => carrier.nextRequestId(), carry };
}
