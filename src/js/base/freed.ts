// Frees work of the module at its end, whichever that is. A module's memory never shrinks, so after the last work a large one
// is given back with its instance.

import { glue } from '#glue';

/** A memory up to this size is kept for the next work, in bytes. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** How many works are under way. */
let underWay = 0;

/** The result of `use`, after which the work is freed. */
export async function freed<T>(work: { free(): void }, use: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await use();
  } finally {
    work.free();
    underWay -= 1;
    if (underWay === 0) glue.giveBackAbove(KEPT_BYTES);
  }
}
