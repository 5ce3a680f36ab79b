// The short names of clients in a picture: a letter each if possible, else their own names.

import type { SimulationNode } from '../simulation/state.js';

/** With more clients than this, names are clearer than letters. */
const LETTERS_MAX = 6;

/** The short name of a client or of its owner. Any other name stays. */
export type Names = (name: string) => string;

/** The short names of the nodes. */
export function namesOf(cast: readonly SimulationNode[]): Names {
  const clients = clientsOf(cast);
  if (clients.length > LETTERS_MAX) return (name) => name;
  const letters = new Map(clients.map(({ name }, index) => [name, String.fromCharCode(65 + index)]));
  for (const { name, owner } of clients) if (owner !== null && !letters.has(owner)) letters.set(owner, letters.get(name) ?? owner);
  return (name) => letters.get(name) ?? name;
}

/** The clients among the nodes. */
export function clientsOf(cast: readonly SimulationNode[]): SimulationNode[] {
  return cast.filter(({ kind }) => kind !== 'database' && kind !== 'locket');
}
