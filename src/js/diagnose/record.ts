// Lines of `locket-wasm watch --output`: polls of the table. Each change is two polls: the one before and the
// one that found it.

import { type LogLine, timeOf } from './lager.js';
import type { EventKind } from './messages.js';

/** The parts of a line about single keys: a line for each, with the time of its poll. */
export function looksOf(line: LogLine): LogLine[] {
  const { data, atMs } = line;
  const sinceMs = timeOf(data['since']);
  const found = (resource: unknown, ms = atMs): LogLine[] => look('look-found', resource, ms);
  const missing = (resource: unknown, ms = atMs): LogLine[] => look('look-missing', resource, ms);
  const look = (kind: EventKind, resource: unknown, ms: number): LogLine[] => [{ ...line, kind, atMs: ms, data: { lock: resource } }];
  const before = (of: (resource: unknown, ms: number) => LogLine[], resource: unknown): LogLine[] => (sinceMs === undefined ? [] : of(resource, Math.min(sinceMs, atMs)));
  const { resource, previous, resources } = data;
  switch (line.message) {
    case 'watch.snapshot':
      return Array.isArray(resources) ? resources.flatMap((one) => found(one)) : [];
    case 'watch.added':
      return [...before(missing, resource), ...found(resource)];
    case 'watch.removed':
      return [...before(found, resource), ...missing(resource)];
    case 'watch.changed':
      return [...before(found, previous), ...found(resource)];
    default:
      return [];
  }
}
