// How the clients of a game and their lock are at a moment, and the sentence above the stage.

import { type Caption, gameCaption, type Moment, presenceCaption } from '../core/sentences.js';
import { isWithin, LETTERS, type Recorded } from '../story/run.js';
import { believersAt, type Made } from './made.js';
import { presenceMoment } from './presence.js';

/**
 * The sentence of a moment; `undefined` before anything was done to a presence.
 *
 * @param sinceMs what happened before then is not said
 * @param isHeld whether the visitor holds a client right now
 */
export function captionAt({ run, facts, presence }: Made, sinceMs: number, atMs: number, isHeld: boolean): Caption | undefined {
  if (presence !== undefined) return presenceCaption(presenceMoment(presence, atMs), presence.facts);
  return gameCaption(momentAt(run, atMs), facts.filter((fact) => fact.atMs >= sinceMs && fact.atMs <= atMs), isHeld);
}

function momentAt(run: Recorded, timeMs: number): Moment {
  const owner = run.holders.find((span) => isWithin(span, timeMs))?.client;
  const believers = believersAt(run, timeMs);
  const clients = LETTERS.map((name): Moment['clients'][number] => ({
    name, believes: believers.includes(name), status: run.outages.find((outage) => outage.client === name && isWithin(outage, timeMs))?.status ?? 'running',
  }));
  return { timeMs, clients, row: owner && { owner, endsMs: run.renewals.findLast(({ atMs }) => atMs <= timeMs)?.endsMs } };
}
