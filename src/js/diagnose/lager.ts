// One log line in lager's format, with either of its time formats. A log is foreign text: any line
// gives a value, in time proportional to its length.

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

/** The kinds of lines: about locks, about something else, the piece of a line, and no line of such a log. */
export type Reading = { line: LogLine } | { sign: Sign | undefined } | 'broken' | 'unread';

/** Reads a line. */
export function parseLine(text: string): Reading {
  const at = text.indexOf(MESSAGE);
  if (at < 0) return isPiece(text) ? 'broken' : 'unread';
  const begin = text.indexOf('"', at + MESSAGE.length);
  const end = text.indexOf('"', begin + 1);
  if (begin < 0 || end < 0) return 'broken';
  // A collector's own message may stand before that of the line.
  if (kindOf(text.slice(begin + 1, end)) !== undefined) return parsed(text);
  return text.indexOf(MESSAGE, end) > 0 && text.includes('locket') ? parsedWithin(text) : otherLine(text);
}

const MESSAGE = '"message"';

/** A line with a beginning and no message was cut; one with an end and no beginning, too. */
function isPiece(text: string): boolean {
  return text.startsWith('{"timestamp"') || (text.includes('"session":"') && !text.startsWith('{'));
}

function parsed(text: string): Reading {
  const line = lineOf(objectIn(text));
  return line === undefined ? 'broken' : { line };
}

function parsedWithin(text: string): Reading {
  const line = lineOf(objectIn(text));
  return line?.kind === undefined ? otherLine(text) : { line };
}

/** A line about something else shows that its process was running. */
function otherLine(text: string): Reading {
  const atMs = timeOf(/"timestamp":"([^"]{1,40})"/.exec(text)?.[1]);
  const source = /"source":"([^"]{1,100})"/.exec(text)?.[1];
  if (source === undefined) return 'unread';
  return { sign: atMs === undefined ? undefined : { atMs, source } };
}

function lineOf(json: Record<string, unknown> | undefined): LogLine | undefined {
  if (json === undefined) return undefined;
  const { timestamp, source, message, data } = json;
  const atMs = timeOf(timestamp);
  if (typeof source !== 'string' || typeof message !== 'string' || atMs === undefined || typeof data !== 'object' || data === null) return undefined;
  const own = message.startsWith(`${source}.`) ? message.slice(source.length + 1) : message;
  return { atMs, source, kind: kindOf(own, source), message: own, data: data as LogLine['data'] };
}

/** Collectors of logs write a time or a host before the line, a comma after it, or an object around it. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return lagerIn(JSON.parse(text.slice(Math.max(0, text.indexOf('{')), text.lastIndexOf('}') + 1)), DEPTH_MAX);
  } catch {
    return undefined;
  }
}

/** Deeper objects are no lines. */
const DEPTH_MAX = 4;

/** The first object that is a line. */
function lagerIn(value: unknown, depth: number): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  const json = value as Record<string, unknown>;
  if (typeof json['source'] === 'string' && typeof json['message'] === 'string' && 'timestamp' in json) return json;
  for (const member of Object.values(json)) {
    const found = lagerIn(member, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Seconds since the epoch with a fraction, or a time as RFC 3339 writes it; `undefined` if it is neither. */
export function timeOf(timestamp: unknown): number | undefined {
  if (typeof timestamp === 'number') return plausible(timestamp * 1000);
  if (typeof timestamp !== 'string') return undefined;
  if (/^\d{1,12}(?:\.\d{1,12})?$/.test(timestamp)) return plausible(Number(timestamp) * 1000);
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,12})?(Z|[+-]\d\d:\d\d)$/.exec(timestamp);
  if (parts === null) return undefined;
  const [, seconds, fraction = '0', zone] = parts;
  return plausible(Date.parse(`${seconds}${zone}`) + Number(fraction) * 1000);
}

/** Times between 2001 and 2128; others are those of a broken line or clock. */
function plausible(ms: number): number | undefined {
  return ms >= 1e12 && ms < 5e12 ? ms : undefined;
}
