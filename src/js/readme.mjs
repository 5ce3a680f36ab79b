// The README as the npm page shows it. npm keeps no folder beside a README, so a relative link of it leads nowhere there.

/**
 * With `repository`, as in a manifest, every relative link becomes an address in it. Without one, a link becomes its
 * text, and a picture is left out: no link is better than a dead one.
 */
export function npmReadme(text, repository) {
  const site = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const plain = site === undefined ? text.replace(/<picture>[^]*?<\/picture>\n\n?/g, '') : text;
  return plain
    .replace(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, (_, words, path) => (site === undefined ? words : `[${words}](${site}/blob/HEAD/${path})`))
    .replace(/(src|srcset)="(?!https?:)([^"]+)"/g, (_, name, path) => `${name}="${site}/raw/HEAD/${path}"`);
}
