// The answers of a search to the two questions at the end of the first visit, loaded on request.

import { length } from '../base/picture.js';

import { cellQuestion, DELAY_USUAL_MS, mapRow } from '../core/questions.js';
import type { RunnerKind } from '../core/settings.js';
import { checker, STATES_MAX } from './checker.js';
import type { Run } from './run.js';
import { SAFE_CLIENT } from './tours.js';

/** The answer of a tour, from complete searches; rejects with the signal's reason. */
export async function answer(tour: string, run: Run, signal: AbortSignal): Promise<string> {
  return tour === SAFE_CLIENT ? (await checker.explore(questionOf(run, 'safe'), signal)).summary : await aboutTtl(run, signal);
}

/** The longest freeze of a run: the questions are about such a one. */
function freezeMs({ outages }: Run): number {
  return Math.max(0, ...outages.map(({ fromMs, toMs }) => toMs - fromMs));
}

function questionOf(run: Run, runner: RunnerKind): ReturnType<typeof cellQuestion> {
  return cellQuestion(run.ttlMs, run.retryIntervalMs, { axis: 'pause', runner }, DELAY_USUAL_MS, freezeMs(run));
}

async function aboutTtl(run: Run, signal: AbortSignal): Promise<string> {
  const row = mapRow(run.ttlMs / 1_000, [run.retryIntervalMs / 1_000], { axis: 'pause', runner: 'upstream' }, DELAY_USUAL_MS);
  let breaksAtMs: number | null = null;
  await checker.map([row], STATES_MAX, signal, ([cell]) => (breaksAtMs = cell?.breaksAt ?? null));
  const { handoverMaxMs } = await checker.advise(questionOf(run, 'upstream'), signal);
  const limit = breaksAtMs === null ? 'No freeze that was tried breaks it.' : `A freeze of ${length(breaksAtMs)} breaks it.`;
  const wait = handoverMaxMs === null ? '' : ` After a crash, B waits ≤ ${length(handoverMaxMs)}.`;
  return `${limit}${wait} Bounds: messages ≤ ${length(DELAY_USUAL_MS)}, one freeze or crash, no message lost.`;
}
