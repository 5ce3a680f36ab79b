// How fast a beat plays: quiet time passes at 4 s of run time a second, and what flies or freezes takes the eye's time.

import type { Beat, Message, Recorded, Span, Write } from './run.js';

/** Before anything moves the visitor sees the new sentence; that of the first beat has stood there since the page arrived. */
const LEAD_MS = 400;
/** A message or a write on its way; and one of a kind that its client has sent before. */
const FLIGHT_MS = 600;
const ROUTINE_MS = 300;
/** A client freezes or wakes. */
const TURN_MS = 400;
/** A line tumbles out of the file. */
const TUMBLE_MS = 420;
const QUIET_SPEED = 4;

/** Run time that passes at one speed; times of the show count from the start of the beat. */
interface Stretch extends Span {
  startsMs: number;
  lastsMs: number;
}

/** The pace of a beat. */
export interface Pace {
  /** How long it plays, in milliseconds of the person who watches. */
  lastsMs: number;
  /** The run time at a moment of the show. */
  runMs(showMs: number): number;
}

/** @param leadMs how long the new sentence stands before anything moves */
export function paceOf(run: Recorded, beat: Beat, leadMs = LEAD_MS): Pace {
  const stretches = stretchesOf(run, beat, leadMs);
  const last = stretches.at(-1);
  const lastsMs = last === undefined ? 0 : last.startsMs + last.lastsMs;
  return {
    lastsMs,
    runMs(showMs) {
      const stretch = stretches.find(({ startsMs, lastsMs: length }) => showMs < startsMs + length);
      if (stretch === undefined) return beat.toMs;
      const along = Math.max(showMs - stretch.startsMs, 0) / stretch.lastsMs;
      return stretch.fromMs + eased(along, stretch) * (stretch.toMs - stretch.fromMs);
    },
  };
}

/** Flights start and land softly; other time passes evenly. */
function eased(along: number, { fromMs, toMs, lastsMs }: Stretch): number {
  const isFlight = (toMs - fromMs) * QUIET_SPEED < lastsMs;
  return isFlight ? along * along * (3 - 2 * along) : along;
}

function stretchesOf(run: Recorded, beat: Beat, leadMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  let [nowMs, showMs] = [beat.fromMs, 0];
  const pass = (toMs: number, lastsMs: number): void => {
    if (lastsMs <= 0) return;
    stretches.push({ fromMs: nowMs, toMs, startsMs: showMs, lastsMs });
    [nowMs, showMs] = [toMs, showMs + lastsMs];
  };
  if (beat.fromMs > 0) pass(nowMs, leadMs);
  for (const slow of slowSpans(run, beat)) {
    pass(slow.fromMs, (slow.fromMs - nowMs) / QUIET_SPEED);
    pass(Math.max(slow.toMs, nowMs), slow.lastsMs);
  }
  pass(beat.toMs, (beat.toMs - nowMs) / QUIET_SPEED);
  return stretches;
}

/** The flights of one kind; a harmful write is never routine. */
function flightsOf(all: readonly (Message | Write)[]): (Span & { lastsMs: number })[] {
  return all.map((one, index) => {
    const isRoutine = all.slice(0, index).some((before) => before.client === one.client && kindOf(before) === kindOf(one));
    const isHarm = 'isStale' in one && one.isStale;
    return { fromMs: one.sentMs, toMs: one.arrivesMs, lastsMs: isRoutine && !isHarm ? ROUTINE_MS : FLIGHT_MS };
  });
}

function kindOf(one: Message | Write): string {
  return 'kind' in one ? one.kind : 'write';
}

/** The messages and writes that are shown for longer than they take, in order. Those in flight at the same time share a span. */
function slowSpans(run: Recorded, { fromMs, toMs }: Beat): (Span & { lastsMs: number })[] {
  const isInside = (atMs: number): boolean => fromMs <= atMs && atMs <= toMs;
  const flights = [...flightsOf(run.messages), ...flightsOf(run.writes)];
  const turns = run.outages.flatMap((outage) => [outage.fromMs, outage.toMs]).map((atMs) => ({ fromMs: atMs, toMs: atMs, lastsMs: TURN_MS }));
  const tumbles = run.writes.filter(({ over }) => over !== null).map(({ arrivesMs }) => ({ fromMs: arrivesMs, toMs: arrivesMs, lastsMs: TUMBLE_MS }));
  const slow = [...turns, ...flights, ...tumbles].filter((span) => isInside(span.fromMs) && isInside(span.toMs));
  const inOrder = slow.sort((one, other) => one.fromMs - other.fromMs || one.toMs - other.toMs);
  return inOrder.filter((span, index) => !inOrder.slice(0, index).some((before) => before.fromMs === span.fromMs && before.toMs === span.toMs));
}
