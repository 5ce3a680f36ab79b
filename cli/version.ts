// The version of the package.

import { readFileSync } from 'node:fs';

/** The version, from the package's manifest. */
export function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
