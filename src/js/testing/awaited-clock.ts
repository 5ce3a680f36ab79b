// The virtual clock of one test, whose promises the test must await.

import { VirtualClock } from '../node.js';
import { type AwaitedCalls, noteCalls } from './awaited.js';

/** A virtual clock that notes its calls. */
export class AwaitedClock extends VirtualClock {
  constructor(calls: AwaitedCalls) {
    super();
    for (const name of ['advanceAsync', 'advanceToAsync', 'nextAsync', 'runUntilAsync', 'sleep'] as const) noteCalls(calls, this, name, 'clock');
  }
}
