// The clock of a server in real time.

import { AmbientClock } from '../node.js';

/**
 * Real time that neither jumps nor goes back when the machine's clock is set: leases last as long as they
 * should. Milliseconds since the process began.
 */
export class MonotonicClock extends AmbientClock {
  override get now(): number {
    return Math.floor(performance.now());
  }
}
