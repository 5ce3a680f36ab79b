// What came of a game: who did what, for how long there were two owners, and how a frozen client went on.

import { type AfterFreeze, type Needed, presenceResult, type Result, resultWords } from '../core/sentences.js';
import { isWithin, type Span } from '../story/run.js';
import { type Act, type Hold, holdOf } from './acts.js';
import { believersAt, type Made } from './made.js';
import type { Presence } from './presence.js';

/** The result of the acts, once the run has settled. */
export function resultLine(made: Made, acts: readonly Act[], who: Result['who'], needed: Needed): string {
  const about: Needed = acts.length === 1 ? needed : { is: 'unknown' };
  if (made.presence !== undefined) return presenceResult({ who, ...sumsOf(made.presence, made.overMs ?? made.run.endMs) }, about);
  return resultWords({ who, twoOwnersMs: sum(made.twoOwners), freeze: freezeOf(made, acts) }, about);
}

/** The only act, if it is a freeze. */
function freezeOf(made: Made, acts: readonly Act[]): Result['freeze'] {
  const hold = acts.length === 1 ? holdOf(acts) : undefined;
  return hold?.untilMs === undefined ? undefined : { client: hold.client, forMs: hold.untilMs - hold.atMs, after: afterOf(made, hold, hold.untilMs) };
}

function afterOf({ run }: Made, { client, atMs }: Hold, untilMs: number): AfterFreeze {
  if (!believersAt(run, atMs).includes(client)) return { is: 'no-owner' };
  const belief = run.beliefs.find((span) => span.client === client && isWithin(span, untilMs));
  if (belief === undefined) return { is: 'not-sure' };
  if (belief.toMs < run.endMs) return { is: 'stopped', afterMs: belief.toMs - untilMs };
  const held = run.holders.find((span) => span.client === client && isWithin(span, atMs));
  const renewal = run.renewals.find((it) => it.atMs > untilMs);
  return { is: held !== undefined && renewal !== undefined && isWithin(held, renewal.atMs) ? 'renewed' : 'taken-again' };
}

/** For how long A was cut off and missing, and its work ran twice, up to the end that is shown. */
function sumsOf({ run: { holders }, cuts, copies }: Presence, endMs: number): { missingMs: number; twiceMs: number; cutMs: number } {
  const within = (spans: readonly Span[]): number => sum(spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.max(Math.min(toMs, endMs), fromMs) })));
  const gaps = holders.map(({ toMs }, index) => ({ fromMs: toMs, toMs: holders[index + 1]?.fromMs ?? Infinity }));
  return { missingMs: within(gaps), twiceMs: within(copies), cutMs: within(cuts) };
}

function sum(spans: readonly Span[]): number {
  return spans.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
}
