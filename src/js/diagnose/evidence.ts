// Log lines as events of machines, each with its own clock. This file knows the data of each
// message, and draws no conclusions.

import { grouped } from './arrays.js';
import type { LogLine } from './lager.js';
import { Life } from './life.js';
import { type EventKind, kindOf } from './messages.js';

/** One log line about locks. */
export interface LogEvent {
  kind: EventKind;
  machine: Machine;
  file: string;
  line: number;
  /** By its machine's clock, in milliseconds since the epoch. */
  atMs: number;
  key: string;
  /** The owner of the lock; for a collision, the owner that asked. */
  owner: string;
  /** The owner of the row, if the line shows another one. */
  otherOwner: string;
  /** The request's id. */
  uuid: string;
  /** How long the call took; `undefined` if the line does not show it. */
  tookMs: number | undefined;
  /** When the call of the line began, by the same clock; `undefined` if unknown. */
  askedMs: number | undefined;
  /** How often the row was written. */
  index: number | undefined;
  /** Whether a timer of Locket's scan of the table is meant, and not one of a request. */
  isOfScan: boolean;
  isPresence: boolean;
  ttlMs: number | undefined;
  error: string;
  /** Whether nothing shows that the error of a process that ended is that of a client's lock, or of Locket's database. */
  isOfOther: boolean;
  /** The line, cut. */
  text: string;
}

/** A process with a clock, as far as its lines can be separated. */
export interface Machine {
  /** Its name and the process. */
  id: string;
  /** Its files' name, without the common part of all names; rotated files belong to one machine. */
  name: string;
  source: string;
  isLocket: boolean;
  events: LogEvent[];
  /** When it logged anything; `undefined` if the lines of several processes are mixed. */
  life?: Life | undefined;
}

/** Where a line is from. */
export interface Origin {
  file: string;
  /** The name of the machine whose file it is. */
  name: string;
}

const TEXT_MAX = 400;
const NAME_MAX = 300;

/** The machines of all files. */
export class Machines {
  readonly #byId = new Map<string, Machine>();
  /** Events that are left out of what is judged: others of their time are not read yet. */
  readonly #later = new Map<Machine, LogEvent[]>();
  readonly #lives = new Map<string, Life>();

  /** Takes up that a process has logged a line, whatever it says. */
  note({ name }: Origin, source: string, atMs: number): void {
    const id = `${name}\n${source}`;
    const life = this.#lives.get(id) ?? new Life();
    life.note(atMs);
    this.#lives.set(id, life);
  }

  /** Takes a line up. */
  add({ file, name }: Origin, lineNumber: number, text: string, line: LogLine): LogEvent | undefined {
    const kind = kindOf(line.message, line.source);
    if (kind === undefined) return undefined;
    const event = { kind, file, line: lineNumber, atMs: line.atMs, text: copied(text.slice(0, TEXT_MAX)), ...detailsOf(line, kind) };
    const isLocket = !kind.startsWith('client-') && !kind.startsWith('look-');
    const machine = this.#machine(name, line.source, isLocket, event);
    const whole = { ...event, machine, askedMs: event.tookMs === undefined ? undefined : event.atMs - event.tookMs };
    machine.events.push(whole);
    return whole;
  }

