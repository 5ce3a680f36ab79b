// How a client that a program made itself, and a server in the same process, find each other. They may come from different
// copies of this package, such as its CommonJS and its ES modules, so they meet by registered symbols and share no classes.
// A symbol's number changes when its meaning does.

import type { Clock } from './clock-timer.js';
import type { WaitWords } from './waiting.js';

/** On a server's `fetch`: the clock of that server. */
export const CLOCK: unique symbol = Symbol.for('locket-wasm.clock.1');
/** On a virtual clock: all that follows it. */
export const FOLLOWERS: unique symbol = Symbol.for('locket-wasm.followers.1');
/** The method of a server by which our own code answers a request with calls of its own. */
export const RESPOND: unique symbol = Symbol.for('locket-wasm.respond.1');
/** On the global object once there is a server: the calls of clients over a network that are under way, by request id. */
const CALLS: unique symbol = Symbol.for('locket-wasm.calls.1');

/** A follower of a virtual clock. Times are those of the clock. */
export interface ClockFollower {
  /** The time of its next action, if any. */
  deadline?(): number | undefined;
  /** Does everything that is due by `now`. */
  advanceTo?(now: number): void;
  /** The number of its pending actions. */
  pending?(): number;
  /** The waits for it. */
  waits?(): WaitWords[];
  /** The time after which it is wrong unless promises have settled. */
  promisesDueMs?(): number | undefined;
}

/** A call of a client over a network. */
export interface CallUnderWay {
  /** The owner that its client was given. */
  readonly name: string | undefined;
  /** The clock of its client. */
  clock: 'real' | 'ambient' | Clock;
  /** If a runner makes it: aborts when that has ended. */
  readonly keeper: AbortSignal | undefined;
  /** True if its answer may need time on the clock, so that the clock does not wait for it. */
  needsTime: boolean;
  /** Fulfilled when it has ended. */
  readonly ended: Promise<void>;
}

/** Makes a clock drive a follower. Returns a function that stops that. Any other clock than a virtual one drives nothing. */
export function follow(clock: Clock, follower: ClockFollower): () => void {
  const all = (clock as Partial<Record<typeof FOLLOWERS, Set<ClockFollower>>>)[FOLLOWERS];
  all?.add(follower);
  return () => all?.delete(follower);
}

const global = globalThis as Partial<Record<typeof CALLS, Map<string, CallUnderWay>>>;

/** Notes a call for the servers in this process, if there are any. Returns a function that ends it. */
export function callBegins(requestId: string, call: Omit<CallUnderWay, 'ended' | 'needsTime'>): () => void {
  const calls = global[CALLS];
  if (calls === undefined) return () => {};
  let end = (): void => {};
  calls.set(requestId, { ...call, needsTime: false, ended: new Promise((resolve) => (end = resolve)) });
  return () => {
    calls.delete(requestId);
    end();
  };
}

/** The calls that are under way. From the first use on, clients note theirs. */
export function callsUnderWay(): Map<string, CallUnderWay> {
  return (global[CALLS] ??= new Map());
}
