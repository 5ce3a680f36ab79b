// The known name that is nearest to an unknown one, and errors that ask whether it was meant.

import leven from 'leven';

/** The longest name that is compared. */
const LENGTH_MAX = 120;

/**
 * The known name that was probably meant, with 1 difference in `length` characters; `null` if none is
 * so near. Case, `-` and `_` do not count.
 */
export function nearest(name: string, known: readonly string[], length = 6): string | null {
  if (name.length > LENGTH_MAX) return null;
  const wanted = plain(name);
  const most = Math.max(1, Math.floor(wanted.length / length));
  const near = known.map((one) => ({ one, away: distance(wanted, plain(one)) })).filter(({ away }) => away <= most);
  return near.sort((a, b) => a.away - b.away)[0]?.one ?? null;
}

/** The question after an error, if a known name is near. */
export const meant = (near: string | null): string => (near === null ? '' : `; did you mean ${near}?`);

/** The errors of the package that list the known names, each with the text around the unknown name. */
const LISTS = [
  { before: 'unknown field `', after: '`, expected ' },
  { before: 'unknown variant `', after: '`, expected ' },
  { before: 'no node is named "', after: '"; there are ' },
];

/** The message of such an error, with the listed name that was probably meant. */
export function withMeant(message: string): string {
  for (const { before, after } of LISTS) {
    const end = message.indexOf(after);
    const start = end < 0 ? -1 : message.lastIndexOf(before, end);
    if (start < 0) continue;
    const known = message.slice(end + after.length).match(/[\w-]+/g) ?? [];
    return message + meant(nearest(message.slice(start + before.length, end), known, 3));
  }
  return message;
}

const plain = (name: string) => name.toLowerCase().replaceAll('-', '_');

/** The differences of two names. Two swapped characters, a common typing error, are one; for leven they are two. */
function distance(a: string, b: string): number {
  const away = leven(a, b);
  return away === 2 && sorted(a) === sorted(b) ? 1 : away;
}

const sorted = (name: string) => [...name].sort().join('');
