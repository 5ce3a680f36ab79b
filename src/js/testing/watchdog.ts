// Reports a test that waits for a virtual clock which nothing moves, instead of letting it hang.

import { durationText } from '../base/duration.js';
import { printable, seconds } from '../base/text.js';
import { VirtualClock } from '../node.js';
import type { Clock } from '../types.js';
import type { RecordedServer } from './record.js';

// The real timers, if they are there when this loads: fake timers cannot measure how long a test hangs.
const { setInterval, clearInterval } = globalThis;

/** Runs a test, and says once if its clock has not moved for `stallMs` although something waits for it. */
export async function watched(server: RecordedServer<Clock>, stallMs: number | undefined, test: () => Promise<unknown>): Promise<void> {
  const { clock } = server;
  if (stallMs === undefined || !(clock instanceof VirtualClock)) return void (await test());
  let seenMs = clock.now;
  let hasWarned = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (clock.now === seenMs && clock.waits().length > 0) {
        const wait = server.hopelessWait();
        if (wait !== undefined) reject(wait.fail(textOf(server)));
        else if (!hasWarned) console.warn(textOf(server));
        hasWarned = true;
      }
      seenMs = clock.now;
    }, stallMs);
  });
  try {
    await Promise.race([test(), stalled]);
  } finally {
    clearInterval(timer);
  }
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
