// The names of machines, from their files.

/** The names of files' machines: without what all of them begin with, and without what says that a file is a log. */
export function machineNames(files: readonly string[]): string[] {
  const [first = '', ...others] = files;
  const common = others.length === 0 ? first.lastIndexOf('/') + 1 : others.reduce((length, file) => Math.min(length, commonFolders(first, file)), first.length);
  return files.map((file) => file.slice(common).replace(ROTATED, '') || file);
}

/** What says that a file is a log, with the number or time by which it was rotated. */
const ROTATED = /(?:\.stdout)?(?:[.-]\d{8}(?:[T-]?\d{6})?)?(?:\.log(?:[.-](?:old|\d[\dT-]{0,20}))?)?(?:\.gz)?$/;

/** How long the folders are that two paths begin with. */
function commonFolders(a: string, b: string): number {
  let end = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at += 1) if (a[at] === '/') end = at + 1;
  return end;
}
