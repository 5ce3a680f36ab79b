// How the run of each tour is recorded: the changes of its scenario, and the moments at which it waits for the visitor. Only the build
// reads it.

import type { WritePace } from '../base/picture.js';
import { FIRST, LONGER_TTL, SAFE_CLIENT } from './tours.js';

/** The plan of a recording. */
export interface Plan {
  /** The changed settings of all clients. */
  clients?: { ttl?: string; runner?: 'safe' };
  /** How long a message takes, where the scenario has none: what takes no time cannot be seen to fly. */
  latency?: string;
  /** When an owner writes, so that the lines of the file last for the run. */
  writes: WritePace;
  /** The moments at which a beat ends. */
  cutsMs: readonly [number, ...number[]];
}

/** By the id of a tour. */
export const PLANS: Readonly<Record<string, Plan>> = {
  [FIRST]: {
    writes: { firstMs: 800, everyMs: 2_000 },
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_100],
  },
  [LONGER_TTL]: {
    clients: { ttl: '28s' },
    writes: { firstMs: 800, everyMs: 2_000 },
    cutsMs: [1_100, 8_000, 26_300],
  },
  [SAFE_CLIENT]: {
    clients: { runner: 'safe' },
    writes: { firstMs: 800, everyMs: 2_000 },
    cutsMs: [1_100, 8_000, 20_300, 24_400, 26_200],
  },
  crash: {
    latency: '100ms',
    writes: { firstMs: 600, everyMs: 2_000 },
    cutsMs: [1_100, 8_000, 20_300, 23_950],
  },
  handover: {
    latency: '100ms',
    writes: { firstMs: 800, everyMs: 4_500 },
    cutsMs: [1_100, 11_200, 14_000],
  },
  operator: {
    latency: '100ms',
    writes: { firstMs: 800, everyMs: 4_200 },
    cutsMs: [1_100, 6_800, 8_700, 9_600],
  },
  'lost-renewal': {
    latency: '100ms',
    writes: { firstMs: 800, everyMs: 8_000 },
    cutsMs: [1_100, 12_000, 20_300, 22_400, 25_200],
  },
  failover: {
    latency: '100ms',
    writes: { firstMs: 600, everyMs: 2_400 },
    cutsMs: [950, 1_500, 3_000, 3_400],
  },
};
