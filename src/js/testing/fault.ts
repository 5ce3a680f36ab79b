// The faults of a search: where each can happen, its text in LOCKET_FAULTS, and its sentence.

import { type Duration, durationText, lengthMs, signedMs } from '../base/duration.js';
import { length } from '../base/times.js';
import { LocketArgumentError } from '../node.js';

/** A moment of a run: a message is sent or has been executed, or a timer fires. */
export interface Place {
  /** `a:lock3:sent`: the same in each run in which the program comes there. */
  readonly name: string;
  readonly host: string;
  /** The call, or `timer`. */
  readonly kind: string;
  readonly phase: Phase;
  /** The deadline of the call. */
  readonly timeoutMs?: number | undefined;
  /** True if something came of it, or of the timer before it: further ticks of an idle timer are the same place. */
  isNews: boolean;
}

export type Phase = 'sent' | 'executed' | 'fires';

/** A fault at a place. */
export interface Fault {
  readonly place: string;
  readonly kind: FaultName;
  readonly ms: number | undefined;
}

/** The faults of a search; those that are in a question to `explore`, too, have its names. */
export type FaultName =
  | 'pause' | 'crash' | 'lostMessage' | 'lostReply' | 'lateReply' | 'locketCrash' | 'partition'
  | 'suspend' | 'lateMessage' | 'stall' | 'restart' | 'clockStep';

interface Kind {
  at: readonly Phase[];
  /** Its length if the test says nothing; `false` for a fault that a test asks for, `true` for one without a length. */
  byDefault: Duration | boolean;
  /** Whether it has a length, and the search tries those between which something differs. */
  length: 'none' | 'fixed' | 'searched';
  /** Where it delays an answer. One that comes after the deadline is none, so it is tried up to that, too. */
  delaysAnswer?: Phase;
  /** True if it is one of Locket, or of the way there, and so no fault of another service. */
  isOfLocket?: boolean;
  words(the: Words): string;
}

interface Words {
  host: string;
  /** `the 2nd Lock of a` */
  call: string;
  /** `just before it sends its 2nd Lock` */
  when: string;
  long: string;
}

const MACHINE: readonly Phase[] = ['sent', 'executed', 'fires'];
const KINDS: Record<FaultName, Kind> = {
  pause: { at: MACHINE, byDefault: '20s', length: 'searched', delaysAnswer: 'executed', words: ({ host, when, long }) => `${host} is paused for ${long} ${when}` },
  crash: { at: MACHINE, byDefault: '5s', length: 'fixed', words: ({ host, when, long }) => `${host} crashes ${when}, and starts again after ${long}` },
  lostMessage: { at: ['sent'], byDefault: true, length: 'none', words: ({ call }) => `${call} is lost` },
  lostReply: { at: ['sent'], byDefault: true, length: 'none', words: ({ call }) => `the answer to ${call} is lost` },
  lateReply: { at: ['sent'], byDefault: '20s', length: 'searched', delaysAnswer: 'sent', words: ({ call, long }) => `the answer to ${call} comes ${long} late` },
  locketCrash: { at: ['sent'], byDefault: '20s', length: 'searched', isOfLocket: true, words: ({ call, long }) => `Locket is down for ${long}, from ${call} on` },
  partition: { at: ['sent'], byDefault: '20s', length: 'searched', isOfLocket: true, words: ({ host, call, long }) => `${host} is cut off from Locket for ${long}, from ${call} on` },
  suspend: { at: MACHINE, byDefault: false, length: 'searched', words: ({ host, when, long }) => `${host} is suspended for ${long} ${when}` },
  lateMessage: { at: ['sent'], byDefault: false, length: 'searched', words: ({ call, long }) => `${call} arrives ${long} late` },
  stall: { at: ['sent'], byDefault: false, length: 'searched', isOfLocket: true, words: ({ call, long }) => `the database stalls for ${long}, from ${call} on` },
  restart: { at: ['sent'], byDefault: false, length: 'none', isOfLocket: true, words: ({ call }) => `Locket restarts just before ${call}` },
  clockStep: { at: ['sent', 'fires'], byDefault: false, length: 'fixed', words: ({ host, when, long }) => `the wall clock of ${host} steps by ${long} ${when}` },
};

