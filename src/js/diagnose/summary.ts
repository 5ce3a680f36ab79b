// The headline of a diagnosis and its verdict. Neither says more than the finding that it is about.

import { groupsOf, othersOf } from './groups.js';
import type { Certainty, Diagnosis, Finding } from './model.js';

const HEDGES: Record<Certainty, string> = { certain: '', likely: 'Likely: ', possible: 'Possible, and not shown by the logs: ' };
const CAUSES: Record<Certainty, string> = { certain: '', likely: 'Likely cause: ', possible: 'Possible cause: ' };

/** The headline. */
export function summaryOf(findings: readonly Finding[], causes: Diagnosis['causes'], hasClients: boolean): string {
  const [worst] = findings;
  if (worst === undefined || worst.severity === 'note') {
    return hasClients ? 'No incident: of the given clients, none lost a lock, and no two held the same one at once.' : 'No incident: no row was lost. No log of a client shows what the clients believed.';
  }
  const [other] = causes;
  const own = worst.causeCertainty === null && other !== undefined ? { words: other.words, certainty: other.certainty } : { words: worst.cause, certainty: worst.causeCertainty };
  const head = verdictOf(findings) === 'no-incident' ? 'No incident, but: ' : '';
  const hedge = own.certainty === null ? '' : CAUSES[own.certainty];
  const others = othersOf((groupsOf(findings)[0] ?? []).map((index) => findings[index] as Finding));
  return [`${head}${HEDGES[worst.certainty]}${worst.summary}`, others, worst.summary.includes(own.words) ? '' : hedge + own.words].filter(Boolean).join(' ');
}

/** Whether there is an incident. A finding that the logs only do not exclude is none. */
export function verdictOf(findings: readonly Finding[]): Diagnosis['verdict'] {
  const harmful = findings.filter(({ severity, kind }) => severity === 'incident' || kind === 'two-owners');
  if (harmful.some(({ certainty }) => certainty !== 'possible')) return 'incident';
  return harmful.length > 0 ? 'possible' : 'no-incident';
}
