// The writes of the clients that hold the lock: the only part of the stage that the simulator does not report.
//
// The rule: a client that believes it holds the lock reads the file, then writes the next free line and, at a steady pace,
// those after it, until the file's four lines are full. A write that is due while the client is frozen leaves when it wakes.

import { isWithin, type Letter, LETTERS, type Run, type Span, type Write } from './run.js';
import type { WritePace } from './plans.js';

/** How many lines the file has. */
export const LINES = 4;

const TAKES_MS = 100;

/** All writes of a run, by their time. */
export function writesOf({ beliefs, holders, outages }: Pick<Run, 'beliefs' | 'holders' | 'outages'>, pace: WritePace): Write[] {
  const file = new Map<number, Write>();
  const writes: Write[] = [];
  for (const { client, line, sentMs } of plans(beliefs, outages, pace)) {
    const isStale = !holders.some((span) => span.client === client && isWithin(span, sentMs));
    const old = file.get(line);
    const over = old === undefined ? null : { client: old.client, sentMs: old.sentMs };
    const write = { client, line, sentMs, arrivesMs: sentMs + TAKES_MS, isStale, over };
    file.set(line, write);
    writes.push(write);
  }
  return writes;
}

interface Plan {
  client: Letter;
  line: number;
  sentMs: number;
}

function plans(beliefs: Run['beliefs'], outages: Run['outages'], { firstMs, everyMs }: WritePace): Plan[] {
  const planned: Plan[] = [];
  for (const belief of [...beliefs].sort((one, other) => one.fromMs - other.fromMs)) {
    const out = outages.filter(({ client }) => client === belief.client);
    // It has seen the lines that others sent before it began.
    let line = planned.filter(({ sentMs }) => sentMs < belief.fromMs).reduce((next, plan) => Math.max(next, plan.line + 1), 0);
    for (let dueMs = belief.fromMs + firstMs; line < LINES; dueMs += everyMs) {
      const sentMs = whenAwake(dueMs, out);
      if (!isWithin(belief, sentMs)) break;
      planned.push({ client: belief.client, line, sentMs });
      line += 1;
      dueMs = sentMs;
    }
  }
  return planned.sort((one, other) => one.sentMs - other.sentMs || LETTERS.indexOf(one.client) - LETTERS.indexOf(other.client));
}

function whenAwake(dueMs: number, outages: readonly Span[]): number {
  return outages.find((outage) => isWithin(outage, dueMs))?.toMs ?? dueMs;
}
