// The stage at a moment of a run: what is drawn, and the sentence for those who do not see it. Only the past counts.

import { tenths } from '../base/time.js';
import { type Beat, harmMs, isWithin, type Letter, LETTERS, LINES, type Message, type Recorded, type Span, type Write } from './run.js';

/** A client on the stage. */
export interface ClientScene {
  letter: Letter;
  name: string;
  /** Its kind before its letter, if it is no client of a lock. */
  kind?: string;
  /**
   * True if it believes it holds the lock, and whether the stage already shows that this is wrong.
   */
  believes: boolean;
  isWrong: boolean;
  isFrozen: boolean;
  isDown: boolean;
  /** True if it does not work under a lock. */
  isIdle: boolean;
  /** The words below it. */
  words: string;
  /** True if a renewal was due and did not leave. */
  misses: boolean;
}

/** Something on its way, or just arrived. */
export interface Flight {
  kind: Message['kind'] | 'write';
  client: Letter;
  words: string;
  /** From 0 to 1. */
  progress: number;
  /** Of a write: its line, and whether it comes from a client without the lock. */
  line: number;
  isStale: boolean;
  isLost: boolean;
  /** Its place among what flies in this beat, from 1. */
  number: number;
}

/** The stage. */
export interface Scene {
  timeMs: number;
  lock: { key: string; owner: Letter | null; share: number; words: string };
  clients: readonly ClientScene[];
  /** The writer of each line of the file. */
  lines: readonly (Write | null)[];
  /** The last line that was lost. */
  overwritten: Write | null;
  flights: readonly Flight[];
  /** The same as a sentence. */
  sentence: string;
}

export function sceneOf(run: Recorded, beat: Beat, timeMs: number): Scene {
  const owner = run.holders.find((span) => isWithin(span, timeMs))?.client ?? null;
  const clients = LETTERS.map((letter) => clientOf(run, letter, owner, timeMs));
  const lock = lockOf(run, owner, timeMs);
  const written = run.writes.filter(({ arrivesMs }) => arrivesMs <= timeMs);
  const lines = Array.from({ length: LINES }, (_, line) => written.findLast((write) => write.line === line) ?? null);
  const overwritten = written.findLast(({ over }) => over !== null) ?? null;
  const scene = { timeMs, lock, clients, lines, overwritten, flights: flightsOf(run, beat, timeMs) };
  return { ...scene, sentence: sentenceOf(scene) };
}

function lockOf(run: Recorded, owner: Letter | null, timeMs: number): Scene['lock'] {
  if (owner === null) {
    const words = run.losses.findLast(({ atMs }) => atMs <= timeMs)?.words ?? 'free';
    return { key: run.key, owner, share: 0, words };
  }
  const endsMs = run.renewals.findLast(({ atMs }) => atMs <= timeMs)?.endsMs ?? timeMs;
  const leftMs = Math.max(endsMs - timeMs, 0);
  return { key: run.key, owner, share: Math.min(leftMs / run.ttlMs, 1), words: `${tenths(leftMs)} left` };
}

function clientOf(run: Recorded, letter: Letter, owner: Letter | null, timeMs: number): ClientScene {
  const isOwn = (span: { client: Letter } & Span): boolean => span.client === letter && isWithin(span, timeMs);
  const believes = run.beliefs.some(isOwn);
  const out = run.outages.find(isOwn)?.status;
  const hadBelief = run.beliefs.some(({ client, toMs }) => client === letter && toMs <= timeMs);
  const own = { believes, isOwner: owner === letter, hadBelief, isDown: out === 'down' };
  return {
    letter,
    name: run.names[letter],
    believes,
    isWrong: believes && owner !== letter && timeMs >= harmMs(run),
    isFrozen: out === 'paused',
    isDown: own.isDown,
    isIdle: !believes,
    words: wordsOf(run, letter, own, timeMs),
    misses: believes && run.missed.some(({ client, atMs }) => client === letter && atMs <= timeMs) && out === 'paused',
  };
}

function wordsOf(run: Recorded, letter: Letter, { believes, isOwner, hadBelief, isDown }: { believes: boolean; isOwner: boolean; hadBelief: boolean; isDown: boolean }, timeMs: number): string {
  if (isDown) return 'crashed';
  if (believes) return isOwner ? 'believes it holds the lock' : 'still believes it holds the lock';
  if (hadBelief) return 'does not write';
  const asks = run.asks.filter(({ client }) => client === letter);
  if (asks.some((ask) => isWithin(ask, timeMs))) return 'asks';
  const next = asks.find(({ fromMs }) => fromMs > timeMs);
  const hasAsked = asks.some(({ toMs }) => toMs <= timeMs);
  return hasAsked && next !== undefined ? `waits, asks again in ${tenths(next.fromMs - timeMs)}` : 'waits';
}

/** The last message or write on each way in this beat. A message that a client sent before it froze is not shown beside it. */
function flightsOf(run: Recorded, beat: Beat, timeMs: number): Flight[] {
  const messages = run.messages.map((message) => ({ ...message, line: 0, isStale: false }));
  const writes = run.writes.map((write) => ({ ...write, kind: 'write' as const, words: 'write', isLost: false }));
  const frozen = LETTERS.filter((letter) => run.outages.some((outage) => outage.client === letter && isWithin(outage, timeMs)));
  const begun = [...messages, ...writes]
    .filter(({ client, sentMs }) => sentMs >= beat.fromMs && sentMs <= timeMs && sentMs < beat.toMs && !frozen.includes(client))
    .sort((one, other) => one.sentMs - other.sentMs);
  return begun
    .map(({ kind, client, words, sentMs, arrivesMs, line, isStale, isLost }, index) => ({
      kind, client, words, line, isStale, isLost, number: index + 1, progress: Math.min((timeMs - sentMs) / (arrivesMs - sentMs), 1),
    }))
    .filter(({ kind, client }, index, all) => all.findLastIndex((other) => other.kind === kind && other.client === client) === index);
}

function sentenceOf({ lock, clients, lines, overwritten }: Omit<Scene, 'sentence'>): string {
  const truth = lock.owner === null ? `The lock is ${lock.words}.` : `${lock.owner} holds the lock, ${lock.words}.`;
  const each = clients.map(({ letter, words, isFrozen }) => `Client ${letter} ${isFrozen ? 'is frozen and ' : ''}${words}.`);
  const file = lines.map((write, index) => (write === null ? `${index + 1} empty` : `${index + 1} by ${write.client}`)).join(', ');
  const harm = overwritten?.over == null ? '' : ` ${overwritten.client} has overwritten the line that ${overwritten.over.client} wrote.`;
  return `${truth} ${each.join(' ')} Lines of the file: ${file}.${harm}`;
}
