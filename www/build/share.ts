// The addresses of a build: PAGE_URL, where the page will be, since a picture beside a link needs an address in full, and
// PACKAGE_REPOSITORY, where the sources are. Without them the page says nothing of either.

import type { Plugin } from 'vite';

export const share: Plugin = {
  name: 'share',
  transformIndexHtml(html) {
    const whole = html.replace('<!--source-->', sourceLinks(process.env['PACKAGE_REPOSITORY']));
    const url = process.env['PAGE_URL'];
    if (url === undefined) return whole;
    const base = new URL(url.endsWith('/') ? url : `${url}/`).href;
    return {
      html: whole.replace('content="./og.png"', `content="${base}og.png"`),
      tags: [{ tag: 'meta', attrs: { property: 'og:url', content: base }, injectTo: 'head' }],
    };
  },
};

function sourceLinks(repository: string | undefined): string {
  if (repository === undefined) return '';
  const address = new URL(repository).href.replace(/\/$/, '');
  return ` · <a href="${address}">Source</a> · <a href="${address}/blob/HEAD/docs/understand/search.md">How the search works</a>`;
}
