// The availability of settings, as commands report it.

import { checkAvailability, type Question } from 'locket-wasm/check';
import type { AvailabilityCheck, AvailabilityEvent } from 'locket-wasm/types';

import { exploreCommandOf } from './question-command.js';

/** The answers for one combination of settings. */
export interface Availability {
  /** The settings, as a sentence. */
  settings: string;
  /** Whether these settings are in use, or the cheapest safe ones that advice offers instead. */
  of: 'asked' | 'alternative';
  /** The jobs of manifests with these settings. */
  jobs: string[];
  checks: AskedAgain[];
}

/** The answer to one question, which a command asks again. */
export interface AskedAgain extends Omit<AvailabilityCheck, 'question'> {
  /** The command that asks again, up to more states, and prints the whole counterexample. */
  command: string;
}

/** The events in the order of their report. */
export const EVENT_NAMES: Record<AvailabilityEvent, string> = {
  restart: 'A Locket process crashes and restarts',
  'rolling-deploy': 'A rolling deploy drains and restarts each Locket process in turn',
  failover: 'The database fails over',
  stall: 'The database stalls',
};

/** Options of {@link availabilityOf}. */
interface AvailabilityOptions {
  maxStates?: number | undefined;
  onEvent: (event: AvailabilityEvent) => void;
}

/** Asks about each event with the settings of a question. */
export async function availabilityOf(question: Question, { maxStates, onEvent }: AvailabilityOptions): Promise<AskedAgain[]> {
  const checks = await checkAvailability(question, { ...(maxStates !== undefined && { maxStates }), onProgress: ({ event }) => onEvent(event) });
  return checks.map(({ question: asked, ...check }) => ({ ...check, command: exploreCommandOf(asked, ['--first']) }));
}
