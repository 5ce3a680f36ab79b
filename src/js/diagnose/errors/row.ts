// A row of the tables of error texts: a text that a library writes, and what it proves.

import type { CauseKind, Certainty } from '../model.js';

/** The class of an error. Those without a cause of their own are explained by other lines. */
export type ErrorKind =
  | CauseKind
  /** Another owner has the row. */
  | 'collision'
  /** There is no such row. */
  | 'not-found'
  /** There was no answer before the deadline, for whatever reason. */
  | 'timeout';

/** A known text. */
export interface ErrorRow {
  says: RegExp;
  kind: ErrorKind;
  /** How sure the text makes the cause. */
  certainty: Certainty;
  /** The cause, in a sentence; `{peer}` is the other side, and `$1` what the pattern has caught. */
  words: string;
}

/** Writes a row whose text proves its cause. */
export const proves = (says: RegExp, kind: ErrorKind, words: string): ErrorRow => ({ says, kind, certainty: 'certain', words });

/** Writes a row whose text allows other causes, too. */
export const suggests = (says: RegExp, kind: ErrorKind, words: string): ErrorRow => ({ says, kind, certainty: 'likely', words });
