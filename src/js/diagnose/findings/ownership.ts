// The holders of a key: two at the same time, or none.

import type { Case, KeyCase } from '../case.js';
import type { Belief } from '../clients.js';
import { endOf } from '../errors/error.js';
import { earlier, isBefore, isExact, later, shifted } from '../instant.js';
import type { Certainty } from '../model.js';
import type { RowLife } from '../rows.js';
import { type Causes, isOfTwo } from './causes.js';
import { type Cause, certainly, type Found, found, LEAST_MS, lesser, listed, quoted, type Span, span, type Told } from './finding.js';

/** A client learns of its row within this time. */
const NEAR_MS = 1_000;

/** Clocks drift by this much between the lines that show their difference. */
const LEAST_SURE_MS = 100;

// -- two owners

export function twoOwners(own: KeyCase, causes: Causes): Found[] {
  return pairs(own.beliefs).flatMap(([a, b]) => {
    const from = later(a.from, b.from);
    const to = earlier(a.to, b.to);
    const isCertain = isBefore(shifted(from, LEAST_SURE_MS), to);
    const isDoubted = a.isInferred || b.isInferred || a.end === 'vanished' || b.end === 'vanished';
    if (isDoubted && !isCertain) return doubtedOverlap(own, a, b, causes);
    if (to.ms - from.ms < LEAST_MS) return [];
    const row = causes.rowUnder(a);
    const isProved = isCertain && !isConfused(a, b) && ![a, b].some((belief) => isBack(own, belief)) && isTied(a, b, causes.whole);
    const isContested = isSilent(a, b, row, causes.whole) || isEarly(own, b) || (!isProved && own.rows.some((its) => its.owner === a.client.owner && isOfTwo(its)));
    const certainty: Certainty = isContested ? 'possible' : isProved ? 'certain' : lesser(causes.likelihood(a), causes.likelihood(b));
    const time = { from, to, isOpen: a.end === 'open' && b.end === 'open' };
    return [found('incident', 'two-owners', certainty, time, () => overlap(own, a, b, time, causes))];
  });
}

/** True if nothing shows that the first holder went on: its row was released, or its log has no line of that time. */
function isSilent(a: Belief, b: Belief, row: RowLife | undefined, { clocks }: Case): boolean {
  const { machine } = a.client;
  if (a.end === 'running') return row?.end === 'released';
  if (a.end !== 'open' && a.end !== 'restarted') return false;
  return (a.end === 'open' && !isOfSame(a, b)) || machine === undefined || !clocks.isAlive(machine, b.from.ms, a.to.ms);
}

/** True if both ends of an overlap are those of one machine, or lines compare the clocks there. */
function isTied(a: Belief, b: Belief, { clocks }: Case): boolean {
  const isFirst = b.end === 'open' || (a.end !== 'open' && a.to.ms < b.to.ms);
  const [begin, end] = [a.from.ms < b.from.ms ? b.lines[0] : a.lines[0], (isFirst ? a : b).lines.at(-1)];
  return begin === undefined || end === undefined || begin.machine === end.machine || (clocks.isTied(begin) && clocks.isTied(end));
}

/** True if a holder went on after the row that followed its own: if lines are missing, it may have lost its lock and got it again. */
function isBack({ rows }: KeyCase, { client: { owner }, from, to }: Belief): boolean {
  return rows.some(({ owner: its, to: end, next }) => its === owner && end.ms > from.ms && next !== undefined && next.owner !== owner && next.to.ms < to.ms);
}

/** True if a belief began before any row of its owner was inserted: a clock was wrong, or lines are missing. */
function isEarly({ rows }: KeyCase, { client: { owner }, from }: Belief): boolean {
  const first = rows.find((row) => row.owner === owner && row.inserted !== undefined);
  return first !== undefined && first.from.ms > from.ms + NEAR_MS;
}

/** Beliefs of two clients, in the order of their beginning. */
type Pair = readonly [Belief, Belief];

