// A file more adds to an answer. It never contradicts what was certain without it, and never makes it less exact.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { diagnose } from 'locket-wasm/diagnose';

import { incidents, logsOf, recordOf } from '../support/diagnose-logs.mjs';
import { contradictions } from '../support/precision.mjs';

/** The most files of which every subset is tried. */
const FILES_MAX = 6;

/** The subsets of a list, by the bits of a number. */
const subset = (files, bits) => files.filter((_, index) => (bits >> index) & 1);

/** Of more files, Locket's and those of presences of which there is something to say. */
function filesOf(name) {
  const files = logsOf(name);
  if (files.length <= FILES_MAX) return files;
  return [...files].sort((a, b) => b.data.length - a.data.length).slice(0, FILES_MAX - 1);
}

describe('a file more contradicts nothing that was certain, and widens no bound', () => {
  for (const name of incidents) {
    test(name, async () => {
      const files = [...filesOf(name), await recordOf(diagnose, name)];
      const all = await Promise.all(Array.from({ length: 2 ** files.length }, (_, bits) => diagnose(subset(files, bits))));
      const found = all.flatMap((less, bits) => files.flatMap((file, index) => {
        if ((bits >> index) & 1 || bits === 0) return [];
        const said = contradictions(less, all[bits | (1 << index)], { isLocketAdded: file.name.startsWith('locket') });
        return said.map((one) => `${subset(files, bits).map((own) => own.name)} and ${file.name}: ${one}`);
      }));
      assert.deepEqual(found, []);
    });
  }
});
