// Every sentence about a run at a moment: the caption of the diagram, of a beat and of the game, and the result of a game. Each follows
// from one value, a moment, and from what has happened; one that its state has outlived is not said. None is a verdict on settings.

import type { ScenarioEvent } from 'locket-wasm';
import type { EventKind, RunnerEventKind } from 'locket-wasm/types';
import { length, type Names, seconds } from '../base/picture.js';

import { tenths } from '../base/time.js';
import { listed } from './listed.js';

/** How a run is at a moment. */
export interface Moment {
  timeMs: number;
  clients: readonly { name: string; believes: boolean; status: 'cut off' | 'down' | 'paused' | 'running' }[];
  /** Who has the row of their lock, and when it ends if nothing renews it; `undefined` if the lock is free. */
  row: { owner: string; endsMs: number | undefined } | undefined;
}

/** A sentence, and another that changes with each frame, which no screen reader could follow. */
export interface Caption {
  words: string;
  ticks?: string;
}

const believersOf = ({ clients }: Moment): string[] => clients.filter(({ believes }) => believes).map(({ name }) => name);

/** Who is down, frozen or cut off. */
function outagesOf({ clients }: Moment): string[] {
  const ill = (status: string, words: string): string[] => {
    const names = clients.filter((client) => client.status === status).map(({ name }) => name);
    return names.length === 0 ? [] : [`${many(names)} ${names.length === 1 ? 'is' : 'are'} ${words}.`];
  };
  return [...ill('down', 'down'), ...ill('paused', 'frozen'), ...ill('cut off', 'cut off')];
}

const NAMES_MAX = 3;

function many(names: readonly string[]): string {
  return names.length > NAMES_MAX ? `${names.length} clients` : listed(names);
}

// -- the diagram: what happens at this instant, and how things stand

type Tell = (who: string, event: ScenarioEvent) => string;

const KINDS: Partial<Record<EventKind, Tell>> = {
  crashed: (who) => `${who} crashes.`,
  disconnected: (who) => `The connection of ${who} breaks.`,
  draining: (who) => `${who} finishes its calls, and then stops.`,
  expired: (_, { path }) => `The lock${path === null ? '' : ` ${path}`} expires.`,
  'failed-over': (_, { words }) => `${capital(words)}.`,
  paused: (who) => `${who} freezes.`,
  resumed: (who) => `${who} wakes.`,
  stalled: (_, { words }) => `${capital(words)}.`,
  started: (who) => `${who} starts.`,
  stopped: (who) => `${who} stops.`,
  'table-dropped': () => 'The table is dropped.',
};
const RUNNERS: Partial<Record<RunnerEventKind, Tell>> = {
  acquired: (who) => `${who} learns that it holds the lock.`,
  lost: (who) => `${who} learns that it lost the lock.`,
  released: (who) => `${who} has released the lock.`,
  signalled: (who) => `${who} is stopped.`,
};
/** Causes come before their effects. */
const WEIGHT: (EventKind | RunnerEventKind)[] = ['started', 'released', 'signalled', 'resumed', 'acquired', 'lost', 'expired', 'paused', 'stalled', 'failed-over', 'table-dropped', 'disconnected', 'draining', 'stopped', 'crashed'];

/**
 * `12.0 s: A crashes. The lock expires at 20.3 s.`
 *
 * @param news what happens at the moment
 * @param hasOneKey whether all clients want the same lock; the row is then theirs
 */
export function diagramCaption(moment: Moment, news: string | undefined, hasOneKey: boolean): string {
  const rest = [...outagesOf(moment), hasOneKey ? lockWords(moment) : keysWords(moment)];
  // After an event one sentence is enough; the diagram shows the rest.
  const shown = news === undefined ? rest : [news, ...rest.slice(-1)];
  return `${seconds(moment.timeMs)}: ${shown.join(' ')}`;
}

/** The most decisive of the events of one instant, as a sentence. */
export function newsOf(events: readonly ScenarioEvent[], names: Names): string | undefined {
  const all = events.flatMap((event): { weight: number; words: string }[] => {
    const tell = event.runner === null ? KINDS[event.kind] : RUNNERS[event.runner];
    return tell === undefined ? [] : [{ weight: WEIGHT.indexOf(event.runner ?? event.kind), words: tell(names(event.who), event) }];
  });
  return all.sort((a, b) => b.weight - a.weight)[0]?.words;
}

function lockWords(moment: Moment): string {
  const believers = believersOf(moment);
  if (moment.row?.endsMs !== undefined && believers.length < 2) return `The lock expires at ${seconds(moment.row.endsMs)}.`;
  if (believers.length > 0) return `${many(believers)} ${believers.length === 1 ? 'believes it holds' : 'believe they hold'} the lock.`;
  return moment.row === undefined ? 'The lock is free.' : 'No client believes it holds the lock.';
}

