// Links to moments of scenarios that the checker has written.

import { linkTo as longLink } from '#checker';

import { shorten } from './link.js';
import { callWasm } from './wasm.js';

/** A link to a moment of a scenario, by default to its end. */
export function linkTo(scenario: string, timeMs?: number): string {
  const { link, name } = callWasm(() => longLink(scenario, timeMs) as { link: string; name: string });
  return shorten(link, name, {});
}