/** Of beliefs in their order, those that may overlap: each with those that began before it ended. */
function pairs(beliefs: readonly Belief[]): Pair[] {
  const all: Pair[] = [];
  let running: Belief[] = [];
  for (const belief of beliefs) {
    running = running.filter(({ to }) => (to.latestMs ?? Infinity) > (belief.from.earliestMs ?? belief.from.ms));
    for (const other of running) if (other.client !== belief.client) all.push([other, belief]);
    running.push(belief);
  }
  return all;
}

function overlap(own: KeyCase, a: Belief, b: Belief, { from, to }: Span, causes: Causes): Told {
  const row = causes.rowUnder(a);
  const cause = causeOf(a, b, row, causes);
  const bothMs = bothRunning(a, { from, to }, cause);
  const running = bothMs === null ? '' : ` Both were running for at most ${span(bothMs)} of it.`;
  const names = listed([a.client.name, b.client.name]);
  return {
    ...partsOf(own, a, b),
    bothRunningMaxMs: bothMs === null ? null : Math.round(bothMs),
    summary: `Two owners of ${quoted(own.key)} for ${span(to.ms - from.ms)}: ${names} both believed to hold it${isOfSame(a, b) ? ', with the same owner name' : ''}.${running}`,
    cause,
    lines: [a.lines[0], b.lines[0], ...a.lines.slice(1), ...b.lines.slice(1), ...(row?.lines ?? [])],
  };
}

function causeOf(a: Belief, b: Belief, row: RowLife | undefined, causes: Causes): Cause {
  if (isOfSame(a, b)) return certainly('same-owner-name', `Both use the owner name ${quoted(a.client.owner)}: Locket treats the second one's Lock as a renewal.`);
  return a.end === 'lost' || row === undefined ? causes.ofEnd(a) : causes.ofRowEnd(row);
}

/** Who takes part in a finding about beliefs. */
function partsOf({ key }: KeyCase, ...beliefs: (Belief | undefined)[]): Pick<Told, 'key' | 'owners' | 'processes'> {
  const clients = beliefs.flatMap((belief) => belief?.client ?? []);
  return { key, owners: clients.map(({ owner }) => owner), processes: clients.map(({ name }) => name) };
}

const isOfSame = (a: Belief, b: Belief): boolean => a.client.owner === b.client.owner;

/** True if nothing tells some lines of two beliefs apart, or their order: those of one owner name, or mixed up, by a clock that was set. */
function isConfused(a: Belief, b: Belief): boolean {
  return [a, b].some(({ client: { machine } }) => machine !== undefined && machine.clocks.length > 1 && (isOfSame(a, b) || !machine.isInOrder));
}

/** A holder that was frozen and then refused ran only while its last call was under way. */
function bothRunning(a: Belief, { from, to }: Span, cause: Cause): number | null {
  const wholeMs = to.ms - from.ms;
  if (cause.kind === 'holder-frozen') return a.lost?.tookMs === undefined ? null : Math.min(wholeMs, a.lost.tookMs);
  if (cause.kind === 'unknown' || cause.kind === 'logs-incomplete') return null;
  return wholeMs;
}

/** The former holder says nothing: it may have believed on if it was frozen or if its log is missing. */
function doubtedOverlap(own: KeyCase, a: Belief, b: Belief, causes: Causes): Found[] {
  // A client that says nothing of a lost lock was dead or frozen then; only without its log it may have gone on.
  const isSilent = !a.isInferred && a.end !== 'open';
  if (isSilent || isOfSame(a, b) || a.end === 'stopped' || b.from.ms < a.from.ms) return [];
  const row = causes.rowUnder(a);
  if (row === undefined || row.end === 'open') return [];
  const { from } = b;
  const told = () => ({
    ...partsOf(own, a, b),
    summary: `Two owners of ${quoted(own.key)} are possible from here on: ${b.client.name} took it, and no log of ${a.client.name} shows when its belief ended.`,
    cause: causes.ofRowEnd(row),
    lines: [...row.lines, b.lines[0]],
  });
  return [found('warning', 'two-owners', 'possible', { from, to: { ...from, latestMs: null } }, told)];
}