  /** All of them, each with its events up to a time, in the order of its clock. */
  list(untilMs: number): Machine[] {
    this.#join();
    const machines = [...this.#byId.values()];
    for (const machine of machines) {
      const events = machine.events.sort((a, b) => a.atMs - b.atMs || a.line - b.line);
      events.forEach((event, index) => markFirstAttempt(event, events[index - 1]));
      machine.events = events.filter(({ atMs }) => atMs <= untilMs);
      this.#later.set(machine, events.slice(machine.events.length));
    }
    return machines;
  }

  /** Lines without an owner, such as that of an exit, are of the only owner of their file. A process has the life of its file. */
  #join(): void {
    for (const own of grouped(this.#byId.values(), ({ name, source }) => `${name}\n${source}`).values()) {
      const known = own.filter(({ id, name, source }) => id !== `${name}\n${source}\n`);
      const nameless = own.find((machine) => !known.includes(machine));
      const [only] = known;
      if (nameless !== undefined && only !== undefined && known.length === 1 && !only.isLocket) {
        for (const event of nameless.events) only.events.push(Object.assign(event, { machine: only }));
        this.#byId.delete(nameless.id);
      }
      const isAlone = known.length < 2 && new Set(known.flatMap(({ isLocket, events }) => (isLocket ? [] : events.map(({ owner }) => owner).filter(Boolean)))).size < 2;
      for (const machine of own) machine.life = isAlone ? this.#lives.get(`${machine.name}\n${machine.source}`) : undefined;
    }
  }

  /** Forgets events of what was listed, and says how many are left. */
  retain(isNeeded: (event: LogEvent) => boolean, forgottenMs: number): number {
    for (const life of this.#lives.values()) life.forget(forgottenMs);
    let count = 0;
    for (const machine of this.#byId.values()) {
      machine.events = [...machine.events.filter(isNeeded), ...(this.#later.get(machine) ?? [])];
      count += machine.events.length;
    }
    return count;
  }

  /** Of locks, each owner may be a machine of its own, though a collector has put their lines into one file. */
  #machine(name: string, source: string, isLocket: boolean, { kind, owner, isPresence }: Pick<LogEvent, 'isPresence' | 'kind' | 'owner'>): Machine {
    const isLook = kind.startsWith('look-');
    const id = isLocket || isPresence || isLook ? `${name}\n${source}` : `${name}\n${source}\n${owner}`;
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const machine = { id, name, source, isLocket, events: [] };
    this.#byId.set(id, machine);
    return machine;
  }
}

/** A first attempt does not say how long it took; it begins when its client does. */
function markFirstAttempt(event: LogEvent, previous: LogEvent | undefined): void {
  if (event.askedMs !== undefined || previous?.kind !== 'client-started') return;
  if (event.kind === 'client-failed' || event.kind === 'client-acquired') event.askedMs = previous.atMs;
}

type Details = Omit<LogEvent, 'askedMs' | 'atMs' | 'file' | 'kind' | 'line' | 'machine' | 'text'>;

function detailsOf({ message, data }: LogLine, kind: LogEvent['kind']): Details {
  const lock = objectOf(data['lock']);
  const from = lock ?? data;
  const ttlSeconds = numberOf(data['ttl_in_seconds']);
  const tookNs = numberOf(data['duration']);
  return {
    key: nameOf(from['key'] ?? data['resource-key']),
    owner: nameOf(from['owner'] ?? data['resource-owner']),
    otherOwner: nameOf(data['lock-owner'] ?? data['fetched-owner']),
    uuid: nameOf(data['request-uuid'] ?? data['request-id']),
    tookMs: tookNs === undefined ? undefined : tookNs / 1e6,
    index: numberOf(data['modified-index']),
    isOfScan: message.startsWith('burglar.'),
    isPresence: (from['type_code'] ?? data['type-code']) === 2 || from['type'] === 'presence',
    ttlMs: ttlSeconds === undefined || ttlSeconds <= 0 ? undefined : ttlSeconds * 1000,
    ...errorIn(data['error'], kind === 'locket-exited' ? OF_THE_DATABASE : OF_THE_LOCK),
  };
}

/** The error of a line. Of the exit of a group it is that of the member in question, or else of the first that failed. */
function errorIn(value: unknown, { member, words }: Signs): Pick<LogEvent, 'error' | 'isOfOther'> {
  if (typeof value !== 'string') return { error: '', isOfOther: false };
  const text = wellFormed(value.slice(0, ERROR_MAX));
  const members = text.split('\n').flatMap((line) => {
    const [, name = '', error = ''] = /^\s*(.{0,200}?) exited with error: (.*)$/.exec(line) ?? [];
    return error === '' || error.startsWith('Exit trace') ? [] : [{ name, error }];
  });
  const own = members.find(({ error }) => error.includes('rpc error')) ?? members.find(({ name }) => member.test(name));
  const error = (own ?? members[0])?.error ?? text;
  return { error, isOfOther: own === undefined && !words.test(error) };
}

/** By which a process that ended shows whose error it was. */
interface Signs {
  /** The name of the member of its group. */
  member: RegExp;
  /** Words of the error itself. */
  words: RegExp;
}

/** A client's call to Locket; there are metrics of locks, too. */
const OF_THE_LOCK: Signs = { member: /^(?!.*metrics).*(?:lock|presence)/i, words: /rpc error|locket|\block\b/i };
/** Locket's call to its database. */
const OF_THE_DATABASE: Signs = { member: /burglar|^db|-db|sql/i, words: /sql|database|driver|pq:|conn (?:busy|closed)|deadlock/i };

const ERROR_MAX = 1_000;

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < 2 ** 53 ? value : undefined;
}

/** Equal names share one text, and none keeps the piece of the file alive that it was read with. */
function nameOf(value: unknown): string {
  return typeof value === 'string' ? wellFormed(value.slice(0, NAME_MAX)) : '';
}

/** A slice of a text keeps all of it in memory; a copy does not. */
function copied(text: string): string {
  return JSON.parse(JSON.stringify(wellFormed(text))) as string;
}

/** Without halves of surrogate pairs, which no text of a scenario may have. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
