// A run as the stage shows it: what the simulator did, as plain data with two clients named A and B.
//
// `record.ts` makes it when the page is built, so the first view plays a real run without the simulator.

import type { Write as FileWrite } from '../base/picture.js';

/** The clients of the stage, in the order of the scenario. */
export type Letter = 'A' | 'B';

export const LETTERS: readonly Letter[] = ['A', 'B'];

/** How many lines the file of the stage has. */
export const LINES = 4;

/** A stretch of run time. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A message between a client and the lock. */
export interface Message {
  kind: 'answer' | 'request';
  client: Letter;
  /** One or two words beside its curve. */
  words: string;
  sentMs: number;
  arrivesMs: number;
  /** True if the network loses it on its way. */
  isLost: boolean;
}

/** A line that a client writes into the file. */
export type Write = FileWrite<Letter>;

/** A part of a run with one sentence. */
export interface Beat extends Span {
  /** The moment that it is about. */
  pinMs: number;
  caption: string;
}

/** A recorded run. */
export interface Run {
  /** The address that opens it in the instrument, at the end of the last beat. */
  instrument: string;
  /** Equal to the digest of the same run anywhere else. */
  digest: string;
  endMs: number;
  /** The lock's key and its TTL, and how long clients wait between two attempts. */
  key: string;
  ttlMs: number;
  retryIntervalMs: number;
  names: Names;
  /** Truth: who holds the lock. */
  holders: ({ client: Letter } & Span)[];
  /** When the lock was taken or renewed, and when it then expires. */
  renewals: { atMs: number; endsMs: number }[];
  /** How the lock was lost. */
  losses: { atMs: number; words: string }[];
  /** Belief: when a client believes it holds the lock. */
  beliefs: ({ client: Letter } & Span)[];
  /** When a client is frozen or down. */
  outages: ({ client: Letter; status: 'cut off' | 'down' | 'paused' } & Span)[];
  /** Renewals that were due while their client was frozen. */
  missed: { client: Letter; atMs: number }[];
  /** When each client asks the lock for something, up to the answer. */
  asks: ({ client: Letter } & Span)[];
  messages: Message[];
  writes: Write[];
  beats: Beat[];
}

/** A run without what a tour adds to it. */
export type Recorded = Omit<Run, 'beats' | 'instrument'>;

/** The clients' names in the scenario. */
export type Names = Readonly<Record<Letter, string>>;

/** Which client has a name; `undefined` for anything else. */
export function letterOf(names: Names, name: string): Letter | undefined {
  return LETTERS.find((letter) => names[letter] === name);
}

/** True if a moment is within a stretch. */
export function isWithin({ fromMs, toMs }: Span, timeMs: number): boolean {
  return fromMs <= timeMs && timeMs < toMs;
}

/** The first moment at which a client writes without holding the lock. Before it the page says nothing of harm. */
export function harmMs({ writes }: Pick<Recorded, 'writes'>): number {
  return writes.find(({ isStale }) => isStale)?.sentMs ?? Infinity;
}
