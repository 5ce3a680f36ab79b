// The stage's part of the address behind the `#`: which tour, and the beat that has ended.

import { FIRST, TOURS } from './tours.js';

/** A place on the stage. */
export interface Place {
  /** The id of a tour. */
  tour: string;
  /** From 1; `undefined` begins with the first and plays it. */
  beat: number | undefined;
  /** The visitor's turn: the text of a game, or an empty one. Then there is no tour. */
  play?: string;
}

/** Where an address points; `undefined` if it is one of the instrument, which also says what cannot be read. */
export function readPlace(hash: string): Place | undefined {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const play = params.get('play');
  if (play !== null && params.size === 1) return { tour: FIRST, beat: undefined, play };
  if ([...params.keys()].some((name) => name !== 'tour' && name !== 'beat')) return undefined;
  const tour = TOURS.find(({ id }) => id === (params.get('tour') ?? FIRST))?.id;
  const beat = /^[1-9]$/.test(params.get('beat') ?? '1') ? params.get('beat') : undefined;
  return tour === undefined || beat === undefined ? undefined : { tour, beat: beat === null ? undefined : Number(beat) };
}

/** The address of a place. */
export function writePlace({ tour, beat }: Place): string {
  const params = new URLSearchParams();
  if (tour !== FIRST) params.set('tour', tour);
  if (beat !== undefined) params.set('beat', String(beat));
  return `#${params.toString()}`;
}
