// All findings of a case.

import type { Case } from '../case.js';
import type { Machine } from '../evidence.js';
import { Causes } from './causes.js';
import { clockFindings } from './clock-skew.js';
import { endingFindings } from './endings.js';
import { exits } from './exits.js';
import { failedCalls } from './failed-calls.js';
import { type Found, lesser } from './finding.js';
import { lockets } from './locket-processes.js';
import { nobodyHolding, twoOwners } from './ownership.js';
import { holdersWithoutRow, noRow, unawareOwners } from './row-owners.js';
import { unanswered } from './unanswered.js';

/** Looks for everything. */
export function findingsOf(whole: Case): Found[] {
  const downtimes = lockets(whole);
  const known = [...downtimes, ...unanswered(whole), ...failedCalls(whole, downtimes)];
  const circumstances = [...known, ...exits(whole, known)];
  const ofKeys = whole.keys.flatMap((own) => {
    const causes = new Causes(own, circumstances, whole);
    return [...twoOwners(own, causes), ...nobodyHolding(own, whole, causes), ...noRow(own, whole, causes), ...holdersWithoutRow(own, causes), ...unawareOwners(own), ...endingFindings(own, causes)];
  });
  const all = [...ofKeys, ...circumstances, ...clockFindings(whole)];
  return whole.machines.some(isSetUnseen) ? all.map((one) => ({ ...one, certainty: lesser(one.certainty, 'likely') })) : all;
}

/** True if a clock was set where its lines do not go back: that it was this one, and not another, is a guess. */
const isSetUnseen = ({ clocks, events }: Machine) => clocks.length > 1 && events.some(({ clock, atMs }, index) => clock !== (events[index - 1]?.clock ?? clock) && atMs >= (events[index - 1]?.atMs ?? 0));
