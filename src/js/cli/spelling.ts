// The known name that is nearest to an unknown one.

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

/** The longest known name that is part of a name, word by word, such as bbs of my-bbs; `null` if none is. */
export function contained(name: string, known: readonly string[]): string | null {
  const parts = known.filter((one) => `_${plain(name)}_`.includes(`_${plain(one)}_`));
  return parts.sort((a, b) => b.length - a.length)[0] ?? null;
}

const plain = (name: string) => name.toLowerCase().replaceAll('-', '_');

/** How many characters to insert, delete, replace or swap with the next one. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const line = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [last![j]! + 1, line[j - 1]! + 1, last![j - 1]! + (isSame ? 0 : 1), ...(isSwapped ? [before![j - 2]! + 1] : [])];
      line.push(Math.min(...steps));
    }
    [before, last] = [last, line];
  }
  return last![b.length]!;
}