// -- no holder

export function nobodyHolding(own: KeyCase, whole: Case, causes: Causes): Found[] {
  const gaps: Found[] = [];
  let last: Belief | undefined;
  for (const belief of own.beliefs) {
    if (last !== undefined && belief.from.ms - last.to.ms >= LEAST_MS && !isOfLook(last, causes)) gaps.push(nobody(own, last, belief, causes));
    if (last === undefined || belief.to.ms > last.to.ms || (belief.end === 'open' && last.end !== 'open')) last = belief;
  }
  if (last !== undefined && last.end !== 'open' && !isOfLook(last, causes) && whole.endMs - last.to.ms >= LEAST_MS) {
    gaps.push({ ...nobody(own, last, undefined, causes), to: { ms: whole.endMs, earliestMs: last.to.earliestMs, latestMs: null }, isOpen: true });
  }
  return gaps;
}

/** True if only a look at the table shows its end: of clients that shows nothing, and the finding about the row says all. */
function isOfLook(belief: Belief, causes: Causes): boolean {
  return belief.isInferred && causes.rowUnder(belief)?.end === 'gone';
}

function nobody(own: KeyCase, before: Belief, after: Belief | undefined, causes: Causes): Found {
  const from = before.to;
  const to = after?.from ?? before.to;
  const cause = causes.ofEnd(before);
  const isRestart = before.end === 'restarted' && after?.client === before.client && causes.rowUnder(before)?.end === 'open';
  // Who is refused is so for the sake of another holder.
  const isTaken = (before.lost !== undefined && endOf(before.lost).kind === 'collision') || own.rows.some((row) => isOfOther(row, before, after) && !isUnaware(own, row));
  // No log shows that there was no other Locket with other clients, so it is never certain.
  const certainty = before.isInferred || after?.isInferred === true || isTaken ? 'possible' : causes.likelihood(before);
  const lasted = after === undefined ? 'until the end of the logs' : `for ${isExact(from) && isExact(to) ? '' : 'about '}${span(to.ms - from.ms)}`;
  return found(cause.kind === 'planned-stop' || isRestart ? 'note' : 'incident', 'nobody-holding', certainty, { from, to }, () => ({
    ...partsOf(own, before, after),
    summary: `No client held ${quoted(own.key)} ${lasted}: ${endWords(before)}${after === undefined ? '' : `, and ${after.client === before.client ? 'got it again' : `${after.client.name} got it`} ${after.isInferred ? 'at the earliest ' : ''}then`}.`,
    cause,
    lines: [...before.lines.slice(-1), ...(after?.lines.slice(0, 1) ?? []), ...(causes.rowUnder(before)?.lines ?? [])],
  }));
}

/** True if another client had the row between two beliefs. */
function isOfOther({ owner, from, to }: RowLife, before: Belief, after: Belief | undefined): boolean {
  const untilMs = after === undefined ? Infinity : after.from.ms - NEAR_MS;
  return owner !== before.client.owner && to.ms > before.to.ms + LEAST_MS && from.ms < untilMs && to.ms - Math.max(from.ms, before.to.ms) >= LEAST_SURE_MS;
}

/** True if a line says that the request for a row failed for its client. */
function isUnaware({ clients }: KeyCase, { inserted }: RowLife): boolean {
  return inserted !== undefined && inserted.uuid !== '' && clients.some(({ events }) => events.some(({ kind, uuid }) => kind === 'client-failed' && uuid === inserted.uuid));
}

function endWords({ client, end }: Belief): string {
  if (end === 'lost') return `${client.name} lost it`;
  if (end === 'stopped' || end === 'ended') return `${client.name} gave it up`;
  return `${client.name} ended or froze without a log line`;
}
