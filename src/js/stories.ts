// The shipped scenarios. This is an entry of its own, so that other users do not load the texts.

import texts from '#stories';

/**
 * The texts of the shipped scenarios, by name.
 *
 * @example
 * ```ts
 * import { runScenario } from 'locket-wasm';
 * import { stories } from 'locket-wasm/stories';
 *
 * for (const [name, text] of Object.entries(stories)) console.log(name, runScenario(text).failures);
 * ```
 */
export const stories: Readonly<Record<string, string>> = texts;
