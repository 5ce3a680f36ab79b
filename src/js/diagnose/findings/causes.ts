// Why a client lost its lock, a row expired, or a key had no holder: causes from other facts of
// the same period.

import type { KeyCase } from '../case.js';
import type { Belief, Client } from '../clients.js';
import type { FindingKind } from '../model.js';
import type { RowLife } from '../rows.js';
import { type Circumstance, explaining } from './circumstances.js';
import { errorKindOf } from './errors.js';
import { type Cause, quoted, span, UNKNOWN } from './finding.js';

/** How far a circumstance reaches: its effect may show up to one lease later. */
const REACH_MS = 20_000;
const OF_TIMEOUT: FindingKind[] = ['database-slow', 'locket-frozen', 'slow-replies', 'locket-crash', 'locket-restart', 'slow-requests', 'database-outage'];
const OF_REFUSAL: FindingKind[] = ['locket-crash', 'locket-restart', 'port-in-use', 'database-outage'];

/** Finds causes for one key. */
export class Causes {
  constructor(
    readonly own: KeyCase,
    readonly circumstances: readonly Circumstance[],
  ) {}

  /** Why a belief ended. */
  ofEnd(belief: Belief): Cause {
    const { client, end, lost } = belief;
    if (end === 'stopped') return { kind: 'planned-stop', words: `${client.name} was stopped.` };
    if (end === 'lost' && lost !== undefined) return this.#ofLoss(belief, lost.error);
    const row = this.rowUnder(belief);
    if (row?.end === 'unseen' || row?.end === 'table-missing') return this.ofRowEnd(row);
    if (end === 'vanished' || end === 'restarted') return vanished(client, end === 'restarted');
    return UNKNOWN;
  }

  #ofLoss(belief: Belief, error: string): Cause {
    switch (errorKindOf(error)) {
      case 'collision':
        return this.#ofCollision(belief);
      case 'table-missing':
        return { kind: 'table-dropped', words: 'The locks table no longer existed.' };
      case 'database-down':
        return { kind: 'database-outage', words: 'Locket could not reach its database.' };
      case 'database-slow':
        return { kind: 'database-slow', words: "Locket's database answered too late." };
      case 'no-locket':
        return this.#around(belief, OF_REFUSAL) ?? { kind: 'locket-crash', words: 'No Locket listened at the address of the client.' };
      case 'timeout':
        return this.#around(belief, OF_TIMEOUT) ?? { kind: 'slow-requests', words: 'The renewal was not answered in time.' };
      default:
        return { kind: 'unknown', words: `Its renewal failed: ${error.slice(0, 120)}` };
    }
  }

  /** Another owner has the row: the cause is the end of the client's own row. */
  #ofCollision(belief: Belief): Cause {
    const row = this.rowUnder(belief);
    if (row === undefined) return { kind: 'unknown', words: 'Another owner had the row; no line shows how it got the row.' };
    const other = this.own.clients.find((client) => client !== belief.client && client.owner === belief.client.owner);
    if (row.end === 'released' && other !== undefined) {
      return { kind: 'same-owner-name', words: `${other.name} has the same owner name, and released the row of both.` };
    }
    return row.end === 'expired' ? this.ofExpiry(row) : this.ofRowEnd(row);
  }

  /** Why a row ended. */
  ofRowEnd(row: RowLife): Cause {
    if (row.end === 'expired') return this.ofExpiry(row);
    if (row.end === 'released') return { kind: 'planned-stop', words: 'The client released it.' };
    if (row.end === 'table-missing') return { kind: 'table-dropped', words: 'The locks table was dropped.' };
    if (!this.own.isLocketMissing && isFoundByLook(this.own.rows[this.own.rows.indexOf(row) + 1])) {
      return { kind: 'unknown', words: 'The next poll of the table found another owner; no line shows how it got the row.' };
    }
    if (row.end === 'gone') return { kind: 'unknown', words: 'A poll of the table did not find the row: it expired, was released or was deleted.' };
    if (this.own.isLocketMissing) return { kind: 'logs-incomplete', words: 'The log of a Locket process, or a part of it, is missing.' };
    return {
      kind: 'row-deleted',
      words: 'No Locket deleted the row: an operator deleted it with SQL, the database lost commits in a failover, or the log of another Locket is missing.',
    };
  }

  /** Why a row was not renewed. */
  ofExpiry(row: RowLife): Cause {
    const belief = this.beliefOver(row);
    if (belief === undefined) return { kind: 'holder-vanished', words: `The owner ${quoted(row.owner)} did not renew it; its own log is missing.` };
    const { client } = belief;
    if (belief.isInferred) return { kind: 'holder-vanished', words: `${client.name} stopped renewing: it was killed, crashed, frozen or cut off. Its own log would show which.` };
    const isRefused = belief.lost !== undefined && errorKindOf(belief.lost.error) === 'collision';
    if (belief.end === 'lost' && !isRefused && belief.to.ms < row.to.ms) return this.ofEnd(belief);
    if (belief.end === 'stopped' && belief.to.ms < row.to.ms) return { kind: 'planned-stop', words: `${client.name} stopped and could not release its row.` };
    if (belief.to.ms > row.to.ms && belief.end !== 'restarted') return this.#frozen(row, belief);
    return vanished(client, belief.end === 'restarted');
  }

  /** It believed on after its row ended, and tried nothing: its log has every failed attempt. */
  #frozen(row: RowLife, { client, lost }: Belief): Cause {
    const frozen = this.#around({ to: row.to }, ['locket-frozen', 'database-slow', 'slow-replies']);
    if (frozen !== undefined && lost !== undefined && errorKindOf(lost.error) !== 'collision') return frozen;
    const since = row.renewed === undefined ? '' : ` since its renewal ${span(row.to.ms - row.renewed.ms)} before`;
    return { kind: 'holder-frozen', words: `${client.name} was frozen longer than its lease (or its machine was suspended): it tried no renewal${since}, and continued later.` };
  }

  #around({ to }: Pick<Belief, 'to'>, kinds: readonly FindingKind[]): Cause | undefined {
    return explaining(this.circumstances, kinds, to, REACH_MS)?.because;
  }

  /** The client's belief that began with a row, or was there when it ended. */
  beliefOver(row: RowLife): Belief | undefined {
    const own = this.own.beliefs.filter(({ client, from }) => client.owner === row.owner && from.ms <= row.to.ms);
    return own.filter(({ to }) => to.ms >= row.from.ms).at(-1);
  }

  /** The last row of a belief's owner that began before the belief ended. */
  rowUnder({ client, from, to }: Belief): RowLife | undefined {
    return this.own.rows.filter((row) => row.owner === client.owner && row.from.ms <= to.ms && row.to.ms >= from.ms).at(-1);
  }
}

/** Whether nothing but a look at the table tells of the beginning of a row. */
export const isFoundByLook = (row: RowLife | undefined): boolean => row?.lines[0]?.kind === 'look-found';

function vanished(client: Client, isRestarted: boolean): Cause {
  const later = isRestarted ? ' It was started again later.' : '';
  return {
    kind: 'holder-vanished',
    words: `${client.name} ended without a log line: it was killed or crashed${isRestarted ? '' : ', or is frozen until the end of the logs'}.${later}`,
  };
}
