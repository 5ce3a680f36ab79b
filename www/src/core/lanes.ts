// Which lanes the diagram has, from top to bottom, and how high: each key's row, who wants it, the processes, the database.

import type { SimulationNode, SimulationTimeline } from 'locket-wasm';

/** A lane. */
export interface Lane {
  /** `row:` and a key, or `node:` and a node's name. */
  id: string;
  kind: 'client' | 'database' | 'locket' | 'row';
  /** What it is called. */
  name: string;
  /** The key that it is about. */
  key: string | null;
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
  const keys = new Set([...clients.flatMap((client) => client.keys), ...timeline.holders.map(({ key }) => key)]);
  const lanes: Omit<Lane, 'height' | 'middle' | 'top'>[] = [];
  for (const key of keys) {
    lanes.push({ id: `row:${key}`, kind: 'row', name: key, key });
    for (const { name } of clients.filter((client) => client.key === key)) {
      lanes.push({ id: `node:${name}`, kind: 'client', name, key });
    }
  }
  const processes = cast.filter((node) => node.kind === 'locket');
  for (const { name } of processes) lanes.push({ id: `node:${name}`, kind: 'locket', name, key: null });
  lanes.push({ id: 'node:database', kind: 'database', name: 'database', key: null });

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

/** The colour of an owner: the same wherever it stands. One that is not in the list has one of its own. */
export function colours(owners: Iterable<string>): (owner: string) => string {
  const known = [...new Set(owners)];
  return (owner) => {
    const index = known.indexOf(owner);
    return `var(--owner-${index < 0 ? 5 : index % 5})`;
  };
}
