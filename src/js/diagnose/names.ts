// The names of machines, from their files.

/** The names of files' machines: without what all of them begin with, and without what says that a file is a log. */
export function machineNames(files: readonly string[]): string[] {
  const [first = '', ...others] = files;
  const common = others.length === 0 ? first.lastIndexOf('/') + 1 : others.reduce((length, file) => Math.min(length, commonFolders(first, file)), first.length);
  return files.map((file) => file.slice(common).replace(/(?:\.stdout)?(?:\.log(?:[.-]\d{1,12})?)?(?:\.gz)?$/, '') || file);
}

/** How long the folders are that two paths begin with. */
function commonFolders(a: string, b: string): number {
  let end = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at += 1) if (a[at] === '/') end = at + 1;
  return end;
}
