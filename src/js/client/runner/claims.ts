// The locks that one client's runners hold or want: two runners with the same owner would both hold
// the lock.

import { LocketArgumentError } from '../../base/errors.js';
import type { MemberOptions } from './options.js';

type Resource = Pick<MemberOptions, 'key' | 'owner'>;

interface Claim {
  resources: readonly Resource[];
  /** Whether the lock is only being released. */
  isLeaving: () => boolean;
  ended: Promise<unknown>;
}

/** The claims of one client. */
export class Claims {
  readonly #all = new Set<Claim>();

  /** Adds a claim until it has ended. */
  add(claim: Claim): void {
    this.#all.add(claim);
    void claim.ended.then(() => this.#all.delete(claim));
  }

  /** Claims resources until `leave` is called. Throws if this client already claims one of them. */
  enter(resources: readonly Resource[]): Entered {
    const same = (): Claim[] => {
      return [...this.#all].filter((claim) => claim !== own && claim.resources.some((one) => resources.some((other) => isSame(one, other))));
    };
    let leave!: () => void;
    const ended = new Promise<void>((resolve) => (leave = resolve));
    const own: Claim = { resources, isLeaving: () => false, ended };
    if (same().some(({ isLeaving }) => !isLeaving())) {
      const { key, owner } = resources[0] as Resource;
      const problem = `this client already holds or wants '${key}' for '${owner}', so both would hold it; wait for the first one to end, or use another owner`;
      throw new LocketArgumentError('owner', problem);
    }
    this.add(own);
    const free = (): Promise<unknown> | undefined => {
      const leaving = same().filter(({ isLeaving }) => isLeaving());
      return leaving.length === 0 ? undefined : Promise.all(leaving.map((claim) => claim.ended));
    };
    return { free, leave };
  }
}

/** A claim that its caller ends. */
export interface Entered {
  /** Settles when no release of the same key is under way: that release would free the new lock. */
  free: () => Promise<unknown> | undefined;
  leave: () => void;
}

function isSame(one: Resource, other: Resource): boolean {
  return one.key === other.key && one.owner === other.owner;
}
