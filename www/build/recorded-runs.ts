// Gives the page the runs of its tours as modules, recorded by the package while the page is built. `virtual:first-run` and the search
// of a program, `virtual:program`, come with the first view, `virtual:other-runs` has all others, which are alike and so small together.

import { stories } from 'locket-wasm/stories';
import type { Plugin } from 'vite';

import { record } from '../src/story/record.js';
import { searchProgram } from '../src/story/program.js';
import { FIRST, TOURS } from '../src/story/tours.js';

const MODULE = /^\0?virtual:(first|other|program)(?:-runs?)?$/;

export const recordedRuns: Plugin = {
  name: 'recorded-runs',
  resolveId: (id) => (MODULE.test(id) ? `\0${id.replace('\0', '')}` : undefined),
  async load(id) {
    const which = MODULE.exec(id)?.[1];
    if (which === undefined) return undefined;
    const runs = TOURS.filter((tour) => (tour.id === FIRST) === (which === 'first')).map((tour) => [tour.id, record(tour, stories)]);
    return `export default ${JSON.stringify(which === 'program' ? await searchProgram() : which === 'first' ? runs[0]?.[1] : Object.fromEntries(runs))};`;
  },
};
