// The rows of a key beside what its clients believed: a time without a row, a holder without a row,
// an owner that did not know.

import type { Case, KeyCase } from '../case.js';
import { errorOf } from '../errors/error.js';
import { between, isExact } from '../instant.js';
import { isTimeout } from '../order.js';
import type { RowLife } from '../rows.js';
import { type Causes, isSeen } from './causes.js';
import { certainly, type Found, found, LEAST_MS, quoted, span } from './finding.js';

/** The times in which the table had no row. */
export function noRow(own: KeyCase, { endMs, hasLocket }: Case, causes: Causes): Found[] {
  return own.rows.flatMap((row) => {
    if (row.end === 'open' || (!hasLocket && row.end !== 'gone')) return [];
    const { next } = row;
    const to = row.stranger ?? next?.from ?? { ms: Math.max(endMs, row.to.ms), earliestMs: row.to.earliestMs, latestMs: null };
    if (to.ms - row.to.ms < LEAST_MS) return [];
    const cause = causes.ofRowEnd(row);
    const isOpen = next === undefined && row.stranger === undefined;
    // Another Locket, whose log is missing, may have had another row meanwhile.
    const certainty = own.isLocketMissing || isDoubted(row) ? 'possible' : 'likely';
    const told = () => ({
      key: own.key,
      owners: [row.owner, ...(next === undefined ? [] : [next.owner])],
      summary: `The table had no row for ${quoted(own.key)} ${isOpen ? 'until the end of the logs' : `for ${isExact(row.to) && isExact(to) && row.stranger === undefined ? '' : 'about '}${span(to.ms - row.to.ms)}`}.`,
      cause,
      lines: [row.ended, next?.inserted ?? next?.lines[0]],
    });
    return [found(cause.kind === 'planned-stop' ? 'note' : 'warning', 'no-row', certainty, { from: row.to, to, isOpen }, told)];
  });
}

/** True if a row that no line deletes may have ended otherwise, or never. */
const isDoubted = (row: RowLife) => row.end === 'unseen' && !isSeen(row);

/** A client that continued without a row and did not learn of it: its next renewal inserted a new row. */
export function holdersWithoutRow(own: KeyCase, causes: Causes): Found[] {
  return own.rows.flatMap((row) => {
    const { next } = row;
    if (row.end === 'open' || next?.owner !== row.owner || next.inserted === undefined || next.from.ms - row.to.ms < LEAST_MS) return [];
    const belief = own.beliefs.find(({ client, isInferred, from, to }) => !isInferred && client.owner === row.owner && from.ms < row.to.ms && to.ms >= next.from.ms);
    if (belief === undefined) return [];
    const told = () => ({
      key: own.key,
      owners: [row.owner],
      processes: [belief.client.name],
      summary: `${belief.client.name} believed it held ${quoted(own.key)} for ${span(next.from.ms - row.to.ms)} while the table had no row for it.`,
      cause: causes.ofRowEnd(row),
      lines: [row.ended, next.inserted, belief.lines[0]],
    });
    return [found('incident', 'holder-without-row', isDoubted(row) ? 'possible' : causes.likelihood(belief), { from: row.to, to: next.from }, told)];
  });
}

/** A request for a row failed for its client, and was applied. */
export function unawareOwners(own: KeyCase): Found[] {
  const rows = new Map(own.rows.flatMap((row): [string, RowLife][] => (row.inserted === undefined || row.inserted.uuid === '' ? [] : [[row.inserted.uuid, row]])));
  return own.clients.flatMap((client) => {
    return client.events.flatMap((event) => {
      const row = event.kind === 'client-failed' && errorOf(event.error).kind !== 'collision' ? rows.get(event.uuid) : undefined;
      if (row === undefined || row.owner !== client.owner) return [];
      const learnt = client.beliefs.find(({ from }) => from.ms > row.from.ms && from.ms <= row.to.ms);
      const to = learnt?.from ?? row.to;
      const time = { from: row.from, to: between(row.from, to, to.ms), isOpen: learnt === undefined && row.end === 'open' };
      const told = () => ({
        key: own.key,
        owners: [row.owner],
        processes: [client.name],
        summary: `${client.name} owned the row of ${quoted(own.key)} for ${span(to.ms - row.from.ms)} without knowing it.`,
        cause: certainly(isTimeout(event) ? 'slow-replies' : 'calls-failed', `Its request ${event.uuid.slice(0, 8)} ${isTimeout(event) ? 'timed out' : 'failed'}, but Locket had applied it.`),
        lines: [row.inserted, event, learnt?.lines[0], row.ended],
      });
      return [found('incident', 'unaware-owner', 'certain', time, told)];
    });
  });
}
