// What clients are called in a picture: a letter each as long as one can keep them apart, else their own names.

import type { SimulationNode } from '../simulation/simulation.js';

/** With more clients than this, letters say less than names. */
const LETTERS_MAX = 6;

/** What a client, or the owner that it presents, is called. Anything else keeps its name. */
export type Names = (name: string) => string;

/** The names of those who take part. */
export function namesOf(cast: readonly SimulationNode[]): Names {
  const clients = clientsOf(cast);
  if (clients.length > LETTERS_MAX) return (name) => name;
  const letters = new Map(clients.map(({ name }, index) => [name, String.fromCharCode(65 + index)]));
  for (const { name, owner } of clients) if (owner !== null && !letters.has(owner)) letters.set(owner, letters.get(name) ?? owner);
  return (name) => letters.get(name) ?? name;
}

/** The clients among those who take part. */
export function clientsOf(cast: readonly SimulationNode[]): SimulationNode[] {
  return cast.filter(({ kind }) => kind !== 'database' && kind !== 'locket');
}
