// Which lanes the diagram has, from top to bottom, and how high: each key's row, who wants it, the processes, the database.

import type { SimulationNode, SimulationTimeline } from 'locket-wasm/slim';

/** A lane. */
export interface Lane {
  /** `row:` and a key, or `node:` and a node's name. */
  id: string;
  kind: 'client' | 'database' | 'locket' | 'row';
  /** What it is called. */
  name: string;
  /** The keys that it is about: of a row its own, of a client those that it wants. */
  keys: readonly string[];
  top: number;
  height: number;
  /** Where its line runs. */
  middle: number;
}

/** The lanes with their places. */
export interface Lanes {
  all: Lane[];
  byId: Map<string, Lane>;
  height: number;
  /** Too many for their names. */
  areDense: boolean;
}

const ROOMY_MAX = 16;
const NARROW_MAX = 620;

/** How far the plot is from its own edges, so that the first and the last moment can be seen and taken. */
export const EDGE = 10;

/** Whether names stand above their lanes, and how much room they have beside them if not. */
export function headsFor(width: number): { isNarrow: boolean; headWidth: number } {
  return width < NARROW_MAX ? { isNarrow: true, headWidth: 0 } : { isNarrow: false, headWidth: 190 };
}

export function layOut(cast: SimulationNode[], timeline: SimulationTimeline, isNarrow: boolean): Lanes {
  const clients = cast.filter((node) => node.kind !== 'database' && node.kind !== 'locket');
  const lanes: Omit<Lane, 'height' | 'middle' | 'top'>[] = [];
  for (const keys of groups([...clients.map((client) => client.keys), ...timeline.holders.map(({ key }) => [key])])) {
    for (const key of keys) lanes.push({ id: `row:${key}`, kind: 'row', name: key, keys: [key] });
    for (const client of clients.filter((one) => one.keys.some((key) => keys.has(key)))) {
      lanes.push({ id: `node:${client.name}`, kind: 'client', name: client.name, keys: client.keys });
    }
  }
  const processes = cast.filter((node) => node.kind === 'locket');
  for (const { name } of processes) lanes.push({ id: `node:${name}`, kind: 'locket', name, keys: [] });
  lanes.push({ id: 'node:database', kind: 'database', name: 'database', keys: [] });

  const areDense = lanes.length > ROOMY_MAX;
  let top = 0;
  const all = lanes.map((lane) => {
    const height = areDense ? 14 : isNarrow ? 64 : 52;
    // Above the line of a narrow one stands its name.
    const middle = isNarrow && !areDense ? top + height - 18 : top + height / 2;
    const placed = { ...lane, top, height, middle };
    top += height;
    return placed;
  });
  return { all, byId: new Map(all.map((lane) => [lane.id, lane])), height: top, areDense };
}

/** Keys that somebody wants together, directly or by way of others. */
function groups(wishes: readonly string[][]): Set<string>[] {
  return wishes.reduce<Set<string>[]>((found, wish) => {
    const [first, ...others] = found.filter((group) => wish.some((key) => group.has(key)));
    if (first === undefined) return wish.length === 0 ? found : [...found, new Set(wish)];
    for (const key of [...others.flatMap((group) => [...group]), ...wish]) first.add(key);
    return found.filter((group) => !others.includes(group));
  }, []);
}

/** The colour of an owner: the same wherever it stands. One that is not in the list has one of its own. */
export function colours(owners: Iterable<string>): (owner: string) => string {
  const known = [...new Set(owners)];
  return (owner) => {
    const index = known.indexOf(owner);
    return `var(--owner-${index < 0 ? 5 : index % 5})`;
  };
}
