// The writes of clients that hold the lock: the only part of a run that the simulator does not
// report.
//
// The rule: a client that believes it holds the lock reads the file, then writes the next free line
// and, at a steady pace, those after it, until the file is full. A write that is due while the
// client is frozen leaves when it wakes.

const TAKES_MS = 100;

/** How long after it takes the lock a client writes first, and how long it waits between two lines. */
export interface WritePace {
  firstMs: number;
  everyMs: number;
}

/** A line that a client writes into the file. */
export interface Write<Client extends string = string> {
  client: Client;
  /** Its place in the file, from 0. */
  line: number;
  sentMs: number;
  arrivesMs: number;
  /** True if its client sent it without holding the lock. */
  isStale: boolean;
  /** Whose line it replaces, and when that was written. */
  over: { client: Client; sentMs: number } | null;
}

interface Span {
  fromMs: number;
  toMs: number;
}

type Own<Client> = readonly ({ client: Client } & Span)[];

/** When clients believe, hold the lock, and are frozen or down. */
export interface Owners<Client> {
  beliefs: Own<Client>;
  holders: Own<Client>;
  outages: Own<Client>;
}

/** All writes of a run into a file with this many lines, by time. */
export function writesOf<Client extends string>({ beliefs, holders, outages }: Owners<Client>, pace: WritePace, lines: number): Write<Client>[] {
  const file = new Map<number, Write<Client>>();
  const writes: Write<Client>[] = [];
  for (const { client, line, sentMs } of plans(beliefs, outages, pace, lines)) {
    const isStale = !holders.some((span) => span.client === client && isWithin(span, sentMs));
    const old = file.get(line);
    const over = old === undefined ? null : { client: old.client, sentMs: old.sentMs };
    const write = { client, line, sentMs, arrivesMs: sentMs + TAKES_MS, isStale, over };
    file.set(line, write);
    writes.push(write);
  }
  return writes;
}

interface Planned<Client> {
  client: Client;
  line: number;
  sentMs: number;
}

function plans<Client>(beliefs: Own<Client>, outages: Own<Client>, { firstMs, everyMs }: WritePace, lines: number): Planned<Client>[] {
  const planned: Planned<Client>[] = [];
  for (const belief of [...beliefs].sort((one, other) => one.fromMs - other.fromMs)) {
    const out = outages.filter(({ client }) => client === belief.client);
    // It has seen the lines that others sent before it began.
    let line = planned.filter(({ sentMs }) => sentMs < belief.fromMs).reduce((next, plan) => Math.max(next, plan.line + 1), 0);
    for (let dueMs = belief.fromMs + firstMs; line < lines; dueMs += everyMs) {
      const sentMs = whenAwake(dueMs, out);
      if (!isWithin(belief, sentMs)) break;
      planned.push({ client: belief.client, line, sentMs });
      line += 1;
      dueMs = sentMs;
    }
  }
  return planned.sort((one, other) => one.sentMs - other.sentMs);
}

function whenAwake(dueMs: number, outages: readonly Span[]): number {
  return outages.find((outage) => isWithin(outage, dueMs))?.toMs ?? dueMs;
}

function isWithin({ fromMs, toMs }: Span, timeMs: number): boolean {
  return fromMs <= timeMs && timeMs < toMs;
}
