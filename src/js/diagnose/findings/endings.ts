// How locks were lost and rows ended: losses, expiries, rows deleted outside Locket, hand-overs,
// restarts.

import type { KeyCase } from '../case.js';
import type { Belief } from '../clients.js';
import { endOf } from '../errors/error.js';
import type { LogEvent } from '../evidence.js';
import type { FindingKind } from '../model.js';
import type { RowLife } from '../rows.js';
import { type Causes, isFoundByLook, isSeen } from './causes.js';
import { certainly, type Found, likely, quoted, span, unknown } from './finding.js';

/** A presence that comes and goes this often flaps. */
const FLAPPING_MIN = 3;

/** All of a key. */
export function endingFindings(own: KeyCase, causes: Causes): Found[] {
  return [...losses(own, causes), ...rowEnds(own, causes), ...restarts(own, causes), ...flapping(own)];
}

function losses(own: KeyCase, causes: Causes): Found[] {
  return own.beliefs.flatMap((belief) => (belief.lost === undefined ? [] : [loss(own, belief, belief.lost, causes)]));
}

function loss(own: KeyCase, belief: Belief, lost: LogEvent, causes: Causes): Found {
  const { client, to } = belief;
  const error = endOf(lost);
  const kind: FindingKind = error.kind === 'collision' ? 'lost-by-collision' : error.code === 'DeadlineExceeded' ? 'lost-by-timeout' : 'lost-by-error';
  return {
    kind,
    severity: 'incident',
    certainty: 'certain',
    from: to,
    to,
    tell: () => ({
      key: own.key,
      owners: [client.owner],
      processes: [client.name],
      summary: `${client.name} lost ${quoted(own.key)}: ${lost.kind === 'client-exited' && lost.isOfOther ? 'its process ended with a failure' : HOW[kind]}${lost.tookMs === undefined ? '' : ` (after ${span(lost.tookMs)})`}.`,
      cause: causes.ofEnd(belief),
      lines: [lost, ...(causes.rowUnder(belief)?.lines ?? [])],
    }),
  };
}

const HOW: Partial<Record<FindingKind, string>> = {
  'lost-by-collision': 'its renewal was refused: another owner has the row',
  'lost-by-timeout': 'its renewal was not answered in time',
  'lost-by-error': 'its renewal failed',
};

function rowEnds(own: KeyCase, causes: Causes): Found[] {
  return own.rows.flatMap((row): Found[] => {
    const { next } = row;
    if (row.end === 'expired') return [expiry(own, row, causes)];
    if (row.end === 'released') return next === undefined ? [] : [handOver(own, row, next, causes)];
    if (row.end === 'table-missing') return [removal(own, row, causes, 'table-dropped')];
    // Without any log of Locket, nothing shows that it did not delete the row.
    if (row.end === 'unseen' && !causes.whole.hasLocket) return [];
    // Polls of the table show that another row is there, but not how.
    if (row.end === 'unseen' && isFoundByLook(next) && !own.isLocketMissing) return [];
    if (row.end === 'unseen' && next !== undefined) return [removal(own, row, causes, own.isLocketMissing ? 'logs-incomplete' : 'row-deleted')];
    return [];
  });
}

function expiry(own: KeyCase, row: RowLife, causes: Causes): Found {
  const renewed = () => (row.renewed === undefined ? '' : `; its last renewal was about ${span(row.to.ms - row.renewed.ms)} before`);
  return {
    kind: 'expired',
    severity: 'incident',
    certainty: 'certain',
    from: row.to,
    to: row.to,
    tell: () => ({
      key: own.key,
      owners: [row.owner],
      processes: processOf(row, causes),
      summary: `The row of ${quoted(own.key)} expired, owned by ${quoted(row.owner)}${renewed()}.`,
      cause: causes.ofExpiry(row),
      lines: [row.ended, ...row.lines],
    }),
  };
}

const processOf = (row: RowLife, causes: Causes) => {
  const belief = causes.beliefOver(row);
  return belief === undefined ? [] : [belief.client.name];
};

