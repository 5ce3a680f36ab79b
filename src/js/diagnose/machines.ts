// The machines of all files, each with its events in the order of its clock.

import { grouped } from './arrays.js';
import { eventOf, type Lock, lockOf, type LogEvent, type Machine, type Place } from './evidence.js';
import type { LogLine } from './lager.js';
import { Life } from './life.js';
import type { EventKind } from './messages.js';

/** The machines of all files. */
export class Machines {
  readonly #byId = new Map<string, Machine>();
  /** Events that are left out of what is judged: others of their time are not read yet. */
  readonly #later = new Map<Machine, LogEvent[]>();
  /** By the name of the machine, and by the source. */
  readonly #lives = new Map<string, Map<string, Life>>();

  /** Takes up that a process has logged a line, whatever it says. */
  note(name: string, source: string, atMs: number): void {
    const own = this.#lives.get(name) ?? new Map<string, Life>();
    const life = own.get(source) ?? new Life();
    life.note(atMs);
    if (own.size === 0) this.#lives.set(name, own);
    own.set(source, life);
  }

  /** Takes up a line of the machine with this name. */
  add(name: string, line: LogLine, place: Place): void {
    const { kind } = line;
    if (kind === undefined) return;
    const lock = lockOf(line);
    const machine = this.#machine(name, line.source, kind, lock);
    machine.events.push(eventOf(line, kind, lock, machine, place));
  }

  /** All of them, each with its events up to a time, in the order of its clock. */
  list(untilMs: number): Machine[] {
    this.#join();
    const machines = [...this.#byId.values()];
    for (const machine of machines) {
      const events = machine.events.sort((a, b) => a.atMs - b.atMs || a.line - b.line);
      events.forEach((event, index) => markFirstAttempt(event, events[index - 1]));
      const end = events.findLastIndex(({ atMs }) => atMs <= untilMs) + 1;
      this.#later.set(machine, events.splice(end));
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
      const isAlone = only === undefined || (known.length === 1 && isOfOne(only));
      for (const machine of own) machine.life = isAlone ? this.#lives.get(machine.name)?.get(machine.source) : undefined;
    }
  }

  /** Forgets events of what was listed, and says how many are left. */
  retain(isNeeded: (event: LogEvent) => boolean, forgottenMs: number): number {
    for (const lives of this.#lives.values()) for (const life of lives.values()) life.forget(forgottenMs);
    let count = 0;
    for (const machine of this.#byId.values()) {
      machine.events = [...machine.events.filter(isNeeded), ...(this.#later.get(machine) ?? [])];
      count += machine.events.length;
    }
    return count;
  }

  /** Of locks, each owner may be a machine of its own, though a collector has put their lines into one file. */
  #machine(name: string, source: string, kind: EventKind, { owner, isPresence }: Lock): Machine {
    const isLook = kind.startsWith('look-');
    const isLocket = !isLook && !kind.startsWith('client-');
    const id = isLocket || isPresence || isLook ? `${name}\n${source}` : `${name}\n${source}\n${owner}`;
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const machine = { id, name, source, isLocket, events: [] };
    this.#byId.set(id, machine);
    return machine;
  }
}

/** Whether all lines of a client's machine are those of one owner. */
function isOfOne({ isLocket, events }: Machine): boolean {
  const first = events.find(({ owner }) => owner !== '')?.owner;
  return isLocket || events.every(({ owner }) => owner === '' || owner === first);
}

/** A first attempt does not say how long it took; it begins when its client does. */
function markFirstAttempt(event: LogEvent, previous: LogEvent | undefined): void {
  if (event.askedMs !== undefined || previous?.kind !== 'client-started') return;
  if (event.kind === 'client-failed' || event.kind === 'client-acquired') event.askedMs = previous.atMs;
}
