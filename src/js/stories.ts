// The shipped scenarios, each with what it teaches; an entry of its own, since not everybody wants all the texts.

import texts from '#stories';

/**
 * The shipped scenarios' texts by name.
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
