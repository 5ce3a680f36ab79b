// The machines of all files, each with its events in the order of its clock.

import { grouped } from './arrays.js';
import { eventOf, eventsOf, lockOf, type LogEvent, type Machine, type Place } from './evidence.js';
import type { LogLine } from './lager.js';
import { Life } from './life.js';

/** All lines of a source in the files of a name: of one process, if no collector has mixed them. */
export interface Process {
  readonly name: string;
  readonly source: string;
  readonly life: Life;
  /** By owner, since each may be a machine of its own; `undefined` is that of the lines of Locket, of presences and of looks. */
  readonly machines: Map<string | undefined, Machine>;
}

/** The machines of all processes. */
export class Machines {
  readonly #processes = new Map<string, Process>();
  /** In the order of their first events. */
  #all: Machine[] = [];

  /** The process that has written a line. */
  process(name: string, source: string): Process {
    const id = `${name}\n${source}`;
    const process = this.#processes.get(id) ?? { name, source, life: new Life(), machines: new Map() };
    this.#processes.set(id, process);
    return process;
  }

  /** Takes up a line. */
  add(process: Process, line: LogLine, place: Place): void {
    const { kind } = line;
    if (kind === undefined) return;
    const lock = lockOf(line);
    const isLook = kind.startsWith('look-');
    const isLocket = !isLook && !kind.startsWith('client-');
    const owner = isLocket || lock.isPresence || isLook ? undefined : lock.owner;
    const machine = process.machines.get(owner) ?? this.#newMachine(process, owner, isLocket);
    machine.events.push(eventOf(line, kind, lock, machine, place));
  }

  /** All of them, each with its events up to a time, in the order of its clock. */
  list(untilMs: number): readonly Machine[] {
    for (const process of this.#processes.values()) this.#join(process);
    for (const alike of grouped(this.#all, ({ id, name }) => id.slice(name.length)).values()) dropCopies(alike);
    for (const machine of this.#all) {
      putInOrder(machine);
      const { events } = machine;
      events.forEach((event, index) => markFirstAttempt(event, events[index - 1]));
      markLosses(events);
      machine.later = events.splice(events.findLastIndex(({ atMs }) => atMs <= untilMs) + 1);
    }
    return this.#all;
  }

  /** Forgets events of what was listed, and says how many are left. */
  retain(isNeeded: (event: LogEvent) => boolean, forgottenMs: number): number {
    for (const { life } of this.#processes.values()) life.forget(forgottenMs);
    let count = 0;
    for (const machine of this.#all) {
      machine.events = [...machine.events.filter(isNeeded), ...machine.later];
      count += machine.events.length;
    }
    return count;
  }

  #newMachine({ name, source, machines }: Process, owner: string | undefined, isLocket: boolean): Machine {
    const machine: Machine = { id: [name, source, owner].join('\n'), name, source, isLocket, clocks: [], isInOrder: true, events: [], later: [] };
    machine.clocks.push({ machine });
    machines.set(owner, machine);
    this.#all.push(machine);
    return machine;
  }

  /** Lines without an owner, such as that of an exit, are of the only owner of their process. Such a machine has the life of its process. */
  #join({ machines, life }: Process): void {
    const nameless = machines.get('');
    const [only, ...others] = [...machines.values()].filter((machine) => machine !== nameless);
    if (nameless !== undefined && only !== undefined && others.length === 0 && !only.isLocket) {
      for (const event of nameless.events) only.events.push(Object.assign(event, { machine: only, clock: only.clocks[0] }));
      machines.delete('');
      this.#all = this.#all.filter((machine) => machine !== nameless);
    }
    const named = only?.events.find(({ owner }) => owner !== '')?.owner;
    const isOfOne = only === undefined || only.isLocket || only.events.every(({ owner }) => owner === '' || owner === named);
    const isAlone = others.length === 0 && isOfOne;
    for (const machine of machines.values()) machine.life = isAlone ? life : undefined;
  }
}

/** Files may have the same lines, as downloads that overlap have; a collector that is not sure writes a line again. In two files, one may be a coincidence. */
function dropCopies(machines: readonly Machine[]): void {
  // Lists that live long take memory: one machine has its own.
  const sorted = (machines.length === 1 ? (machines[0] as Machine).events : eventsOf(machines)).sort((a, b) => a.atMs - b.atMs || a.line - b.line);
  const copies = new Set(sorted.filter((event, index) => isCopy(event, sorted[index - 1])));
  if (copies.size === 0) return;
  for (const machine of machines) {
    const own = machine.events.filter((event) => !copies.has(event));
    if (own.length + Math.min(1, machines.length - 1) < machine.events.length) machine.events = own;
  }
}

const isCopy = (a: LogEvent, b: LogEvent | undefined) => a.atMs === b?.atMs && a.kind === b.kind && a.row === b.row && a.uuid === b.uuid;

/** The order of the times, or that of the file if a clock was set back there: lines go back seldom. Else they are mixed up. */
function putInOrder(machine: Machine): void {
  const { life } = machine;
  const events = machine.events.sort((a, b) => a.atMs - b.atMs || a.line - b.line);
  machine.isInOrder = life?.goesBack === false;
  if (life?.goesBack !== true || !life.isInOrder || events.some(({ file }) => file !== events[0]?.file)) return;
  events.sort((a, b) => a.line - b.line || a.atMs - b.atMs);
  machine.isInOrder = true;
}

/** A first attempt does not say how long it took; it begins when its client does, if no clock was set back meanwhile. */
function markFirstAttempt(event: LogEvent, previous: LogEvent | undefined): void {
  if (event.askedMs !== undefined || previous?.kind !== 'client-started' || previous.atMs > event.atMs) return;
  if (event.kind === 'client-failed' || event.kind === 'client-acquired') event.askedMs = previous.atMs;
}

/** A loop that goes on says only that an attempt failed: while its lock was held, that is a loss. */
function markLosses(events: readonly LogEvent[]): void {
  const held = new Set<string>();
  for (const event of events) {
    if (event.kind === 'client-refused') event.kind = held.delete(event.row) ? 'client-lost' : 'client-failed';
    else if (event.kind === 'client-acquired') held.add(event.row);
  }
}
