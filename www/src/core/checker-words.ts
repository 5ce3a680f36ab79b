// What the page and the Worker that searches for it say to each other.

import type { Advice, DangerProfile, Exploration, MapCell, MapQuestion, Question, SearchProgress } from 'locket-wasm/slim';

/** What the page asks. */
export type Asked =
  | { do: 'advise'; question: Question }
  | { do: 'danger'; link: string; stepMs: number; longestMs: number }
  | { do: 'explore'; question: Question }
  | { do: 'map'; rows: MapQuestion[]; maxStates: number };

/** What it is answered in the end. */
export interface Answers {
  advise: Advice;
  danger: DangerProfile;
  explore: TimedExploration;
  /** Its rows have come one by one. */
  map: undefined;
}

/** What the Worker is told; each question has a number of its own. */
export type Request = { number: number } & (Asked | { do: 'cancel' });

/** The answer to a question about settings, and how long it took to find. */
export interface TimedExploration extends Exploration {
  tookMs: number;
}

/** What the Worker answers. After `done` or `failed` nothing more comes to that number. */
export type Reply =
  | { number: number; is: 'progress'; progress: SearchProgress }
  | { number: number; is: 'row'; cells: MapCell[] }
  | { number: number; is: 'done'; answer: Answers[keyof Answers] }
  | { number: number; is: 'failed'; message: string };
