// The clock of a server in real time.

import { TIMEOUT_MAX } from '../base/options.js';
import { type Duration, durationMs } from '../node.js';
import type { Clock } from '../types.js';

/**
 * Real time that neither jumps nor goes back when the machine's clock is set: TTLs last as long as they
 * should. Milliseconds since the process began.
 */
export class MonotonicClock implements Clock {
  get now(): number {
    return Math.floor(performance.now());
  }

  setTimeout(callback: () => void, delay: Duration | number): number {
    return Number(setTimeout(callback, Math.min(typeof delay === 'number' ? delay : durationMs(delay, 'delay'), TIMEOUT_MAX)));
  }

  clearTimeout(id: Parameters<Clock['clearTimeout']>[0]): void {
    if (id !== undefined) clearTimeout(Number(id));
  }
}