function keysWords(moment: Moment): string {
  const believers = believersOf(moment);
  if (believers.length === 0) return 'No client believes it holds its key.';
  return `${many(believers)} ${believers.length === 1 ? 'believes it holds its key' : 'believe they hold their keys'}.`;
}

// -- story and game: what has happened to the lock, and to the two clients of the stage

/** Something that has happened. */
export type Fact = { atMs: number } & (
  | { is: 'crashes'; client: string }
  | { is: 'deleted'; client: string }
  | { is: 'expires'; client: string; ttlMs: number; isAway: boolean }
  | { is: 'fails-over' }
  | { is: 'freezes'; client: string; believes: boolean }
  | { is: 'loses-message'; client: string; what: 'an answer' | 'a renewal' | 'a request'; untilMs: number }
  | { is: 'overwrites'; client: string; whose: string; isStale: boolean }
  | { is: 'releases'; client: string }
  /** The belief of a client ends; `knows` if another one has the lock, or none. */
  | { is: 'stops'; client: string; knows: boolean }
  /** `isAgain` if the client already believed it has the lock. */
  | { is: 'takes'; client: string; ttlMs: number; isFirst: boolean; isAgain: boolean }
  /** `believed` is about the moment at which it froze. */
  | { is: 'wakes'; client: string; believed: boolean; believes: boolean; holds: boolean }
  | { is: 'writes'; client: string }
);

/** The kinds that a beat can be about, the most decisive first; the others only add to a sentence. */
const TURNS: readonly Fact['is'][] = ['wakes', 'overwrites', 'takes', 'expires', 'freezes', 'crashes', 'deleted', 'fails-over', 'releases', 'loses-message'];

/** The fact that a beat is about. */
export function turnOf(facts: readonly Fact[]): Fact | undefined {
  return TURNS.map((kind) => facts.find(({ is }) => is === kind)).find((fact) => fact !== undefined);
}

/** The sentence of a beat. At most twelve words; no TTL, lease, retry interval or runner. */
export function beatCaption(facts: readonly Fact[]): string {
  const turn = turnOf(facts);
  return (turn && factWords(turn, facts)) ?? 'Time passes.';
}

/** @param facts what has happened beside it */
function factWords(turn: Fact, facts: readonly Fact[]): string | undefined {
  switch (turn.is) {
    case 'crashes':
      return `${turn.client} crashes. The lock does not notice.`;
    case 'deleted':
      return `An operator deletes the lock. ${turn.client} does not notice.`;
    case 'expires':
      return `${turn.isAway ? `${turn.client} sends no renewal` : 'No renewal arrives'}. After ${turn.ttlMs / 1000} seconds the lock expires.`;
    case 'fails-over':
      return 'The database fails over and loses the lock.';
    case 'freezes':
      return `${turn.client} freezes.${turn.believes ? ' It still believes it holds the lock.' : ''}`;
    case 'loses-message':
      return `The network loses ${turn.what}. ${turn.client} waits for ${turn.what === 'an answer' ? 'it' : 'the answer'}.`;
    case 'overwrites':
      return turn.isStale ? `${turn.client} still believes it holds the lock, and overwrites ${turn.whose}’s work.` : `${turn.client} holds the lock, and overwrites what ${turn.whose} wrote.`;
    case 'releases':
      return `${turn.client} stops its work, then releases the lock.`;
    case 'stops':
      return turn.knows ? `${turn.client} learns that it lost the lock, and stops.` : `${turn.client} is not sure of the lock any more, and stops.`;
    case 'takes':
      return takenWords(turn, facts);
    case 'wakes':
      return wokenWords(turn, facts);
    case 'writes':
      return undefined;
  }
}

function takenWords({ client, isFirst, isAgain, ttlMs }: Fact & { is: 'takes' }, facts: readonly Fact[]): string {
  if (isAgain) return `${client} sends its renewal, and so takes the free lock again.`;
  if (isFirst) return `${client} takes the lock for ${ttlMs / 1000} seconds. Only ${client} may write.`;
  const writes = facts.some((fact) => fact.is === 'writes' && fact.client === client);
  return `${client} asks, finds the lock free, and takes it.${writes ? ` ${client} writes.` : ''}`;
}

function wokenWords({ client, believed, believes, holds }: Fact & { is: 'wakes' }, facts: readonly Fact[]): string {
  const harm = facts.find((fact) => fact.is === 'overwrites' && fact.isStale && fact.client === client);
  if (harm?.is === 'overwrites') return `${client} wakes, believes it holds the lock, and overwrites ${harm.whose}’s work.`;
  if (believes && !holds) return `${client} wakes and still believes it holds the lock.`;
  if (believes) return `${client} wakes in time. It still holds the lock.`;
  return believed ? `${client} wakes, sees that its lease ended, and does not write.` : `${client} wakes.`;
}

