// Lines of `locket-wasm watch --output`: polls of the table. Each change is two polls: the one before and the
// one that found it.

import { type LogLine, timeOf } from './lager.js';
import type { EventKind } from './messages.js';

/** The parts of a line about single keys: a line for each, with the time of its poll. */
export function looksOf(line: LogLine): LogLine[] {
  const { data, atMs, message } = line;
  const { resource, previous = resource, resources } = data;
  const look = (kind: EventKind, one: unknown, ms = atMs): LogLine => ({ ...line, kind, atMs: ms, data: { lock: one } });
  if (message === 'watch.snapshot') return Array.isArray(resources) ? resources.map((one) => look('look-found', one)) : [];
  const sinceMs = timeOf(data['since']);
  const before = sinceMs === undefined ? [] : [look(message === 'watch.added' ? 'look-missing' : 'look-found', previous, Math.min(sinceMs, atMs))];
  return [...before, look(message === 'watch.removed' ? 'look-missing' : 'look-found', resource)];
}
