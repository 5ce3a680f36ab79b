// Gives the page the runs of its tours as modules, recorded by the package while the page is built: `virtual:first-run`
// comes with the first view, `virtual:other-runs` has an import for each of the others.

import { stories } from 'locket-wasm/stories';
import type { Plugin } from 'vite';

import { record } from '../src/story/record.js';
import { FIRST, type Tour, TOURS } from '../src/story/tours.js';

const MODULE = /^\0?virtual:(first-run|other-runs|run\/([\w-]+))$/;

export const recordedRuns: Plugin = {
  name: 'recorded-runs',
  resolveId: (id) => (MODULE.test(id) ? `\0${id.replace('\0', '')}` : undefined),
  load(id) {
    const [, name, one] = MODULE.exec(id) ?? [];
    if (name === undefined) return undefined;
    if (name === 'other-runs') return `export default { ${TOURS.filter((tour) => tour.id !== FIRST).map(importOf).join(', ')} };`;
    const tour = TOURS.find((known) => known.id === (one ?? FIRST));
    if (tour === undefined) throw new Error(`no tour ${one}`);
    return `export default ${JSON.stringify(record(tour, stories))};`;
  },
};

function importOf({ id }: Tour): string {
  return `'${id}': () => import('virtual:run/${id}')`;
}
