// Answers that arrive together reach their callers a few in each turn of the event loop.
//
// A caller often continues with another call, and Node sends the calls of a turn when the turn ends. So the server works on the
// first calls while the program makes the next ones, and other tasks of the program run in between.

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
