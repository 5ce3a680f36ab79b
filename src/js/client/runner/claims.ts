// The keys that one client keeps: the one guard that acquire, withLock, elect and all runners pass.
//
// For Locket two keepers with the same owner are one: the Release of either ends both, and the
// other still believes that it holds the key. Another client's keepers are not known here.

import { LocketArgumentError } from '../../base/errors.js';
import type { RunnerPlan, RunnerSettings } from './options.js';

/** A keeper: a runner, or a wait, work or an election with its runner. */
interface Claim {
  plan: RunnerPlan;
  /** True if it has ended but for a Release. */
  isLeaving: () => boolean;
  /** Settles at the end of a keeper that leaves. */
  ended?: Promise<unknown>;
}

/** The claims of one client. */
export class Claims {
  readonly #all = new Set<Claim>();
  readonly #check: (settings: RunnerSettings) => void;

  /** `check` throws for settings that cannot work. */
  constructor(check: (settings: RunnerSettings) => void) {
    this.#check = check;
  }

  /** Adds the claim of a runner, whose door has entered. Returns a function that removes it. */
  add(claim: Claim): () => void {
    this.#all.add(claim);
    return () => void this.#all.delete(claim);
  }

  /** Claims the key of a plan until `leave` is called. Throws if its settings cannot work, or if this client already keeps it. */
  enter(plan: RunnerPlan): Entered {
    this.#check(plan.settings);
    const keeper = this.#keeper(plan);
    if (keeper !== undefined) throw refusal(plan, keeper.plan);
    const own: Claim = { plan, isLeaving: () => false };
    const leave = this.add(own);
    const free = (): Promise<unknown> | undefined => {
      const leaving = this.#sharing(plan).filter((claim) => claim !== own);
      return leaving.length === 0 ? undefined : Promise.all(leaving.map((claim) => claim.ended));
    };
    return { free, leave };
  }

  /** True if the client keeps or wants the key of a plan that has ended. */
  isKept(plan: RunnerPlan): boolean {
    return this.#keeper(plan) !== undefined;
  }

  #keeper(plan: RunnerPlan): Claim | undefined {
    return this.#sharing(plan).find(({ isLeaving }) => !isLeaving());
  }

  #sharing(plan: RunnerPlan): Claim[] {
    return [...this.#all].filter((claim) => isShared(plan, claim.plan));
  }
}

/** A claim that its caller ends. */
export interface Entered {
  /** Settles when no release of the same key is under way: that release would free the new lock. */
  free: () => Promise<unknown> | undefined;
  leave: () => void;
}

/** True if two plans keep the same key for the same owner. */
function isShared({ resource }: RunnerPlan, other: RunnerPlan): boolean {
  return resource.key === other.resource.key && resource.owner === other.resource.owner;
}

function refusal({ resource: { key, owner } }: RunnerPlan, keeper: RunnerPlan): LocketArgumentError {
  return new LocketArgumentError('owner', `${keeper.door} of this client keeps or wants '${key}' as '${owner}'; end it or use another owner`);
}
