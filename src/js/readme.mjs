// The README and the pages as the package carries them.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The pages that the package carries, by their paths in the repository. */
export const isCarried = (path) => path === 'README.md' || /^docs\/.*\.md$/.test(path);

/**
 * The README as npm shows it, which keeps no folder beside it. With `repository`, as in a manifest, every relative link becomes an
 * address in it. Without one it is a page like the others: see {@link carriedPage}.
 */
export function npmReadme(text, repository) {
  if (repository === undefined) return carriedPage('README.md', text);
  const site = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return withLinks(text, (words, path) => `[${words}](${site}/blob/HEAD/${path})`)
    .replace(/(src|srcset)="(?!https?:)([^"]+)"/g, (_, name, path) => `${name}="${site}/raw/HEAD/${path}"`);
}

/** A page that keeps its links to other pages. Any other link becomes its text, and pictures are left out: no link is better than a dead one. */
export function carriedPage(path, text) {
  const plain = text.replace(/<picture>[^]*?<\/picture>\n\n?/g, '').replace(/^!\[[^\]]*\]\([^)]*\)\n\n?/gm, '');
  return withLinks(plain, (words, link) => {
    const [target] = link.split('#');
    const isHere = target === '' || isCarried(posix.join(posix.dirname(path), target));
    return isHere ? `[${words}](${link})` : words;
  });
}

/** Writes the pages of docs/ into the package, for users who have nothing else. */
export function writePages() {
  for (const page of readdirSync('docs', { recursive: true }).map((name) => `docs/${name.replaceAll('\\', '/')}`)) {
    if (!isCarried(page) || page.includes('node_modules')) continue;
    mkdirSync(posix.join('pkg', posix.dirname(page)), { recursive: true });
    writeFileSync(`pkg/${page}`, carriedPage(page, readFileSync(page, 'utf8')));
  }
}

/** The text with other relative links. Examples have none. */
function withLinks(text, linkOf) {
  const parts = text.split(/(^ *```[^]*?^ *```$)/m);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, (_, words, path) => linkOf(words, path)))).join('');
}
