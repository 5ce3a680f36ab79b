// Lines of `locket-wasm watch --output`: polls of the table. Each change is two polls: the one before and the
// one that found it.

import { type LogLine, timeOf } from './lager.js';
import type { EventKind } from './messages.js';

/** The parts of a line about single keys: a line for each, with the time of its poll. */
export function looksOf(line: LogLine): LogLine[] {
  const { data, atMs } = line;
  const sinceMs = timeOf(data['since']);
  const look = (kind: EventKind, resource: unknown, ms = atMs): LogLine => ({ ...line, kind, atMs: ms, data: { lock: resource } });
  const before = (kind: EventKind, resource: unknown): LogLine[] => (sinceMs === undefined ? [] : [look(kind, resource, Math.min(sinceMs, atMs))]);
  const { resource, previous, resources } = data;
  switch (line.message) {
    case 'watch.snapshot':
      return Array.isArray(resources) ? resources.map((one) => look('look-found', one)) : [];
    case 'watch.added':
      return [...before('look-missing', resource), look('look-found', resource)];
    case 'watch.removed':
      return [...before('look-found', resource), look('look-missing', resource)];
    case 'watch.changed':
      return [...before('look-found', previous), look('look-found', resource)];
    default:
      return [];
  }
}
