// Resources as cfdot prints them, so that scripts for its output also work here.

import type { Resource } from 'locket-wasm';

/** Members in cfdot's order and with its names; empty ones are left out, as in Go's JSON. */
export function asCfdot({ key, owner, value, type, typeCode }: Resource): Record<string, string | number> {
  const members = { key, owner, value, type, type_code: typeCode };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member));
}
