// The lines of lager in a line of a file, with either of its time formats, as programs write them or as an export has wrapped them. A
// log is foreign text: any line gives a value, in time proportional to its length.

import { type EventKind, kindOf } from './messages.js';

/** A line that says something about locks. */
export interface LogLine extends Sign {
  /** `undefined` if it is not about locks. */
  kind: EventKind | undefined;
  /** Without the source before it. */
  message: string;
  data: Readonly<Record<string, unknown>>;
}

/** That a process has logged something. */
export interface Sign {
  /** By the clock of the machine that wrote it, in milliseconds since the epoch. */
  atMs: number;
  source: string;
}

/** The kinds of lines: about locks, about something else, the piece of a line, a row without a time, and no line of such a log. */
export type Reading = { line: LogLine; text: string } | { sign: Sign | undefined } | 'broken' | 'rows' | 'unread';

/** Reads a line of a file. An export may have put several lines of lager into it. */
export function readingsOf(text: string): Reading[] {
  // A list of values with commas doubles the quotes in each; no JSON has these after each other.
  if (text.includes('{""') && /(?:^|[,;\t])"\{""/.test(text)) return readingsOf(text.replaceAll('""', '"'));
  const isWrapped = text.includes('{\\"');
  const at = text.indexOf(MESSAGE);
  if (at < 0 && !isWrapped) return [ROW.test(text) ? 'rows' : isPiece(text) ? 'broken' : 'unread'];
  const begin = text.indexOf('"', at + MESSAGE.length);
  const end = text.indexOf('"', begin + 1);
  if (at >= 0 && (begin < 0 || end < 0)) return ['broken'];
  const isOwn = at >= 0 && kindOf(text.slice(begin + 1, end)) !== undefined;
  // A collector's own message, or that of another line, may stand before that of the line.
  // To look for it without its first quote is much faster: lines are full of quotes.
  const isAmong = isWrapped || (text.includes('message"', end) && text.includes(MESSAGE, end) && text.includes('lock'));
  const found = isOwn || isAmong ? lagersIn(valueOf(text), DEPTH_MAX) : [];
  if (found.length === 0) return [isOwn ? 'broken' : otherLine(text)];
  return found.map((json) => readingOf(json, isOwn && found.length === 1 ? text : JSON.stringify(json)));
}

const MESSAGE = '"message"';

/** A row as `cfdot locks`, `cfdot presences` and the clients of MySQL and PostgreSQL print it: it does not say when it was there. */
const ROW = /^\[?\{\s*"key"\s*:\s*"[^"]*"\s*,\s*"owner"\s*:|^\*{9,} \d+\. row \*{9,}$|^-\[ RECORD \d+ \]/;

/** A line with a beginning and no message was cut; one with an end and no beginning, too. */
function isPiece(text: string): boolean {
  return text.startsWith('{"timestamp"') || (text.includes('"session":"') && !text.startsWith('{'));
}

/** A line about something else shows that its process was running. */
function otherLine(text: string): Reading {
  const atMs = timeOf(/"timestamp"\s*:\s*"?([^",}]{1,40})/.exec(text)?.[1]);
  const source = /"source"\s*:\s*"([^"]{1,100})"/.exec(text)?.[1];
  if (source === undefined) return 'unread';
  return { sign: atMs === undefined ? undefined : { atMs, source } };
}

/** What collectors write before a line, after it or around it does not matter: a time, a host, a comma, the name of a member. */
function valueOf(text: string): unknown {
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}');
  // Nearly always it is one value, and a copy of it would take memory.
  const whole = begin === 0 && end === text.length - 1 ? parsed(text) : undefined;
  return whole ?? parsed(`[${text.slice(Math.max(0, begin), end + 1)}]`) ?? parsed(`{${text.trim().replace(/,$/, '')}}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Deeper values, of which each text is one, are no lines. */
const DEPTH_MAX = 9;

/** A line of lager as it is parsed. */
type Lager = Record<'source' | 'message', string> & Record<'timestamp' | 'data', unknown>;

/** The lines of lager in a value, and in the texts of it that are JSON themselves. */
function lagersIn(value: unknown, depth: number): Lager[] {
  if (depth === 0) return [];
  if (typeof value === 'string') return value.startsWith('{') && value.includes('message') ? lagersIn(valueOf(value), depth - 3) : [];
  if (typeof value !== 'object' || value === null) return [];
  const json = value as Lager;
  if (typeof json.source === 'string' && typeof json.message === 'string' && 'timestamp' in json) return [json];
  return Object.values(json).flatMap((member) => lagersIn(member, depth - 1));
}

function readingOf({ timestamp, source, message, data }: Lager, text: string): Reading {
  const atMs = timeOf(timestamp);
  if (atMs === undefined || typeof data !== 'object' || data === null) return 'broken';
  const own = message.startsWith(`${source}.`) ? message.slice(source.length + 1) : message;
  const kind = kindOf(own, source);
  if (kind === undefined) return { sign: { atMs, source } };
  return { line: { atMs, source, kind, message: own, data: withLock(data as LogLine['data'], message) }, text };
}

/** The Cloud Controller writes its lock into the message, and the number of the code of gRPC before its error. */
function withLock(data: LogLine['data'], message: string): LogLine['data'] {
  const found = /^(?:Acquired|Failed to acquire) lock '(.*)' for owner '(.*?)'(?:: (\d+):(.*))?$/s.exec(message);
  if (found === null) return data;
  const [, key, owner, code, error] = found;
  const status = code === undefined ? {} : { error: `rpc error: code = ${CODES[Number(code)] ?? 'Unknown'} desc = ${error}` };
  return { ...data, lock: { key, owner, type: 'lock', type_code: 1 }, ttl_in_seconds: 15, ...status };
}

const CODES: Readonly<Record<number, string>> = { 1: 'Canceled', 4: 'DeadlineExceeded', 6: 'AlreadyExists', 8: 'ResourceExhausted', 13: 'Internal', 14: 'Unavailable' };

/** Seconds since the epoch, those of exports in smaller units, or a time as RFC 3339 writes it; `undefined` if it is neither. */
export function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp !== 'string' && typeof timestamp !== 'number') return undefined;
  if (/^\d{1,19}(?:\.\d{1,12})?$/.test(`${timestamp}`)) {
    const number = Number(timestamp);
    // Nearly always it is the first.
    return plausible(number * 1e3) ?? plausible(number) ?? plausible(number * 1e-3) ?? plausible(number * 1e-6);
  }
  // Of another text, the pieces are no time.
  const [, seconds, fraction = '0', zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,12})?(Z|[+-]\d\d:\d\d)$/.exec(`${timestamp}`) ?? [];
  return plausible(Date.parse(`${seconds}${zone}`) + Number(fraction) * 1000);
}

/** Times between 2001 and 2128; others are those of a broken line or clock. */
function plausible(ms: number): number | undefined {
  return ms >= 1e12 && ms < 5e12 ? ms : undefined;
}
