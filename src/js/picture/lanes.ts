// Which lanes the diagram has, from top to bottom, and how high: each lock beside the clients that want it, then what is behind the lock.

import type { SimulationNode } from '../simulation/state.js';
import type { SimulationTimeline } from '../simulation/timeline.js';
import { clientsOf } from './names.js';

/** A lane. */
export interface Lane {
  /** `row:` and a key, or `node:` and a node's name. */
  id: string;
  kind: 'client' | 'database' | 'locket' | 'row';
  /** Its name. */
  name: string;
  /** The key that it is about: of a row its own, of a client the one that it wants. */
  key: string | null;
  top: number;
  height: number;
  /** Where its line runs. */
  middle: number;
}

/** The lanes with their places. */
export interface Lanes {
  all: Lane[];
  byId: ReadonlyMap<string, Lane>;
  height: number;
  /** Too many for their names. */
  areDense: boolean;
  /** The lane where a node's messages begin or end: with folded servers, the lock's lane. */
  laneOf: (name: string, client: string) => Lane | undefined;
}

type Unplaced = Omit<Lane, 'height' | 'middle' | 'top'>;

const ROOMY_MAX = 16;
const HEIGHTS = { client: 84, row: 84, locket: 48, database: 48 } as const;
const NARROW_HEIGHT = 64;
const LARGER = 1.25;
const DENSE_HEIGHT = 14;
const DENSE_ROW_HEIGHT = 26;
/** In a narrow diagram a lane's name stands above its line. */
const NARROW_FOOT = 18;

/** How far the plot is from its own edges, so that the first and the last moment can be seen and taken. */
export const EDGE = 10;

/** True if the servers behind the lock are part of what happens, so that they are shown from the start. */
export function needsServers({ outages, events }: SimulationTimeline, cast: readonly SimulationNode[]): boolean {
  const servers = new Set(cast.filter(({ kind }) => kind === 'locket' || kind === 'database').map(({ name }) => name));
  const isTheirs = (kind: string): boolean => kind === 'stalled' || kind === 'failed-over' || kind === 'table-dropped';
  return servers.size > 2 || outages.some(({ node }) => servers.has(node)) || events.some(({ kind, who }) => isTheirs(kind) || ((kind === 'crashed' || kind === 'draining') && servers.has(who)));
}

/** How lanes are laid out. */
export interface LayOutOptions {
  /** True if each name stands above its lane, which leaves less room for the lane. */
  isNarrow?: boolean;
  /** True if there is room for lanes that are a quarter higher. */
  isLarge?: boolean;
  /** True if the Locket processes and the database have lanes. */
  hasServers?: boolean;
  /** The key whose clients are shown if there are many. If no lock has it, the first with two owners, or the first of all. */
  openKey?: string | undefined;
}

/** The lanes of a run. */
export function layOut(cast: readonly SimulationNode[], timeline: SimulationTimeline, { isNarrow = false, isLarge = false, hasServers = false, openKey }: LayOutOptions = {}): Lanes {
  const groups = lockLanes(cast, timeline);
  const areDense = groups.flat().length > ROOMY_MAX;
  const lanes = [...(areDense ? folded(groups, timeline, openKey) : groups.flat()), ...(hasServers ? serverLanes(cast) : [])];
  let top = 0;
  const all = lanes.map((lane) => {
    const height = areDense ? (lane.kind === 'row' ? DENSE_ROW_HEIGHT : DENSE_HEIGHT) : isNarrow ? NARROW_HEIGHT : HEIGHTS[lane.kind] * (isLarge ? LARGER : 1);
    const middle = isNarrow && !areDense ? top + height - NARROW_FOOT : top + height / 2;
    const placed = { ...lane, top, height, middle };
    top += height;
    return placed;
  });
  const byId = new Map(all.map((lane) => [lane.id, lane]));
  const laneOf = (name: string, client: string): Lane | undefined =>
    byId.get(`node:${name}`) ?? (hasServers ? undefined : byId.get(`row:${byId.get(`node:${client}`)?.key ?? ''}`));
  return { all, byId, height: top, areDense, laneOf };
}

/** Two clients have their lock between them; more of them stand below it. */
function lockLanes(cast: readonly SimulationNode[], timeline: SimulationTimeline): Unplaced[][] {
  const clients = clientsOf(cast);
  const keys = new Set([...clients.flatMap(({ key }) => key ?? []), ...timeline.holders.map(({ key }) => key)]);
  return [...keys].map((key) => {
    const row: Unplaced = { id: `row:${key}`, kind: 'row', name: key, key };
    const own = clients.filter((client) => client.key === key).map(({ name }): Unplaced => ({ id: `node:${name}`, kind: 'client', name, key }));
    return own.length === 2 ? [...own.slice(0, 1), row, ...own.slice(1)] : [row, ...own];
  });
}

/** With many locks, one has its clients below it, and the others take one row each. */
function folded(groups: readonly Unplaced[][], { twoOwners }: SimulationTimeline, openKey: string | undefined): Unplaced[] {
  const has = (group: readonly Unplaced[], key: string | undefined): boolean => group.some(({ kind, name }) => kind === 'row' && name === key);
  const open = groups.find((group) => has(group, openKey)) ?? groups.find((group) => has(group, twoOwners[0]?.key)) ?? groups[0];
  return groups.flatMap((group) => (group === open ? group : group.filter(({ kind }) => kind === 'row')));
}

function serverLanes(cast: readonly SimulationNode[]): Unplaced[] {
  const processes = cast.filter((node) => node.kind === 'locket').map(({ name }): Unplaced => ({ id: `node:${name}`, kind: 'locket', name, key: null }));
  return [...processes, { id: 'node:database', kind: 'database', name: 'database', key: null }];
}

/** The number of an owner's colour: the same wherever it stands. Owners outside the list share another colour. */
export function colourIndexes(owners: Iterable<string>): (owner: string) => number {
  const known = new Map([...new Set(owners)].map((owner, index) => [owner, index % OWNER_COLOURS]));
  return (owner) => known.get(owner) ?? OWNER_COLOURS;
}

/** So many colours are for owners that are known; the next one is for all others. */
const OWNER_COLOURS = 5;
