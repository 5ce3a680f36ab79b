// The colours of a picture, for light and dark: the same as in the page's tokens.css, which a test
// checks.

/** For a light or a dark ground. */
export type Theme = 'dark' | 'light';

const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  'ground': ['#fbfaf7', '#15171a'],
  'raised': ['#ffffff', '#1c1f23'],
  'line': ['#dcd8ce', '#33383e'],
  'line-strong': ['#8a867c', '#7d858e'],
  'ink': ['#1d1c1a', '#ecebe7'],
  'ink-soft': ['#5b5850', '#a9aeb5'],
  'danger': ['#b3162f', '#ff8592'],
  'danger-ground': ['#fbe9eb', '#3a1a20'],
  'on-owner': ['#ffffff', '#10141a'],
  'owner-0': ['#1f5fae', '#7fb2f5'],
  'owner-1': ['#9c5800', '#f2b65e'],
  'owner-2': ['#6b4aa8', '#bda3f2'],
  'owner-3': ['#2f6f2f', '#8cc98c'],
  'owner-4': ['#9c2f74', '#ee90c6'],
  'owner-5': ['#4f5b66', '#aeb8c2'],
};

/** The colour of a name. */
export function coloursOf(theme: Theme): (name: string) => string {
  return (name) => {
    const colour = COLOURS[name];
    if (colour === undefined) throw new Error(`unknown colour ${name}`);
    return colour[theme === 'light' ? 0 : 1];
  };
}
