// Tells a test that waits for a virtual clock which nobody moves, instead of letting it hang.

import { printable, seconds } from '../base/text.js';
import { type Duration, durationMs, LocketArgumentError, VirtualClock } from '../node.js';
import type { Clock, ClockWait } from '../types.js';

/** How a test is watched. */
export interface Watch {
  /** How long the clock may stand, in real milliseconds; `undefined` if nobody watches. */
  stallMs: number | undefined;
  onStall: 'warn' | 'fail';
}

/** Checks what a test says of it. */
export function checkWatch(watchdog: Duration | false, onStall: 'warn' | 'fail'): Watch {
  if (onStall !== 'warn' && onStall !== 'fail') throw new LocketArgumentError('onStall', "expected 'warn' or 'fail'");
  return { stallMs: watchdog === false ? undefined : durationMs(watchdog, 'watchdog'), onStall };
}

/** Runs a test, and watches its clock meanwhile. */
export async function watched(clock: Clock, { stallMs, onStall }: Watch, test: () => Promise<unknown>): Promise<void> {
  if (stallMs === undefined || !(clock instanceof VirtualClock)) return void (await test());
  let stop = (): void => {};
  const stalled = new Promise<never>((_, reject) => {
    stop = onStalled(clock, stallMs, (text) => {
      if (onStall === 'fail') reject(new Error(text));
      else console.warn(text);
    });
  });
  try {
    await Promise.race([test(), stalled]);
  } finally {
    stop();
  }
}

// The real ones, as far as they are there when this loads: fake timers are no measure of how long a test hangs.
const { setTimeout, clearTimeout } = globalThis;

/** Calls `tell` once, when the clock has stood for so long while something waits for it. Returns how to stop that. */
function onStalled(clock: VirtualClock, stallMs: number, tell: (text: string) => void): () => void {
  let seenMs = clock.now;
  const look = (): void => {
    const waits = clock.waits();
    if (waits.length > 0 && clock.now === seenMs) return tell(textOf(waits, clock.now));
    seenMs = clock.now;
    timer = setTimeout(look, stallMs);
  };
  let timer = setTimeout(look, stallMs);
  return () => clearTimeout(timer);
}

function textOf(waits: ClockWait[], nowMs: number): string {
  const first = Math.min(...waits.map(({ atMs }) => atMs ?? Infinity));
  const call = first === Infinity ? 'nextAsync()' : `advanceAsync('${lengthOf(Math.max(0, first - nowMs))}')`;
  return `${waits.map(({ text }) => printable(text)).join(' ')} The clock stands at ${seconds(nowMs)}. Call clock.${call}.`;
}

function lengthOf(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
