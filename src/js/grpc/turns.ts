// Answers that arrive together reach their callers a few in each turn of the event loop.
//
// What a caller does next is often another call, and Node sends the calls of a turn when that ends. So the server works on the
// first ones while the next ones are still made, and everything else in the program has its turn between.

import { setImmediate } from 'node:timers';

/** With more of them a server waits longer for its next call, with fewer the turns themselves cost. */
const PER_TURN = 8;

const waiting: (() => void)[] = [];
let count = 0;

/** Calls back: now, or in a later turn if this one has had its share. */
export function inTurn(callback: () => void): void {
  if (count === PER_TURN) {
    waiting.push(callback);
    return;
  }
  count += 1;
  if (count === PER_TURN) setImmediate(nextTurn);
  callback();
}

function nextTurn(): void {
  count = 0;
  for (const callback of waiting.splice(0, PER_TURN)) inTurn(callback);
}