function handOver(own: KeyCase, row: RowLife, next: RowLife, causes: Causes): Found {
  return {
    kind: 'hand-over',
    severity: 'note',
    certainty: 'certain',
    from: row.to,
    to: next.from,
    tell: () => ({
      key: own.key,
      owners: [row.owner, next.owner],
      processes: [...processOf(row, causes), ...processOf(next, causes)],
      summary: `${quoted(own.key)} was handed over cleanly: ${quoted(row.owner)} released it, and ${quoted(next.owner)} took it ${span(Math.max(0, next.from.ms - row.to.ms))} later.`,
      cause: certainly('planned-stop', 'The holder was stopped.'),
      lines: [row.ended, next.inserted ?? next.lines[0]],
    }),
  };
}

/** A row that another one has replaced without a line that deletes it. Lines can be missing, so it is never certain. */
function removal(own: KeyCase, row: RowLife, causes: Causes, kind: keyof typeof REMOVED): Found {
  const { next } = row;
  return {
    kind,
    severity: kind === 'logs-incomplete' ? 'warning' : 'incident',
    certainty: kind === 'table-dropped' ? 'certain' : isSeen(row) ? 'likely' : 'possible',
    from: row.to,
    to: row.to,
    tell: () => ({
      key: own.key,
      owners: [row.owner, ...(next === undefined ? [] : [next.owner])],
      processes: processOf(row, causes),
      summary: `${REMOVED[kind](quoted(own.key))}; its owner was ${quoted(row.owner)}${next === undefined ? '' : `, the next one is ${quoted(next.owner)}`}.`,
      cause: causes.ofRowEnd(row),
      lines: [row.ended, ...row.lines, next?.inserted ?? next?.lines[0]],
    }),
  };
}

const REMOVED = {
  'table-dropped': (key: string) => `The locks table was dropped, and with it the row of ${key}`,
  'row-deleted': (key: string) => `The row of ${key} was deleted outside Locket`,
  'logs-incomplete': (key: string) => `No line shows how the row of ${key} ended`,
};

/** A client that came back while its row was still there. */
function restarts(own: KeyCase, causes: Causes): Found[] {
  return own.clients.flatMap(({ beliefs }) => {
    return beliefs.flatMap((belief, index): Found[] => {
      const next = beliefs[index + 1];
      if (belief.end !== 'restarted' || next === undefined) return [];
      const row = causes.rowUnder(belief);
      if (row === undefined || row.to.ms < next.from.ms) return [];
      return [
        {
          kind: 'quick-restart',
          severity: 'note',
          certainty: 'likely',
          from: belief.to,
          to: next.from,
          tell: () => ({
            key: own.key,
            owners: [belief.client.owner],
            processes: [belief.client.name],
            summary: `${belief.client.name} was restarted and got ${quoted(own.key)} back: its row still existed.`,
            cause: likely('holder-vanished', 'It ended without a log line: it was killed or crashed, and started again within its lease.'),
            lines: [...belief.lines, ...next.lines],
          }),
        },
      ];
    });
  });
}

function flapping(own: KeyCase): Found[] {
  const inserted = own.rows.filter((row) => row.inserted !== undefined);
  const [first] = inserted;
  const last = inserted[inserted.length - 1];
  if (!own.isPresence || first === undefined || last === undefined || inserted.length < FLAPPING_MIN) return [];
  return [
    {
      kind: 'flapping-presence',
      severity: 'incident',
      certainty: 'certain',
      from: first.from,
      to: last.from,
      tell: () => ({
        key: own.key,
        owners: [...new Set(inserted.map(({ owner }) => owner))],
        summary: `The presence ${quoted(own.key)} flaps: it was announced ${inserted.length} times in ${span(last.from.ms - first.from.ms)}.`,
        cause: unknown('Its client keeps losing it; the findings about each loss give the cause.'),
        lines: inserted.map((row) => row.inserted),
      }),
    },
  ];
}
