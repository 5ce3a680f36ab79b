// Answers about texts that repeat in a log.

import { copied } from './beginning.js';

/** Another log has other texts, so not all are kept, and no long ones. */
const KNOWN_MAX = 200;
const TEXT_MAX = 1_000;

/** The function, which works out its answer about a text once. */
export function remembering<Answer>(of: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (text.length > TEXT_MAX) return of(text);
    const answer = known.get(text);
    if (answer !== undefined || known.has(text)) return answer as Answer;
    if (known.size >= KNOWN_MAX) known.clear();
    const found = of(text);
    known.set(copied(text), found);
    return found;
  };
}