// -- the game

/** True if a fact still describes the moment. Only of these may the end come without a fact of its own. */
function holdsStill(fact: Fact, moment: Moment): boolean {
  const { row, timeMs } = moment;
  const believers = believersOf(moment);
  const believes = 'client' in fact && believers.includes(fact.client);
  switch (fact.is) {
    case 'deleted':
      return row === undefined && believes;
    case 'expires':
      return row === undefined;
    case 'loses-message':
      return timeMs < fact.untilMs;
    case 'overwrites':
      return believes && (row?.owner === fact.client) !== fact.isStale;
    case 'takes':
      return row?.owner === fact.client && believes && believers.length === 1;
    case 'wakes':
      return fact.believes === believes && fact.holds === (row?.owner === fact.client);
    default:
      return fact.is !== 'freezes';
  }
}

/**
 * The sentence above the stage.
 *
 * @param facts what has happened until then, in order of time
 * @param isHeld whether the visitor holds a client right now
 */
export function gameCaption(moment: Moment, facts: readonly Fact[], isHeld: boolean): Caption {
  const believers = believersOf(moment);
  const unaware = believers.filter((name) => name !== moment.row?.owner);
  const frozen = moment.clients.filter(({ status }) => status === 'paused').map(({ name }) => name);
  const two = `Two owners: ${listed(unaware)} ${unaware.length === 1 ? 'does' : 'do'} not know.`;
  if (frozen.length > 0) return believers.length > 1 ? { words: `${two}${isHeld ? ' Let go.' : ''}` } : frozenWords(moment, frozen);
  const last = facts.findLast(({ is }) => is !== 'writes');
  const same = facts.filter(({ atMs }) => atMs === last?.atMs);
  const told = turnOf(same) ?? last;
  if (told !== undefined && holdsStill(told, moment)) return { words: factWords(told, []) ?? '' };
  return { words: believers.length > 1 ? two : ownerWords(moment) };
}

function frozenWords(moment: Moment, frozen: readonly string[]): Caption {
  const { row } = moment;
  const wrong = believersOf(moment).filter((name) => name !== row?.owner && frozen.includes(name));
  const words = outagesOf(moment).join(' ');
  if (row?.endsMs !== undefined && frozen.includes(row.owner)) return { words, ticks: `Its lock has ${tenths(row.endsMs - moment.timeMs)} left.` };
  return { words: `${words} ${wrong.length === 0 ? '' : `${listed(wrong)} still believes it holds the lock. `}${ownerWords(moment)}` };
}

function ownerWords({ row }: Moment): string {
  return row === undefined ? 'The lock is free.' : `${row.owner} holds the lock.`;
}

// -- the result of a game

/** The shortest freeze or cut from where the visitor began one. */
export type Needed =
  | { is: 'unknown' }
  /** None up to this length does harm. */
  | { is: 'none'; upToMs: number }
  | { is: 'known'; ms: number };

/** What came of a freeze of a client. */
export interface Result {
  /** Who did it. */
  who: 'The sender' | 'You';
  /** For how long there were two owners. */
  twoOwnersMs: number;
  /** The freeze, if it is all that was done: only then the shortest one answers a question that was asked. */
  freeze: { client: string; forMs: number; after: AfterFreeze } | undefined;
}

/** How a client went on as it woke. */
export type AfterFreeze = { is: 'no-owner' | 'not-sure' | 'renewed' | 'taken-again' } | { is: 'stopped'; afterMs: number };

export function resultWords({ who, twoOwnersMs, freeze }: Result, needed: Needed): string {
  const owners = twoOwnersMs === 0 ? 'One owner at a time.' : `Two owners for ${length(twoOwnersMs)}.`;
  if (freeze === undefined) return owners;
  const { client, forMs } = freeze;
  if (twoOwnersMs > 0) return `${owners} ${who} froze ${client} for ${length(forMs)}${enoughWords(needed, forMs)}.`;
  const missed = needed.is === 'none' ? `No freeze up to ${length(needed.upToMs)} from there gives two owners.` : owners;
  return `${earlyWords(who, needed, forMs) ?? missed} ${afterWords(freeze)}`;
}

function enoughWords(needed: Needed, forMs: number): string {
  if (needed.is !== 'known' || needed.ms > forMs) return '';
  return `; ${length(needed.ms)} ${needed.ms === forMs ? 'is the shortest' : 'were enough'}`;
}

