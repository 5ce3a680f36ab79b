// Words about an unknown name: the known one that was probably meant, or else a list of the known ones, cut if it is long.

/** More would hide what the message says. */
const LISTED_MAX = 12;

/** The end of a message that begins with "unknown"; `what` introduces the list, such as `the fields are`. */
export function insteadOf(name: string, known: readonly string[], what: string): string {
  const near = nearest(name, known);
  return near === undefined ? `; ${what} ${listed(known)}` : `; did you mean ${near}?`;
}

/** A list of names as serde writes it; messages show only the name that counts. */
export function shortened(message: string): string {
  return message.replace(/(unknown (?:field|variant) `([^`]*)`), expected one of (.*)$/s, (_, unknown: string, name: string, list: string) => {
    const known = [...list.matchAll(/`([^`]+)`/g)].map(([, one]) => one as string);
    return `${unknown}${insteadOf(name, known, 'there are')}`;
  });
}

/** The name may be mistyped: at most two of its letters and the known one's are not in both. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const strays = (one: string, other: string) => [...one.toLowerCase()].filter((letter) => !other.toLowerCase().includes(letter)).length;
  const apart = (other: string) => strays(name, other) + strays(other, name);
  return [0, 1, 2].flatMap((count) => known.filter((one) => apart(one) === count))[0];
}

function listed(known: readonly string[]): string {
  const more = known.length - LISTED_MAX;
  return more > 1 ? `${known.slice(0, LISTED_MAX).join(', ')} and ${more} more` : known.join(', ');
}
