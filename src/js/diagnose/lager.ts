// One log line in lager's format, with either of its time formats. A log is foreign text: any line
// gives a value, in time proportional to its length.

import { kindOf } from './messages.js';

/** A line that says something about locks. */
export interface LogLine {
  /** By the clock of the machine that wrote it, in milliseconds since the epoch. */
  atMs: number;
  source: string;
  /** Without the source before it. */
  message: string;
  data: Readonly<Record<string, unknown>>;
}

/** Reads a line: what it says, `broken` if it is the piece of one, or `other` if it is about something else. */
export function parseLine(text: string): LogLine | 'broken' | 'other' {
  const at = text.indexOf(MESSAGE);
  if (at < 0) return isPiece(text) ? 'broken' : 'other';
  const begin = text.indexOf('"', at + MESSAGE.length);
  const end = text.indexOf('"', begin + 1);
  if (begin < 0 || end < 0) return 'broken';
  if (kindOf(text.slice(begin + 1, end)) === undefined) return 'other';
  return parsed(text);
}

const MESSAGE = '"message"';

/** A line with a beginning and no message was cut; one with an end and no beginning, too. */
function isPiece(text: string): boolean {
  return text.startsWith('{"timestamp"') || (text.includes('"session":"') && !text.startsWith('{'));
}

function parsed(text: string): LogLine | 'broken' {
  const json = objectIn(text);
  if (json === undefined) return 'broken';
  const { timestamp, source, message, data } = json;
  if (typeof source !== 'string' || typeof message !== 'string') return 'broken';
  const atMs = timeOf(timestamp);
  if (atMs === undefined || typeof data !== 'object' || data === null) return 'broken';
  const prefix = `${source}.`;
  return { atMs, source, message: message.startsWith(prefix) ? message.slice(prefix.length) : message, data: data as LogLine['data'] };
}

/** Collectors of logs write a time or a host before the line. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(Math.max(0, text.indexOf('{'))));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
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
