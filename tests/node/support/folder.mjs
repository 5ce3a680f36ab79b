// A folder for the file of tests that imports it, which is deleted when they have ended.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

export const folder = mkdtempSync(join(tmpdir(), 'locket-test-'));
after(() => rmSync(folder, { recursive: true }));

/** A path in it. */
export const at = (...names) => join(folder, ...names);

/** Writes a file in it, a value as JSON; gives its path. */
export function file(name, content) {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  return at(name);
}
