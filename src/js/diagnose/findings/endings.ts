// How locks were lost and rows ended: losses, expiries, rows deleted outside Locket.

import type { KeyCase } from '../case.js';
import type { Belief } from '../clients.js';
import { endOf } from '../errors/error.js';
import type { LogEvent } from '../evidence.js';
import type { FindingKind } from '../model.js';
import type { RowLife } from '../rows.js';
import { type Causes, isFoundByLook, isSeen, renewedBefore } from './causes.js';
import { about, type Found, found, quoted, span } from './finding.js';

/** All of a key. */
export function endingFindings(own: KeyCase, causes: Causes): Found[] {
  const losses = own.beliefs.flatMap((belief) => (belief.lost === undefined ? [] : [loss(own, belief, belief.lost, causes)]));
  return [...losses, ...rowEnds(own, causes)];
}

function loss(own: KeyCase, belief: Belief, lost: LogEvent, causes: Causes): Found {
  const { client, to } = belief;
  const error = endOf(lost);
  const kind: FindingKind = error.kind === 'collision' ? 'lost-by-collision' : error.code === 'DeadlineExceeded' ? 'lost-by-timeout' : 'lost-by-error';
  return found('incident', kind, 'certain', { from: to, to }, () => ({
    key: own.key,
    owners: [client.owner],
    processes: [client.name],
    summary: `${client.name} lost ${quoted(own.key)}: ${lost.kind === 'client-exited' && lost.isOfOther ? 'its process ended with a failure' : HOW[kind]}${lost.tookMs === undefined ? '' : ` (after ${span(lost.tookMs)})`}.`,
    cause: causes.ofEnd(belief),
    lines: [lost, ...(causes.rowUnder(belief)?.lines ?? [])],
  }));
}

const HOW: Partial<Record<FindingKind, string>> = {
  'lost-by-collision': 'its renewal was refused: another owner has the row',
  'lost-by-timeout': 'its renewal was not answered in time',
  'lost-by-error': 'its renewal failed',
};

function rowEnds(own: KeyCase, causes: Causes): Found[] {
  const { isLocketMissing } = own;
  return own.rows.flatMap((row): Found[] => {
    const { end, next } = row;
    if (end === 'expired') return [expiry(own, row, causes)];
    if (end === 'table-missing') return [removal(own, row, causes, 'table-dropped')];
    // Without any log of Locket, nothing shows that it did not delete the row. Polls of the table show that another row is there, but not how.
    const isTold = end === 'unseen' && next !== undefined && causes.whole.hasLocket && (isLocketMissing || !isFoundByLook(next));
    return isTold ? [removal(own, row, causes, isLocketMissing ? 'logs-incomplete' : 'row-deleted')] : [];
  });
}

function expiry(own: KeyCase, row: RowLife, causes: Causes): Found {
  const renewedMs = renewedBefore(row);
  // The line that names the owner may be missing.
  return found('incident', 'expired', row.ended?.kind === 'expired' ? 'likely' : 'certain', { from: row.to, to: row.to }, () => ({
    key: own.key,
    owners: [row.owner],
    processes: processOf(row, causes),
    summary: `The row of ${quoted(own.key)} expired, owned by ${quoted(row.owner)}${row.index === 1 ? '; it was never renewed' : renewedMs === undefined ? '' : `; its last renewal was ${about(renewedMs)} before`}.`,
    cause: causes.ofExpiry(row),
    lines: [row.ended, ...row.lines],
  }));
}

const processOf = (row: RowLife, causes: Causes) => [causes.beliefOver(row)?.client.name ?? []].flat();

/** A row that another one has replaced without a line that deletes it. Lines can be missing, so it is never certain. */
function removal(own: KeyCase, row: RowLife, causes: Causes, kind: keyof typeof REMOVED): Found {
  const { next } = row;
  const certainty = kind === 'table-dropped' ? 'certain' : isSeen(row) ? 'likely' : 'possible';
  return found(kind === 'logs-incomplete' ? 'warning' : 'incident', kind, certainty, { from: row.to, to: row.to }, () => ({
    key: own.key,
    owners: [row.owner, ...(next === undefined ? [] : [next.owner])],
    processes: processOf(row, causes),
    summary: `${REMOVED[kind](quoted(own.key))}; its owner was ${quoted(row.owner)}${next === undefined ? '' : next.owner === row.owner ? ', which inserted it again' : `, the next one is ${quoted(next.owner)}`}.`,
    cause: causes.ofRowEnd(row),
    lines: [row.ended, ...row.lines, next?.inserted ?? next?.lines[0]],
  }));
}

const REMOVED = {
  'table-dropped': (key: string) => `The locks table was dropped, and with it the row of ${key}`,
  'row-deleted': (key: string) => `The row of ${key} was deleted outside Locket`,
  'logs-incomplete': (key: string) => `No line shows how the row of ${key} ended`,
};
