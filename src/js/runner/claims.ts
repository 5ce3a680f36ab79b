// What the runners of one client hold or want: two of the same owner would both hold the lock.

import { LocketArgumentError } from '../errors.js';
import type { MemberOptions } from './options.js';

type Resource = Pick<MemberOptions, 'key' | 'owner'>;

interface Claim {
  resources: readonly Resource[];
  /** Whether it is only being given up. */
  isLeaving: () => boolean;
  ended: Promise<unknown>;
}

/** The claims of one client. */
export class Claims {
  readonly #all = new Set<Claim>();

  /** Notes a claim until it has ended. */
  add(claim: Claim): void {
    this.#all.add(claim);
    void claim.ended.then(() => this.#all.delete(claim));
  }

  /**
   * Claims resources, and throws if the client claims one of them already. `free` settles when no release of an earlier claim is under way,
   * which would free the new one; `leave` ends the claim.
   */
  enter(resources: readonly Resource[]): { free: Promise<unknown> | undefined; leave: () => void } {
    const earlier = [...this.#all].filter((claim) => claim.resources.some((one) => resources.some((other) => isSame(one, other))));
    const { key, owner } = resources[0] as Resource;
    if (earlier.some(({ isLeaving }) => !isLeaving())) {
      const problem = `this client already holds or wants '${key}' for '${owner}', and both would hold it; wait for the first one, or use another owner`;
      throw new LocketArgumentError('owner', problem);
    }
    let leave!: () => void;
    const ended = new Promise<void>((resolve) => (leave = resolve));
    this.add({ resources, isLeaving: () => false, ended });
    return { free: earlier.length === 0 ? undefined : Promise.all(earlier.map((claim) => claim.ended)), leave };
  }
}

function isSame(one: Resource, other: Resource): boolean {
  return one.key === other.key && one.owner === other.owner;
}
