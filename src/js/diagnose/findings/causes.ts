// Why a client lost its lock, a row expired, or a key had no holder: causes from other facts of
// the same period.

import type { Case, KeyCase } from '../case.js';
import type { Belief } from '../clients.js';
import { endOf } from '../errors/error.js';
import type { LogEvent } from '../evidence.js';
import { isExact } from '../instant.js';
import type { Certainty } from '../model.js';
import type { RowLife } from '../rows.js';
import { type Circumstance, explanationOf, near } from './circumstance.js';
import { type Cause, causeOf, certainly, likely, quoted, span, UNKNOWN, unknown } from './finding.js';

/** Finds causes for one key. */
export class Causes {
  constructor(
    readonly own: KeyCase,
    readonly circumstances: readonly Circumstance[],
    readonly whole: Case,
  ) {}

  /** Why a belief ended. */
  ofEnd(belief: Belief): Cause {
    const { client, end, lost } = belief;
    if (end === 'stopped') return certainly('planned-stop', `${client.name} was stopped.`);
    if (end === 'lost' && lost !== undefined) return this.#ofLoss(belief, lost);
    const row = this.rowUnder(belief);
    if (row?.end === 'unseen' || row?.end === 'table-missing') return this.ofRowEnd(row);
    if (end === 'vanished' || end === 'restarted') return this.#vanished(belief);
    return UNKNOWN;
  }

