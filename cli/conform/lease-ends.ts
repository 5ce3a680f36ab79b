// When leases end at the endpoint, as far as its caller can know: a TTL after some moment between a call and its answer.

import { type Duration, durationMs } from 'locket-wasm';

/** A row goes a little after its lease. */
const LATE_MS = 100;

/** A call, by when it was sent and answered. */
export interface Sent {
  sentMs: number;
  answeredMs: number;
}

/** The ends of the leases of keys. */
export class LeaseEnds {
  readonly #ends = new Map<string, { fromMs: number; toMs: number }>();

  /** A Lock has begun a lease, or renewed it. */
  granted(key: string, ttl: Duration, { sentMs, answeredMs }: Sent): void {
    const ttlMs = durationMs(ttl);
    this.#ends.set(key, { fromMs: sentMs + ttlMs, toMs: answeredMs + ttlMs });
  }

  /** Whether a lease may end during a call, so that a caller cannot know which answer is right. */
  mayEndDuring({ sentMs, answeredMs }: Sent): boolean {
    return [...this.#ends.values()].some(({ fromMs, toMs }) => fromMs <= answeredMs && sentMs <= toMs + LATE_MS);
  }
}
