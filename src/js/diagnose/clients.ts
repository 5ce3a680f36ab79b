// The belief of each client, from its own lines: when it started and stopped to hold its key, with
// bounds for both.

import { grouped } from './arrays.js';
import type { Clocks } from './clocks.js';
import type { LogEvent, Machine } from './evidence.js';
import { between, type Instant } from './instant.js';

/** Why a client's belief that it holds its key ended. */
export type BeliefEnd =
  /** A renewal failed, and the client logged it. */
  | 'lost'
  /** It was stopped. */
  | 'stopped'
  /** It started again without a logged end: killed, crashed, or lines are missing. */
  | 'restarted'
  /** Its runner ended, and the line that says why is missing. */
  | 'ended'
  /** It logged nothing more, and its row was not renewed. */
  | 'vanished'
  /** It ran on after its row was gone, and no line says that it gave up its lock. */
  | 'running'
  /** It held the key until the end of the logs, as far as they show. */
  | 'open';

/** A period in which a client believed that it holds a key. */
export interface Belief {
  client: Client;
  from: Instant;
  /** Of a belief that goes on, the end of the logs: who has lost its lock says so, and whose row expires is not taken to go on. */
  to: Instant;
  end: BeliefEnd;
  /** The log lines. */
  lines: LogEvent[];
  lost: LogEvent | undefined;
  /** True if it only follows from the row: the client's own log, or its line about the beginning, is missing. */
  isInferred: boolean;
}

/** A client of one key, with one owner, on one machine. */
export interface Client {
  name: string;
  key: string;
  owner: string;
  machine: Machine | undefined;
  isPresence: boolean;
  events: LogEvent[];
  beliefs: Belief[];
  /** When its processes started. */
  starts: LogEvent[];
}

/** One of which nothing more is known yet. */
export function newClient(known: Pick<Client, 'isPresence' | 'key' | 'machine' | 'owner'>): Client {
  return { name: '', events: [], beliefs: [], starts: [], ...known };
}

/** The clients of all machines, with what their own lines say. */
export function clientsOf(machines: readonly Machine[], clocks: Clocks, endMs: number): Client[] {
  const clients = machines.filter(({ isLocket }) => !isLocket).flatMap(clientsOn);
  nameThem(clients);
  for (const client of clients) {
    const reader = new BeliefReader(client, clocks, endMs);
    for (const event of processEvents(client)) reader.take(event);
    client.beliefs = reader.finish();
  }
  return clients;
}

function clientsOn(machine: Machine): Client[] {
  const own = machine.events.filter(({ kind }) => kind.startsWith('client-') && !OF_PROCESS.has(kind));
  return [...grouped(own, ({ row }) => row).values()].map((events) => {
    const { key, owner, isPresence } = events[0] as LogEvent;
    return { ...newClient({ key, owner, machine, isPresence }), events, starts: events.filter(({ kind }) => kind === 'client-started') };
  });
}

/** By machine, and by owner too where a machine's file has several. */
function nameThem(clients: readonly Client[]): void {
  const byMachine = grouped(clients, ({ machine }) => machine?.name ?? '');
  for (const [name, own] of byMachine) {
    for (const client of own) client.name = own.length === 1 ? name : `${name}/${client.owner.slice(0, 8)}`;
  }
}

/** Lines of a whole program, which name no owner. */
const OF_PROCESS: ReadonlySet<LogEvent['kind']> = new Set(['client-exited', 'client-unconnected']);

/** Its own lines, and those of its process. Of a presence, another owner on the same machine is its successor. */
function processEvents({ machine, owner, key, events, isPresence }: Client): LogEvent[] {
  const isOf = (event: LogEvent) => event.key === key && (event.owner === owner || (isPresence && event.kind === 'client-started'));
  return (machine?.events ?? events).filter((event) => OF_PROCESS.has(event.kind) || isOf(event));
}

/** How a line ends a belief that is open, and when that was: when the line was written, just before, or at a moment that no line shows. */
const ENDS: Partial<Record<LogEvent['kind'], readonly [BeliefEnd, 'before' | 'here' | 'unseen']>> = {
  // A start without an end before it: the log lacks the end.
  'client-acquired': ['restarted', 'unseen'],
  'client-started': ['restarted', 'unseen'],
  'client-failed': ['restarted', 'unseen'],
  'client-unconnected': ['restarted', 'unseen'],
  'client-lost': ['lost', 'here'],
  'client-signalled': ['stopped', 'here'],
  'client-released': ['stopped', 'before'],
  'client-completed': ['ended', 'before'],
  // The line of the loss itself is missing.
  'client-exited': ['lost', 'before'],
};

class BeliefReader {
  readonly #beliefs: Belief[] = [];
  #open: Belief | undefined;
  /** The last line before the one that is taken. */
  #previous: LogEvent | undefined;

  constructor(
    readonly client: Client,
    readonly clocks: Clocks,
    readonly endMs: number,
  ) {}

  take(event: LogEvent): void {
    const { kind, error } = event;
    const at = this.clocks.instantOf(event);
    if (this.#open === undefined && kind === 'client-lost') this.#begin(this.#unseen(at), event);
    // Who has released a row has held it, or had it without knowing it. Who was told to stop before has given it up then.
    if (this.#open === undefined && kind === 'client-released' && this.#beliefs.every(({ lines }) => lines.at(-1) !== this.#previous)) this.#begin({ ...at, earliestMs: null }, event, true);
    const [end, where] = ENDS[kind] ?? [];
    if (end !== undefined && this.#open !== undefined) {
      const to = where === 'here' ? at : { ...this.#unseen(at), ...(where === 'before' && { ms: at.ms }) };
      this.#close(kind === 'client-exited' && error === '' ? 'stopped' : end, to, event);
    }
    if (kind === 'client-acquired') this.#begin(at, event);
    this.#previous = event;
  }

  finish(): Belief[] {
    this.#close('open', { ms: this.endMs, earliestMs: this.endMs, latestMs: null });
    return this.#beliefs;
  }

  #begin(from: Instant, line: LogEvent, isInferred = false): void {
    const { client } = this;
    this.#open = { client, from, to: from, end: 'open', lines: [line], lost: undefined, isInferred };
    this.#beliefs.push(this.#open);
  }

  /** Ends the belief that is open, if there is one. */
  #close(end: BeliefEnd, to: Instant, line?: LogEvent): void {
    const belief = this.#open;
    if (belief === undefined) return;
    this.#open = undefined;
    if (line !== undefined && !belief.lines.includes(line)) belief.lines.push(line);
    Object.assign(belief, { end, to, lost: end === 'lost' ? line : undefined });
  }

  /** A moment that no line shows, between the last line and one at this moment. */
  #unseen(until: Instant): Instant {
    const since = this.#previous === undefined ? null : this.clocks.instantOf(this.#previous);
    return between(since, until, since === null ? until.ms : Math.max((since.ms + until.ms) / 2, until.ms - RESTART_MS));
  }
}

/** A supervisor starts a program again soon after it has ended. */
const RESTART_MS = 1_000;
