// Links to moments of scenarios that the checker has written.

import { linkTo as longLink } from '#checker';

import { callWasm } from '../base/wasm.js';
import { shorten } from '../simulation/link.js';

/** A link to a moment of a scenario, by default to its end. */
export function linkTo(scenario: string, timeMs?: number): string {
  const { link, name } = callWasm(() => longLink(scenario, timeMs) as { link: string; name: string });
  return shorten(link, name, {});
}
