// Reports a test that waits for a virtual clock which nothing moves, instead of letting it hang.

import { durationText } from '../base/duration.js';
import { printable, seconds } from '../base/text.js';
import { type Duration, durationMs, LocketArgumentError, VirtualClock } from '../node.js';
import type { Clock } from '../types.js';
import type { RecordedServer } from './record.js';

/** How a test is watched. */
export interface Watch {
  /**
   * The longest real time without a move of the clock, in milliseconds; `undefined` without a
   * watchdog.
   */
  stallMs: number | undefined;
  /** The end of a test that stalls; with `undefined` only a test fails that waits for a lock in vain. */
  onStall: 'warn' | 'fail' | undefined;
}

/** Checks a test's watchdog options. */
export function checkWatch(watchdog: Duration | false, onStall: Watch['onStall']): Watch {
  if (onStall !== undefined && onStall !== 'warn' && onStall !== 'fail') throw new LocketArgumentError('onStall', "expected 'warn' or 'fail'");
  return { stallMs: watchdog === false ? undefined : durationMs(watchdog, 'watchdog'), onStall };
}

/** Runs a test while watching its clock. */
export async function watched(server: RecordedServer<Clock>, { stallMs, onStall }: Watch, test: () => Promise<unknown>): Promise<void> {
  const { clock } = server;
  if (stallMs === undefined || !(clock instanceof VirtualClock)) return void (await test());
  let stop = (): void => {};
  const stalled = new Promise<never>((_, reject) => {
    let hasWarned = false;
    stop = onStalled(server, clock, stallMs, (text) => {
      const wait = onStall === 'warn' ? undefined : server.hopelessWait();
      if (wait !== undefined) reject(wait.fail(text));
      else if (onStall === 'fail') reject(new Error(text));
      else if (!hasWarned) console.warn(text);
      hasWarned = true;
    });
  });
  try {
    await Promise.race([test(), stalled]);
  } finally {
    stop();
  }
}

// The real timers, if they are there when this loads: fake timers cannot measure how long a test
// hangs.
const { setTimeout, clearTimeout } = globalThis;

/**
 * Calls `report` whenever the clock has not moved for `stallMs` although something waits for it.
 * Returns a function that stops that.
 */
function onStalled(server: RecordedServer<Clock>, clock: VirtualClock, stallMs: number, report: (text: string) => void): () => void {
  let seenMs = clock.now;
  const look = (): void => {
    const waits = clock.waits();
    if (waits.length > 0 && clock.now === seenMs) report(textOf(server));
    seenMs = clock.now;
    timer = setTimeout(look, stallMs);
  };
  let timer = setTimeout(look, stallMs);
  return () => clearTimeout(timer);
}

function textOf(server: RecordedServer<Clock>): string {
  const { now } = server.clock;
  const waits = server.waits().map((wait) => ({ ...wait, obstacle: server.obstacle(wait) }));
  const sentences = waits.flatMap(({ text, obstacle }) => [printable(text), ...(obstacle === undefined ? [] : [obstacle.text])]);
  // A move to the next attempt does not end a wait for a key that another owner has.
  const timed = waits.filter(({ obstacle }) => obstacle === undefined);
  const first = Math.min(...timed.map(({ atMs }) => atMs ?? Infinity));
  const call = first === Infinity ? 'nextAsync()' : `advanceAsync('${durationText(Math.max(0, first - now))}')`;
  const advice = timed.length === 0 ? [] : [`Call clock.${call}.`];
  return [...sentences, `The clock is at ${seconds(now)}.`, ...advice, ...[server.fakeTimers() ?? []].flat()].join(' ');
}
