// The sentences of a game: what happens now, and what came of it. Each follows from the run, and the numbers about freezes that were
// not tried from the package's safety margin.

import { length } from '../base/picture.js';

import { tenths } from '../base/time.js';
import { captionOf } from '../story/captions.js';
import { isWithin } from '../story/run.js';
import { type Act, type Hold, holdOf, type PlaySettings } from './acts.js';
import type { Caption } from './caption.js';
import { believersAt, type Made } from './made.js';
import { presenceCaption, presenceOutcome } from './presence.js';

/** @param stepMs the length of a freeze where nothing can be held */
export function taskOf({ isPresence = false }: PlaySettings, stepMs?: number): string {
  const [act, question] = isPresence ? ['cut it off', 'Will its work run twice?'] : ['freeze it', 'Can you make two owners?'];
  return stepMs === undefined ? `Hold A to ${act}. ${question}` : `Press A to ${act} for ${length(stepMs)}. ${question}`;
}

/**
 * The sentence above the stage at a moment; `undefined` before anything was done.
 *
 * @param acts what the visitor did; `undefined` for another run
 */
export function captionAt({ run, facts, twoOwners, presence }: Made, acts: readonly Act[] | undefined, atMs: number): Caption | undefined {
  if (presence !== undefined) return presenceCaption(presence, atMs);
  const first = acts === undefined ? { atMs: 0 } : acts[0];
  if (first === undefined) return undefined;
  const out = run.outages.find((outage) => isWithin(outage, atMs));
  const has = twoOwners.some((span) => isWithin(span, atMs));
  if (out !== undefined) return has ? { words: `Two owners: ${out.client} does not know. Let go.` } : frozenWords({ run }, out.client, atMs);
  const since = facts.filter((fact) => fact.atMs >= first.atMs && fact.atMs <= atMs);
  return since.length === 0 ? undefined : { words: captionOf(since.slice(-LAST_FACTS)) };
}

/** How many of the last facts a sentence is made of. */
const LAST_FACTS = 3;

function frozenWords({ run }: Pick<Made, 'run'>, client: string, atMs: number): Caption {
  const owner = run.holders.find((span) => isWithin(span, atMs))?.client;
  const endsMs = run.leases.findLast((lease) => lease.atMs <= atMs)?.endsMs;
  if (owner === undefined) return { words: `${client} is frozen. The lock is free.` };
  if (owner !== client || endsMs === undefined) return { words: `${client} is frozen. ${owner} holds the lock.` };
  return { words: `${client} is frozen.`, ticks: `The lock expires in ${tenths(endsMs - atMs)}.` };
}

/** The shortest freeze or cut from where the visitor began one. */
export type Needed =
  | { is: 'unknown' }
  /** None up to this length does harm. */
  | { is: 'none'; upToMs: number }
  | { is: 'known'; ms: number };

/** The result of the acts, once the run has settled. */
export function outcomeOf(made: Made, acts: readonly Act[], needed: Needed): string {
  const freeze = holdOf(acts);
  if (made.presence !== undefined) return presenceLine(presenceOutcome(made.presence, made.overMs ?? made.run.endMs), freeze, needed);
  const bothMs = made.twoOwners.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const both = bothMs === 0 ? 'One owner at a time.' : `Two owners for ${length(bothMs)}.`;
  if (freeze?.untilMs === undefined) return both;
  const heldMs = freeze.untilMs - freeze.atMs;
  if (bothMs > 0) return `${both} You froze ${freeze.client} for ${length(heldMs)}${enough(needed, heldMs)}.`;
  return `${tooEarly(needed, heldMs) ?? missed(needed)} ${after(made, freeze)}`;
}

function presenceLine({ isMissing, words }: { isMissing: boolean; words: string }, cut: Hold | undefined, needed: Needed): string {
  if (cut?.untilMs === undefined) return words;
  const heldMs = cut.untilMs - cut.atMs;
  if (isMissing) return `${words} You cut ${cut.client} off for ${length(heldMs)}${enough(needed, heldMs)}.`;
  const early = tooEarly(needed, heldMs);
  return early === undefined ? words : `${early} ${cut.client} stayed in the list.`;
}

function enough(needed: Needed, heldMs: number): string {
  if (needed.is !== 'known' || needed.ms > heldMs) return '';
  return `; ${length(needed.ms)} ${needed.ms === heldMs ? 'is the shortest' : 'were enough'}`;
}

function tooEarly(needed: Needed, heldMs: number): string | undefined {
  return needed.is === 'known' && needed.ms > heldMs ? `You let go ${length(needed.ms - heldMs)} too early.` : undefined;
}

function missed(needed: Needed): string {
  return needed.is === 'none' ? `No freeze up to ${length(needed.upToMs)} from there gives two owners.` : 'One owner at a time.';
}

/** How the client went on as it woke. */
function after({ run }: Made, { client, atMs, untilMs = 0 }: Hold): string {
  if (!believersAt(run, atMs).includes(client)) return `${client} did not hold the lock.`;
  const belief = run.beliefs.find((span) => span.client === client && isWithin(span, untilMs));
  if (belief === undefined) return `${client} saw that its lease had ended, and did not write.`;
  if (belief.toMs < run.endMs) return `${client} stopped ${length(belief.toMs - untilMs)} after it woke.`;
  const held = run.holders.find((span) => span.client === client && isWithin(span, atMs));
  const renewal = run.leases.find((lease) => lease.atMs > untilMs);
  const isRenewed = held !== undefined && renewal !== undefined && isWithin(held, renewal.atMs);
  return isRenewed ? `${client} renewed in time.` : `The lock had expired, and ${client} took it again first.`;
}