/** The longest length of each fault; `true` for one without a length. */
export type FaultLengths = { [F in FaultName]?: Duration | boolean };

const ALL = Object.entries(KINDS) as [FaultName, Kind][];
const LOCKET = new Set(['lock', 'release', 'fetch', 'fetchAll', 'timer']);

/** True if calls of a kind go to Locket, and not to another service. */
export function isOfLocket(kind: string): boolean {
  return LOCKET.has(kind);
}

/** The faults that a test asks for, with their lengths in milliseconds. */
export function checkFaults(given: FaultLengths | undefined): Map<FaultName, number | undefined> {
  const faults = new Map<FaultName, number | undefined>();
  for (const name of Object.keys(given ?? {})) if (!(name in KINDS)) throw new LocketArgumentError(`faults.${name}`, `expected one of ${Object.keys(KINDS).join(', ')}`);
  for (const [name, { length, byDefault }] of ALL) {
    const value = given === undefined ? byDefault : given[name] ?? false;
    if (value === false) continue;
    if ((value === true) !== (length === 'none')) throw new LocketArgumentError(`faults.${name}`, length === 'none' ? 'expected true or false' : "expected a duration such as '20s', or false");
    faults.set(name, value === true ? undefined : name === 'clockStep' ? signedMs(`faults.${name}`, value) : lengthMs(`faults.${name}`, value));
  }
  return faults;
}

/** What can happen at a place, each at its longest. */
export function faultsAt({ name, kind, phase, timeoutMs = Infinity }: Place, longest: ReadonlyMap<FaultName, number | undefined>): Fault[] {
  const able = [...longest].filter(([fault]) => {
    const { at, isOfLocket: isOnly } = KINDS[fault];
    return at.includes(phase) && (isOfLocket(kind) || isOnly !== true);
  });
  return able.flatMap(([fault, longestMs]) => {
    const isTooLate = KINDS[fault].delaysAnswer === phase && longestMs !== undefined && longestMs > timeoutMs;
    return (isTooLate ? [longestMs, timeoutMs - 1] : [longestMs]).map((ms) => ({ place: name, kind: fault, ms }));
  });
}

export function isSearched({ kind }: Fault): boolean {
  return KINDS[kind].length === 'searched';
}

/** `a:lock2:executed=pause:20s`. */
export function textOf({ place, kind, ms }: Fault): string {
  return `${place}=${kind}${ms === undefined ? '' : `:${durationText(ms)}`}`;
}

/** The faults of a text such as that of the environment variable LOCKET_FAULTS. */
export function parseFaults(text: string): Fault[] {
  return text.trim().split(/\s+/).map((one) => {
    const [, place, kind = '', length] = /^([^=]+)=(\w+)(?::(-?[\d.]+m?s))?$/.exec(one) ?? [];
    const known = ALL.find(([name]) => name === kind)?.[1];
    const isWhole = known !== undefined && (known.length === 'none') === (length === undefined);
    if (place === undefined || !isWhole) throw new LocketArgumentError('LOCKET_FAULTS', `'${one}' is no fault, such as a:lock2:executed=pause:20s`);
    return { place, kind: kind as FaultName, ms: length === undefined ? undefined : signedMs('LOCKET_FAULTS', length) };
  });
}

/** A fault as a sentence. */
export function sentence({ place, kind, ms }: Fault, atMs: number): string {
  const [, host = '', call = '', n = '', phase] = /^(.+?):([a-zA-Z]+)(\d+)(?::(\w+))?$/.exec(place) ?? [];
  const name = `${nth(Number(n))} ${call === 'timer' ? 'timer' : `${call[0]?.toUpperCase()}${call.slice(1)}`}`;
  const when = call === 'timer' ? `as its ${name} fires` : phase === 'executed' ? `while the answer to its ${name} is under way` : `just before it sends its ${name}`;
  return `at ${length(atMs)}, ${KINDS[kind].words({ host, call: `the ${name} of ${host}`, when, long: length(ms ?? 0) })}`;
}

function nth(n: number): string {
  const isTeen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][n % 10]) ?? 'th'}`;
}
