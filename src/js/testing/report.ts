// The report of a failing test: how to repeat it, its events, and the table at its end.

import { columns, printable, seconds } from '../base/text.js';
import { length } from '../base/times.js';
import type { Clock, Row } from '../types.js';
import type { RecordedServer } from './record.js';
import type { Entry } from './trial.js';

/** The report of a server, for an error of a failed test. Leaves out what its message says already. */
export function report(server: RecordedServer<Clock>, seed: number, message = ''): string {
  const { trace, table, waits } = server.story();
  const shown = traceLines(trace).slice(-TRACE_MAX);
  const left = trace.length - shown.length;
  return [
    `Locket at ${seconds(server.elapsedMs)}, seed ${seed} (LOCKET_SEED=${seed} repeats it)`,
    ...(left > 0 ? [`${left} earlier ${left === 1 ? 'line is' : 'lines are'} left out`] : []),
    ...shown,
    ...(message.includes(tableLines(table).join('\n')) ? [] : tableLines(table)),
    ...waits.map(({ text }) => printable(text)),
    ...server.calls.never(),
    ...server.onOtherClocks.filter((words) => !message.includes(words)),
    ...[server.fakeTimers() ?? []].flat().filter((words) => !message.includes(words.slice(0, 40))),
  ].join('\n');
}

/** Enough lines to see the cause of a failure. */
const TRACE_MAX = 200;

/** Events, one a line. */
export function traceLines(entries: readonly Entry[]): string[] {
  const width = Math.max(0, ...entries.map(({ who }) => who.length));
  return entries.map(({ timeMs, who, words }) => `${length(timeMs).padStart(11)}  ${printable(`${who.padEnd(width)}  ${words}`)}`);
}

/** The table in columns. */
export function tableLines(table: Row[] | undefined): string[] {
  if (table === undefined) return ['the server is closed'];
  if (table.length === 0) return ['locks: no rows'];
  const cells = table.map(({ path, owner, type, ttl, value }) => [path, owner, type, ttl, value].map((cell) => String(cell ?? 'NULL')));
  return columns([['path', 'owner', 'type', 'ttl', 'value'], ...cells]);
}
