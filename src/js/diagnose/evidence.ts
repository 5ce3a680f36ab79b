// Log lines as events of machines, each with its own clock. This file knows the data of each
// message, and draws no conclusions.

import { beginning, copied } from './beginning.js';
import type { LogLine } from './lager.js';
import { remembering } from './known.js';
import type { Life } from './life.js';
import type { EventKind } from './messages.js';

/** One log line about locks. */
export interface LogEvent {
  kind: EventKind;
  machine: Machine;
  /** The clock by which its machine wrote it. */
  clock: Clock;
  file: string;
  line: number;
  /** By its machine's clock, in milliseconds since the epoch. */
  atMs: number;
  key: string;
  /** The owner of the lock; for a collision, the owner that asked. */
  owner: string;
  /** The name of its row, for maps: its key and owner. */
  row: string;
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
  /** True if a timer of Locket's scan of the table is meant, and not one of a request. */
  isOfScan: boolean;
  isPresence: boolean;
  ttlMs: number | undefined;
  error: string;
  /** True if nothing shows that the error of a process that ended is that of a client's lock, or of Locket's database. */
  isOfOther: boolean;
  /** The line, cut. */
  text: string;
}

/** A stretch of a machine's lines in which its clock was not set. */
export interface Clock {
  machine: Machine;
}

/** A process with a clock, as far as its lines can be separated. */
export interface Machine {
  /** Its name and the process. */
  id: string;
  /** Its files' name, without the common part of all names; rotated files belong to one machine. */
  name: string;
  source: string;
  isLocket: boolean;
  /** Its clocks, one after another. */
  clocks: Clock[];
  /** True if the order of its events is that in which it wrote them. */
  isInOrder: boolean;
  /** Those that are judged, in the order in which they were written, or else of their times. */
  events: LogEvent[];
  /** Those that are not judged yet: others of their time are not read. */
  later: LogEvent[];
  /** When it logged anything; `undefined` if the lines of several processes are mixed. */
  life?: Life | undefined;
}

/** True if a line is that of a client's call that failed. */
export const isFailure = ({ kind }: LogEvent): boolean => kind === 'client-lost' || kind === 'client-failed';

/** The events of all these, one machine after another. */
export const eventsOf = (machines: readonly Machine[]): LogEvent[] => ([] as LogEvent[]).concat(...machines.map(({ events }) => events));

/** Where a line stands. */
export type Place = Pick<LogEvent, 'file' | 'line' | 'text'>;

/** The lock that a line is about. */
export type Lock = Pick<LogEvent, 'isPresence' | 'key' | 'owner'>;

const TEXT_MAX = 400;
const NAME_MAX = 300;

/** The lock of a line; empty names if it has none. */
export function lockOf({ data }: LogLine): Lock {
  const from = objectOf(data['lock']) ?? data;
  return {
    key: nameOf(from['key'] ?? data['resource-key']),
    owner: nameOf(from['owner'] ?? data['resource-owner']),
    isPresence: (from['type_code'] ?? data['type-code']) === 2 || from['type'] === 'presence',
  };
}

/** A line as an event of a machine. */
export function eventOf({ message, atMs, data }: LogLine, kind: EventKind, { key, owner, isPresence }: Lock, machine: Machine, { file, line, text }: Place): LogEvent {
  const ttlSeconds = numberOf(data['ttl_in_seconds']);
  const tookNs = numberOf(data['duration']);
  const tookMs = tookNs === undefined ? undefined : tookNs / 1e6;
  const { error, isOfOther } = errorIn(data['error'], kind === 'locket-exited' ? OF_THE_DATABASE : OF_THE_LOCK);
  return {
    kind,
    machine,
    clock: machine.clocks[0] as Clock,
    file,
    line,
    atMs,
    key,
    owner,
    row: rowName(key, owner),
    otherOwner: nameOf(data['lock-owner'] ?? data['fetched-owner']),
    uuid: nameOf(data['request-uuid'] ?? data['request-id']),
    tookMs,
    askedMs: tookMs === undefined ? undefined : atMs - tookMs,
    index: numberOf(data['modified-index']),
    isOfScan: message.startsWith('burglar.'),
    isPresence,
    ttlMs: ttlSeconds === undefined || ttlSeconds <= 0 ? undefined : ttlSeconds * 1000,
    error,
    isOfOther,
    text: copied(text.slice(0, TEXT_MAX)),
  };
}

/** The name of a row, for maps. */
export const rowName = (key: string, owner: string): string => same(`${key}\n${owner}`);
// Of another text maps work out the hash again.
const same = remembering((name) => name);

/** The error of a line. Of the exit of a group it is that of the member in question, or else of the first that failed. */
function errorIn(value: unknown, { member, words }: Signs): Pick<LogEvent, 'error' | 'isOfOther'> {
  if (typeof value !== 'string') return NO_ERROR;
  const text = beginning(value, ERROR_MAX);
  const members = text.includes(EXITED) ? text.split('\n').flatMap(memberIn) : [];
  const own = members.find(({ error }) => error.includes('rpc error')) ?? members.find(({ name }) => member.test(name));
  const error = (own ?? members[0])?.error ?? text;
  return { error, isOfOther: own === undefined && !words.test(error) };
}

const EXITED = ' exited with error: ';

/** The member of a group that a line of its exit is about. */
function memberIn(line: string): { name: string; error: string }[] {
  const [, name = '', error = ''] = /^\s*(.{0,200}?) exited with error: (.*)$/.exec(line) ?? [];
  return error === '' || error.startsWith('Exit trace') ? [] : [{ name, error }];
}

const NO_ERROR = { error: '', isOfOther: false };

/** By which a process that ended shows whose error it was: the name of the member of its group, and words of the error itself. */
type Signs = Record<'member' | 'words', RegExp>;

/** A client's call to Locket; there are metrics of locks, too. */
const OF_THE_LOCK: Signs = { member: /^(?!.*metrics).*(?:lock|presence)/i, words: /rpc error|locket|\block\b/i };
/** Locket's call to its database. */
const OF_THE_DATABASE: Signs = { member: /burglar|^db|-db|sql/i, words: /sql|database|driver|pq:|conn (?:busy|closed)|deadlock/i };

const ERROR_MAX = 1_000;

const objectOf = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined);
const numberOf = (value: unknown) => (typeof value === 'number' && value >= 0 && value < 2 ** 53 ? value : undefined);
const nameOf = (value: unknown) => (typeof value === 'string' ? beginning(value, NAME_MAX) : '');
