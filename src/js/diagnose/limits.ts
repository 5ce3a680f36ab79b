// The limits of the logs, and lines that could not be read, in sentences with remedies.

import { counted } from '../base/text.js';
import type { Case } from './case.js';
import type { SourceSummary } from './model.js';

/** The limits of a case. */
export function limitsOf(whole: Case): string[] {
  const { keys, hasLocket, clients, machines } = whole;
  const limits: string[] = [];
  const hasRenewals = machines.some(({ events }) => events.some(({ kind }) => kind === 'renewed'));
  const isRecorded = machines.some(({ events }) => events.some(({ kind }) => kind.startsWith('look-')));
  if (!hasLocket) limits.push(`No log of Locket is given: the owner of the row is known only from ${isRecorded ? 'polls of the table, which do not show changes between two polls' : 'the clients'}.`);
  else if (!hasRenewals) limits.push('At level info, Locket logs no renewals and no collisions: a silent holder may be healthy, dead or frozen until its row expires.');
  const isClientSilent = !machines.some(({ events }) => events.some(({ kind }) => kind.startsWith('client-')));
  if (isClientSilent) limits.push('No log of a client is given: the beliefs of owners follow from their rows alone, with wide bounds.');
  const strangers = keys.flatMap(({ clients: all }) => all.filter(({ machine }) => machine === undefined).map(({ owner }) => owner.slice(0, 8)));
  if (clients.length > 0 && strangers.length > 0) limits.push(`The logs of these owners are missing: ${strangers.slice(0, 8).join(', ')}${strangers.length > 8 ? ' and more' : ''}.`);
  if (keys.some(({ ttlMs, rows }) => ttlMs === undefined && rows.length > 0)) limits.push('No line shows the TTL, so the times of renewals are unknown. Pass the TTL.');
  if (keys.some(({ isLocketMissing }) => isLocketMissing)) limits.push('A row was seen that no Locket log mentions: the log of a Locket, or a part of it, is missing.');
  if ([...whole.clocks.readings.values()].some(({ isContradictory }) => isContradictory)) limits.push('The clocks contradict each other, or lines are missing: the times have no known bounds.');
  return limits;
}

/** The lines of the sources that could not be read. */
export function readingLimits(sources: readonly SourceSummary[]): string[] {
  return sources.flatMap(({ name, broken, unread, rows, firstUnread, late, problem }) => [
    ...(rows > 0 ? [`${name}: ${counted(rows, 'row is', 'rows are')} of a list without times, as cfdot and mysql print it, and not used. Record the rows with \`locket-wasm watch --output\`.`] : []),
    ...(rows > 0 || firstUnread === null ? [] : [`${name}: ${counted(unread, 'line is', 'lines are')} not read: no line of lager in JSON; the first is line ${firstUnread.line}: ${firstUnread.text}`]),
    ...(broken > 0 ? [`${name}: ${counted(broken, 'line is', 'lines are')} broken and not used.`] : []),
    ...(late > 0 ? [`${name}: ${counted(late, 'line is', 'lines are')} too far out of order and not used.`] : []),
    ...(problem === null ? [] : [`${name}: the rest cannot be read (${problem}).`]),
  ]);
}
