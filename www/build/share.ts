// Where the page will be, for those who show a link to it: they want the address of its picture in full. PAGE_URL says it.

import type { Plugin } from 'vite';

export const share: Plugin = {
  name: 'share',
  transformIndexHtml(html) {
    const url = process.env['PAGE_URL'];
    if (url === undefined) return html;
    const base = new URL(url.endsWith('/') ? url : `${url}/`).href;
    return {
      html: html.replace('content="./og.png"', `content="${base}og.png"`),
      tags: [{ tag: 'meta', attrs: { property: 'og:url', content: base }, injectTo: 'head' }],
    };
  },
};
