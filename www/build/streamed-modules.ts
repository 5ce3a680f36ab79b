// The page streams the package's modules from their files. So the chunks that carry the same modules, for pages that say nothing of
// where they are, are left out.

import type { Plugin } from 'vite';

const CARRIED = /^\.\/\w+-module\.js$/;
const NOTHING = '\0carried-module';

export const streamedModules: Plugin = {
  name: 'streamed-modules',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer) => (CARRIED.test(source) && importer?.includes('dist') ? NOTHING : undefined),
  load: (id) => (id === NOTHING ? 'export const carriedModule = () => undefined;' : undefined),
};
