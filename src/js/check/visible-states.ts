// Sets of visible states in the module's form: one bit for each possible state, in hexadecimal
// digits.

import { booleanAnswer, checkFunction } from '../base/checks.js';
import { strict } from './strict.js';

const CLIENTS = ['a', 'b', 'c', 'd'];
const OF_CLIENTS = 2 ** CLIENTS.length;
const ROWS = [null, ...CLIENTS];
const DIGIT_BITS = 4;
const WORD_DIGITS = 16;

/**
 * The input of a property at a moment. Clients are `a`, `b`, `c` and `d`, in the order of the
 * question, as in stories.
 */
export interface VisibleState {
  /** The clients that believe they hold the lock; a paused one keeps its belief. */
  owners: string[];
  /** The clients whose runner is running. */
  running: string[];
  /** The owner of the row; `null` if there is none. */
  rowOf: string | null;
}

/** The visible states for which `isOne` returns true. */
export function visibleStates(field: string, isOne: unknown): string {
  checkFunction(field, isOne);
  const ask = isOne as (state: VisibleState) => unknown;
  const bits = all().map((state) => Number(booleanAnswer(field, ask(strict(field, state)))));
  const words = inParts(bits, DIGIT_BITS * WORD_DIGITS).map((word) => {
    const digits = inParts(word, DIGIT_BITS).map((four) => four.reduce((digit, bit, place) => digit + bit * 2 ** place, 0).toString(16));
    return digits.reverse().join('');
  });
  return words.join('');
}

/** Every visible state, by its number. */
function all(): VisibleState[] {
  const sets = Array.from({ length: OF_CLIENTS }, (_, set) => CLIENTS.filter((_, client) => Math.floor(set / 2 ** client) % 2 === 1));
  return ROWS.flatMap((rowOf) => sets.flatMap((running) => sets.map((owners) => ({ owners: [...owners], running: [...running], rowOf }))));
}

function inParts<T>(list: T[], length: number): T[][] {
  return Array.from({ length: list.length / length }, (_, part) => list.slice(part * length, (part + 1) * length));
}
