// The branches of a run in an address, so that a link opens all of them: one is the run that it shows, the others are links.

import { durationMs } from 'locket-wasm';
import { namesOf } from '../base/picture.js';

import type { Beside } from './address.js';
import { actWords } from './act-words.js';
import type { Branch, NewBranch } from './branches.svelte.js';
import { type Opened, openedLink, STEPS_MAX } from './run.js';
import type { Whole } from './whole.js';
import { changeBetween, changeWords } from './settings.js';
import { storyTexts } from './stories.js';

/** So many branches stand in an address besides the one that it shows. */
const BESIDE_MAX = 7;

/** The branches besides the current one; `undefined` if there are none. */
export function besideOf(branches: readonly Branch[], current: Branch): Beside | undefined {
  if (branches.length < 2) return undefined;
  const latest = new Set([branches[0], current, ...branches.slice(-BESIDE_MAX + 1)]);
  const kept = branches.filter((branch) => latest.has(branch));
  const parentOf = ({ from }: Branch): number | undefined => (from === null ? undefined : Math.max(0, kept.findIndex(({ id }) => id === from.branch)));
  const others = kept.filter((branch) => branch !== current).map((branch) => ({ parent: parentOf(branch), link: branch.link }));
  return { at: kept.indexOf(current), parent: parentOf(current), others };
}

/** A branch of an address. */
interface Restored extends Omit<NewBranch, 'from'> {
  whole: Whole;
  /** The place of the branch that it left, and when. */
  from: { parent: number; timeMs: number } | null;
}

/** The run of an address among its branches, in their order. If one of them cannot be read, it stands alone. */
export function restored(opened: Opened, beside: Beside | undefined): Restored[] {
  const all: (Opened & { parent?: number | undefined })[] = [{ ...opened, parent: undefined }];
  if (beside !== undefined) {
    try {
      const others = beside.others.slice(0, BESIDE_MAX).map(({ parent, link }) => ({ ...openedLink(link, Math.floor(STEPS_MAX / BESIDE_MAX)), parent }));
      all.splice(0, 1, ...others.slice(0, beside.at), { ...opened, parent: beside.parent }, ...others.slice(beside.at));
    } catch {
      // The run itself is still there.
    }
  }
  const made: Restored[] = [];
  for (const [index, { parent, ...one }] of all.entries()) made.push(branchOf(one, index === 0 ? undefined : Math.min(parent ?? 0, index - 1), made));
  return made;
}

function branchOf({ simulation, scenario, manualActions, whole }: Opened, parent: number | undefined, before: readonly Restored[]): Restored {
  const left = parent === undefined ? undefined : before[parent];
  const last = manualActions.length > (left?.manualActions.length ?? 0) ? manualActions.at(-1) : undefined;
  const done = last?.act && actWords(last.act, namesOf(whole.cast));
  const words = left === undefined ? 'The story' : (done ?? changeWords(changeBetween(left, { scenario, whole })));
  return {
    simulation, number: simulation.currentBranch, scenario, manualActions, whole, words,
    from: parent === undefined ? null : { parent, timeMs: last?.atMs ?? 0 },
    change: left === undefined || last !== undefined ? undefined : 'address',
    notesUntilMs: manualActions[0]?.atMs ?? Infinity,
    plannedEndMs: left?.plannedEndMs ?? durationMs((JSON.parse(scenario) as { until: string }).until),
    link: simulation.link({ stories: storyTexts }),
  };
}
