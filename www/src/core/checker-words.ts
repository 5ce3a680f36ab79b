// What the page and the Worker that searches for it say to each other.

import type { Exploration, MapCell, MapQuestion, Question, SearchProgress } from 'locket-wasm';

/** What the page asks; each question has a number of its own. */
export type Request =
  | { number: number; do: 'explore'; question: Question }
  | { number: number; do: 'map'; rows: MapQuestion[] }
  | { number: number; do: 'cancel' };

/** The answer to a question about settings, and how long it took to find. */
export interface TimedExploration extends Exploration {
  tookMs: number;
}

/** What the Worker answers. After `done` or `failed` nothing more comes to that number. */
export type Reply =
  | { number: number; is: 'progress'; progress: SearchProgress }
  | { number: number; is: 'row'; cells: MapCell[] }
  | { number: number; is: 'done'; answer?: TimedExploration }
  | { number: number; is: 'failed'; message: string };