  #ofLoss(belief: Belief, lost: LogEvent): Cause {
    const meaning = endOf(lost);
    if (meaning.kind === 'collision') return this.#ofCollision(belief);
    return explanationOf(meaning.kind, this.circumstances, belief.to, lost.tookMs) ?? causeOf(meaning);
  }

  /** Another owner has the row: the cause is the end of the client's own row. */
  #ofCollision(belief: Belief): Cause {
    const row = this.rowUnder(belief);
    if (row === undefined) return unknown('Another owner had the row; no line shows how it got the row.');
    const other = this.own.clients.find((client) => client !== belief.client && client.owner === belief.client.owner);
    if (row.end === 'released' && other !== undefined) {
      return likely('same-owner-name', `${other.name} has the same owner name, and released the row of both.`);
    }
    if (row.end === 'released') return likely('same-owner-name', 'Its row was released, and not by it: another program used the same owner name, or an operator did it.');
    return row.end === 'expired' ? this.ofExpiry(row) : this.ofRowEnd(row);
  }

  /** Why a row ended. */
  ofRowEnd(row: RowLife): Cause {
    if (row.end === 'expired') return this.ofExpiry(row);
    if (row.end === 'released') return certainly('planned-stop', 'The client released it.');
    if (row.end === 'table-missing') return certainly('table-dropped', 'The locks table was dropped.');
    if (!this.own.isLocketMissing && isFoundByLook(row.next)) {
      return unknown('The next poll of the table found another owner; no line shows how it got the row.');
    }
    if (row.end === 'gone') return unknown('A poll of the table did not find the row: it expired, was released or was deleted.');
    if (!this.whole.hasLocket) return unknown('Another owner had the row; no line shows how it got the row.');
    if (this.own.isLocketMissing) return likely('logs-incomplete', 'The log of a Locket process, or a part of it, is missing, or a clock was wrong.');
    const others = isOfTwo(row) ? ' Or these are two deployments: diagnose each alone.' : '';
    const words = `No Locket deleted the row: an operator deleted it with SQL, the database lost commits in a failover, or the log of another Locket is missing.${others}`;
    return { kind: 'row-deleted', words, certainty: isSeen(row) ? 'likely' : 'possible' };
  }

  /** Why a row was not renewed. */
  ofExpiry(row: RowLife): Cause {
    const belief = this.beliefOver(row);
    if (belief === undefined || belief.isInferred) {
      return { kind: 'holder-vanished', words: `The owner ${quoted(row.owner)} did not renew it: it was killed, crashed, frozen or cut off. Its own log would show which.`, certainty: 'possible' };
    }
    const { client } = belief;
    if (belief.end === 'ended' || belief.end === 'running') return UNKNOWN;
    if (this.#isTooSlow(row, belief)) return likely('bad-settings', `${client.name} renewed it too late each time: its retry interval, or its calls, are too long for its TTL.`);
    const { lost } = belief;
    // A call that had begun before shows that it tried to renew it; one that took longer was frozen meanwhile.
    const triedMs = belief.to.ms - Math.min(lost?.tookMs ?? 0, this.own.ttlMs ?? 0);
    if (lost !== undefined && endOf(lost).kind !== 'collision' && triedMs < row.to.ms) {
      // What was renewed after that was held again, and no line shows how it ended.
      return (row.renewed?.ms ?? 0) > belief.to.ms + LATE_MS ? { ...this.ofEnd(belief), certainty: 'possible' } : this.ofEnd(belief);
    }
    if (belief.end === 'stopped' && belief.to.ms < row.to.ms) return certainly('planned-stop', `${client.name} stopped and could not release its row.`);
    if (belief.to.ms > row.to.ms && belief.end !== 'restarted') return this.#frozen(row, belief);
    return this.#vanished(belief);
  }

  /** True if a holder has inserted one row after the other, and renewed none. */
  #isTooSlow(row: RowLife, { from, to }: Belief): boolean {
    const isBeside = (other: RowLife) => (other === row.next && to.ms >= other.from.ms) || (other.next === row && from.ms <= other.to.ms);
    return row.index === 1 && this.own.rows.some((other) => other.owner === row.owner && other.index === 1 && isBeside(other));
  }

  /** It believed on after its row ended, and tried nothing: its log has every failed attempt. */
  #frozen(row: RowLife, belief: Belief): Cause {
    const { client, lost } = belief;
    const around = near(['locket-frozen', 'database-slow', 'slow-replies'], this.circumstances, row.to);
    if (around !== undefined && lost !== undefined && endOf(lost).kind !== 'collision') return around;
    const lateMs = belief.from.ms - row.from.ms;
    if (row.inserted !== undefined && lateMs > LATE_MS && row.from.latestMs !== null && belief.from.earliestMs !== null) return likely('slow-replies', `${client.name} learned ${span(lateMs)} late that it had the row: the answer was slow, and there was no time left to renew it.`);
    const renewedMs = renewedBefore(row);
    const since = renewedMs === undefined ? '' : ` since its renewal ${span(renewedMs)} before`;
    if (this.#isAwake(row, belief)) return isExact(belief.to) ? unknown(`${client.name} tried no renewal${since}, though it was running: it logged other lines in that time.`) : UNKNOWN;
    const words = `${client.name} was frozen longer than its TTL (or its machine was suspended): it tried no renewal${since}, and continued later.`;
    return { kind: 'holder-frozen', words, certainty: this.likelihood(belief) };
  }

  /** How sure is what follows from the times of a belief, if these are not proved. */
  likelihood({ client: { machine } }: Belief): Certainty {
    return machine !== undefined && this.whole.clocks.isGuessed(machine) ? 'possible' : 'likely';
  }

  /** True if a line shows that a client ran in the time in which it should have renewed its row. */
  #isAwake({ to, renewed }: RowLife, { client: { machine }, to: end, lost }: Belief): boolean {
    // Its clock may have stood still while its machine did.
    if (lost !== undefined && this.whole.clocks.instantOf(lost).ms < end.ms) return false;
    const { ttlMs = 0, retryIntervalMs = ttlMs / 3 } = this.own;
    const sinceMs = renewed === undefined ? to.ms - ttlMs / 3 : Math.min(renewed.ms + retryIntervalMs, to.ms);
    return machine !== undefined && this.whole.clocks.isAlive(machine, sinceMs + AWAKE_MS, to.ms - AWAKE_MS);
  }

  /** A holder that said nothing more of its lock. */
  #vanished(belief: Belief): Cause {
    const { client } = belief;
    const [frozen, later] = belief.end === 'restarted' ? ['', ' It was started again later.'] : [', or is frozen until the end of the logs', ''];
    return { kind: 'holder-vanished', words: `${client.name} ended without a log line: it was killed or crashed${frozen}.${later}`, certainty: this.likelihood(belief) };
  }

  /** The client's belief that began with a row, or was there when it ended. */
  beliefOver(row: RowLife): Belief | undefined {
    return this.own.beliefs.findLast(({ client, from, to }) => client.owner === row.owner && from.ms <= row.to.ms && to.ms >= row.from.ms);
  }

  /** The last row of a belief's owner that began before the belief ended. */
  rowUnder({ client, from, to }: Belief): RowLife | undefined {
    return this.own.rows.findLast((row) => row.owner === client.owner && row.from.ms <= to.ms && row.to.ms >= from.ms);
  }
}

/** Near its ends, a freeze may have lines. */
const AWAKE_MS = 200;
/** An answer that takes less leaves time for further renewals within any TTL, which has whole seconds. */
const LATE_MS = 1_000;

/** How long before its end a row was renewed for the last time, if both moments are known well enough. */
export const renewedBefore = ({ renewed, to }: RowLife): number | undefined => (renewed !== undefined && isExact(renewed) && isExact(to) ? to.ms - renewed.ms : undefined);

/** True if a row, whose end no line shows, was followed by that of another Locket, which may be that of another deployment. */
export function isOfTwo({ end, inserted, next }: RowLife): boolean {
  return end === 'unseen' && inserted !== undefined && next?.inserted !== undefined && next.inserted.machine !== inserted.machine;
}

/** True if one Locket tells of both rows, by a clock that is known. */
export function isSeen(row: RowLife): boolean {
  const { inserted, to, next } = row;
  return !isOfTwo(row) && inserted !== undefined && next?.inserted !== undefined && to.earliestMs !== null && to.latestMs !== null;
}

/** True if nothing but a look at the table tells of the beginning of a row. */
export const isFoundByLook = (row: RowLife | undefined): boolean => row?.lines[0]?.kind === 'look-found';
