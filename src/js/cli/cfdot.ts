// Resources as cfdot prints them, so that scripts that read its output read this, too.

import type { Resource } from '../node.js';

/** Members in cfdot's order and with its names; what is empty is left out, as Go's JSON leaves it out. */
export function asCfdot({ key, owner, value, type, typeCode }: Resource): Record<string, string | number> {
  const members = { key, owner, value, type, type_code: typeCode };
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member));
}
