// What the page and the Worker that searches and reads for it say to each other.

import type { Diagnosis, DiagnosisView, LogSource, Reproduction } from 'locket-wasm/diagnose';
import type { Advice, SafetyMargin, Exploration, MapQuestion, Question } from 'locket-wasm/check';
import type { MapCell, SearchProgress } from 'locket-wasm/types';

import type { ManifestJob } from './manifest.js';

/** What the page asks. */
export type Asked =
  | { do: 'advise'; question: Question }
  | { do: 'danger'; link: string; stepMs: number; longestMs: number }
  | { do: 'diagnose'; logs: LogSource[] }
  | { do: 'explore'; question: Question }
  | { do: 'manifest'; text: string }
  | { do: 'map'; rows: MapQuestion[]; maxStates: number };

/** What it is answered in the end. */
export interface Answers {
  advise: Advice;
  danger: SafetyMargin;
  diagnose: Incident;
  explore: TimedExploration;
  manifest: ManifestJob[];
  /** Its rows have come one by one. */
  map: undefined;
}

/** What the Worker is told; each question has a number of its own. */
export type Request = { number: number } & (Asked | { do: 'cancel' });

/** What logs show, in texts that can be put anywhere: nothing in them turns what is around them about. */
export interface Incident {
  diagnosis: Diagnosis;
  view: DiagnosisView;
  /** What does the worst of it again; `null` if nothing can. */
  reproduction: Reproduction | null;
}

/** The answer to a question about settings, and how long it took to find. */
export type TimedExploration = Exploration & {
  tookMs: number;
};

/** What the Worker answers. After `done` or `failed` nothing more comes to that number. */
export type Reply =
  | { number: number; is: 'progress'; progress: SearchProgress }
  | { number: number; is: 'read'; bytes: number }
  | { number: number; is: 'row'; cells: MapCell[] }
  | { number: number; is: 'done'; answer: Answers[keyof Answers] }
  | { number: number; is: 'failed'; message: string };
