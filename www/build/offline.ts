// Writes the service worker: its rule is in `service-worker.js`. The list of files to keep is known at the end of a build.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Plugin } from 'vite';

const RULE = join(import.meta.dirname, 'service-worker.js');
const PUBLIC = join(import.meta.dirname, '../public');
/** Only others read it. */
const SHARED = 'og.png';

export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const files = [...Object.keys(bundle).filter((name) => name !== 'index.html'), ...readdirSync(PUBLIC).filter((name) => name !== SHARED)];
      const page = bundle['index.html'];
      const build = createHash('sha256').update(files.join()).update(page?.type === 'asset' ? page.source : '').digest('hex').slice(0, 12);
      const source = readFileSync(RULE, 'utf8').replace("'__FILES__'", files.map((file) => JSON.stringify(file)).join(', ')).replace('__BUILD__', build);
      this.emitFile({ type: 'asset', fileName: 'offline.js', source });
    },
  },
};
