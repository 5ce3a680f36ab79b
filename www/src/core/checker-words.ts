// Messages between the page and its Workers, which search and read logs.

import type { Diagnosis, LogSource, Reproduction } from 'locket-wasm/diagnose';
import type { DiagnosisView } from '../base/diagnose.js';
import type { Advice, Bounds, SafetyMargin, Exploration, MapQuestion, Question, RunQuestion, SettingsMap } from 'locket-wasm/check';
import type { MapCell, SafetyMarginFault, SearchProgress } from 'locket-wasm/types';

/** A run, and what its question is to allow. */
export interface AskedRun {
  /** A link with the whole run, or a scenario. */
  run: string;
  /** True if the faults are those that happened, and not those that the scenario plans. */
  happened: boolean;
  bounds: Bounds;
  /** How long a message may take, if it takes no longer in the run. */
  delayMs: number;
  /** True if the question is if a presence can be missing, and not if there can be two owners. */
  isAboutGap?: boolean;
}

/** A run, and which faults are tried in it: freezes of each node, if it does not say others. */
export interface AskedMargin {
  /** A link with the whole run, or a scenario. */
  run: string;
  /** The time between two moments. */
  stepMs: number;
  longestMs: number;
  /** The time between two lengths. */
  pauseStepMs: number;
  of?: { fault: SafetyMarginFault; node: string };
}

/** The question of a map's cell, which the package makes, with an amount of the map's fault. */
export interface CellQuestion {
  map: MapQuestion;
  cell: Pick<MapCell, 'retryIntervalMs' | 'ttlMs'>;
  amount: number;
}

/** The question about an incident, whose bounds are the faults of its scenario. */
export type IncidentQuestion = Pick<Reproduction, 'question' | 'scenario'>;

/** A question, or the things that the package makes one of. */
export type AskedQuestion = CellQuestion | IncidentQuestion | Question;

/** The questions of the page. */
export type Asked =
  | { do: 'advise'; question: AskedQuestion }
  | ({ do: 'danger' } & AskedMargin)
  | { do: 'diagnose'; logs: LogSource[] }
  | { do: 'explore'; question: AskedQuestion }
  | { do: 'map'; row: MapQuestion; maxStates: number }
  | ({ do: 'question' } & AskedRun);

/** The final answers. */
export interface Answers {
  advise: Advice;
  danger: SafetyMargin;
  diagnose: Incident;
  explore: TimedExploration;
  map: Pick<SettingsMap, 'bounds' | 'cells'>;
  question: RunQuestion;
}

/** A request to a Worker; each question has a number of its own. */
export type Request = { number: number } & (Asked | { do: 'cancel' });

/** The diagnosis of logs. Its texts contain no characters that change the direction of the text around them. */
export interface Incident {
  diagnosis: Diagnosis;
  view: DiagnosisView;
  /** A replay of the worst finding; `null` if there is none. */
  reproduction: Reproduction | null;
}

/** The answer to a question about settings, and how long it took to find. */
export type TimedExploration = Exploration & {
  tookMs: number;
};

/** How far the reading of logs is. */
export interface ReadProgress {
  bytes: number;
  /** The time that the rest takes if it goes on like this; `undefined` if that is not known yet. */
  leftMs: number | undefined;
  lines: number;
}

/** A reply of a Worker. `done` or `failed` is the last one for its number. */
export type Reply =
  | { number: number; is: 'progress'; progress: SearchProgress }
  | ({ number: number; is: 'read' } & ReadProgress)
  | { number: number; is: 'done'; answer: Answers[keyof Answers] }
  | { number: number; is: 'failed'; message: string };