function earlyWords(who: Result['who'], needed: Needed, forMs: number): string | undefined {
  return needed.is === 'known' && needed.ms > forMs ? `${who} let go ${length(needed.ms - forMs)} too early.` : undefined;
}

function afterWords({ client, after }: NonNullable<Result['freeze']>): string {
  switch (after.is) {
    case 'no-owner':
      return `${client} did not hold the lock.`;
    case 'not-sure':
      return `${client} saw that its lease had ended, and did not write.`;
    case 'renewed':
      return `${client} renewed in time.`;
    case 'stopped':
      return `${client} stopped ${length(after.afterMs)} after it woke.`;
    case 'taken-again':
      return `The lock had expired, and ${client} took it again first.`;
  }
}

/** What a link says of its sender, before it is watched. */
export function senderWords(hold: { do: 'cut' | 'freeze'; client: string; forMs: number } | undefined): string {
  if (hold === undefined) return 'The sender of this link did this. Watch.';
  return `The sender of this link ${hold.do === 'cut' ? `cut ${hold.client} off` : `froze ${hold.client}`} for ${length(hold.forMs)}. Watch.`;
}

// -- a presence

/** A cell that keeps its presence, and the BBS, which reads the list, at a moment. */
export interface PresenceMoment {
  timeMs: number;
  isCut: boolean;
  isListed: boolean;
  /** When its place in the list ends if nothing renews it. */
  endsMs: number | undefined;
  runsTwice: boolean;
}

export type PresenceFact = { atMs: number } & ({ is: 'copies' | 'heals' | 'keeps' | 'returns' | 'stops-copy' } | { is: 'leaves'; ttlMs: number });

/** The sentence of a moment; `undefined` before anything was done. */
export function presenceCaption(moment: PresenceMoment, facts: readonly PresenceFact[]): Caption | undefined {
  const { isCut, isListed, endsMs, runsTwice, timeMs } = moment;
  if (isCut && isListed) return { words: 'A is cut off.', ticks: `It stays in the list for ${tenths((endsMs ?? timeMs) - timeMs)} without a renewal.` };
  if (isCut) return { words: runsTwice ? 'A is cut off. The BBS has started its work on B.' : 'A is cut off, and not in the list.' };
  const last = facts.findLast(({ atMs }) => atMs <= timeMs);
  return last && { words: presenceFactWords(last) };
}

function presenceFactWords(fact: PresenceFact): string {
  switch (fact.is) {
    case 'copies':
      return 'The BBS does not find A in the list, and starts its work on B.';
    case 'heals':
      return 'A is connected again. Its next attempt comes by itself.';
    case 'keeps':
      return 'A renews in time, and stays in the list.';
    case 'leaves':
      return `No renewal arrives. After ${fact.ttlMs / 1_000} seconds A leaves the list.`;
    case 'returns':
      return 'A has never stopped trying. It is in the list again.';
    case 'stops-copy':
      return 'The BBS finds A in the list, and stops the copy on B.';
  }
}

/** How a presence is: what a screen reader says of the stage. */
export function presenceWords({ isCut, isListed, endsMs, runsTwice, timeMs }: PresenceMoment): string {
  const list = isListed ? `A is in the list, ${tenths((endsMs ?? timeMs) - timeMs)} left.` : 'A is not in the list.';
  return `${list}${isCut ? ' A is cut off.' : ''} ${runsTwice ? 'A’s work runs twice, on A and on B.' : 'A’s work runs on A.'}`;
}

/** The result of cuts: for how long A was missing, and its work ran twice. */
export function presenceResult({ who, missingMs, twiceMs, cutMs }: { who: Result['who']; missingMs: number; twiceMs: number; cutMs: number }, needed: Needed): string {
  const cut = `${who} cut A off for ${length(cutMs)}`;
  if (missingMs === 0) return `${earlyWords(who, needed, cutMs) ?? `${cut}.`} A stayed in the list.`;
  const twice = twiceMs === 0 ? 'The BBS did not read it in that time.' : `Its work ran twice for ${length(twiceMs)}.`;
  const leaves = needed.is === 'known' && needed.ms <= cutMs ? `; it leaves the list from ${length(needed.ms)} on` : '';
  return `A was missing from the list for ${length(missingMs)}. ${twice} ${cut}${leaves}.`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// -- a program of the visitor's own

/** What a search of a program has tried and found; `sentence` is the package's. */
export function programWords({ calls, faults, broken, sentence }: { calls: number; faults: number; broken: number; sentence: string }): { words: string; found: string } {
  return { words: `Your own program: ${calls} calls × ${faults} faults are ${calls * faults} runs. ${broken} break this one.`, found: `${capital(sentence)}.` };
}
