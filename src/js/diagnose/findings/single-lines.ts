// Single lines that say all: settings that Locket refuses, a port that is in use.

import { counted } from '../../base/text.js';
import type { Case } from '../case.js';
import { databaseErrorOf, errorOf } from '../errors/error.js';
import { isFailure, type LogEvent } from '../evidence.js';
import type { FindingKind } from '../model.js';
import type { Circumstance } from './circumstance.js';
import { certainly } from './finding.js';

/** One for each machine and kind. */
export function singleLines(whole: Case): Circumstance[] {
  return whole.machines.flatMap(({ events }) => {
    const refused = events.filter((event) => isRefused(event));
    const listening = events.filter(({ kind }) => kind === 'port-in-use');
    return [
      ...alone('refused-settings', refused, whole, "Locket refuses the client's settings", 'Locket refuses a TTL of 0 s or less and an empty owner; fix the configuration.'),
      ...alone('port-in-use', listening, whole, 'Locket could not listen', 'Another program, or an older Locket, uses the port.'),
    ];
  });
}

function isRefused(event: LogEvent): boolean {
  if (event.error === '') return false;
  if (isFailure(event)) return errorOf(event.error).kind === 'refused-settings';
  return event.kind === 'lock-failed' && databaseErrorOf(event.error).kind === 'refused-settings';
}

function alone(kind: FindingKind, events: readonly LogEvent[], { clocks }: Case, what: string, words: string): Circumstance[] {
  const [first] = events;
  if (first === undefined) return [];
  const last = events[events.length - 1] as LogEvent;
  const { kind: cause, words: read, certainty } = databaseErrorOf(first.error);
  const because = kind === 'port-in-use' && cause !== 'port-in-use' ? { kind: cause as FindingKind, words: read, certainty } : certainly(kind, words);
  return [
    {
      kind,
      severity: 'incident',
      certainty: 'certain',
      from: clocks.instantOf(first),
      to: clocks.instantOf(last),
      tell: () => ({
        key: first.key || null,
        owners: first.owner === '' ? [] : [first.owner],
        processes: [first.machine.name],
        summary: `${what} (${first.machine.name}, ${counted(events.length, 'line')}).`,
        cause: because,
        lines: events.slice(0, 4),
      }),
      because,
    },
  ];
}
