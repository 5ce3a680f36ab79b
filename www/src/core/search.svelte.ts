// The search's verdict on the shown settings, within the chosen bounds. It does not depend on the cursor.

import type { Question } from 'locket-wasm/check';

import { type BoundName, type Bounds, boundsOf, boundsWords, leaving, withBounds } from './bounds.js';
import type { TimedExploration } from './checker-words.js';
import type { Checker } from './checker.js';
import { questionOf } from './questions.js';
import type { Session } from './session.svelte.js';
import { type SearchFacts, type Status, statusOf } from './status.js';

export type Found = { is: 'searching'; states: number } | { is: 'known'; answer: TimedExploration } | { is: 'failed'; message: string };

export class SettingsSearch {
  found = $state.raw<Found>({ is: 'searching', states: 0 });
  /** The opening of the story at which the user asked to include the run. Another story begins with the faults that it plans. */
  #included = $state.raw<number | undefined>();
  /** The bounds that the user changed, since the same opening. */
  #changed = $state.raw<{ opening: number; bounds: Partial<Bounds> }>({ opening: 0, bounds: {} });
  readonly #session: Session;
  readonly #checker: Checker;
  readonly #delayMs: () => number;

  /** The question as a text: the search begins anew when the text changes, not with every frame that is drawn. */
  readonly asked = $derived.by((): string | undefined => {
    const { scenario, cast, settings, runner, facts } = this.#session;
    if (settings === undefined || runner === undefined) return undefined;
    const question = questionOf(scenario, cast, settings, runner, this.#delayMs(), this.includesRun ? facts.wrong : undefined);
    return question && JSON.stringify(this.#hasChanges ? withBounds(question, this.#changed.bounds) : question);
  });
  readonly question = $derived(this.asked === undefined ? undefined : (JSON.parse(this.asked) as Question));
  readonly bounds = $derived(this.question && boundsOf(this.question));
  readonly facts = $derived.by((): SearchFacts => factsOf(this.question === undefined ? undefined : this.found, this.bounds));
  /** The faults of this run that the search does not allow. */
  readonly leaves = $derived.by(() => (this.bounds === undefined ? [] : leaving(this.#session.facts.wrong, this.bounds, this.#session.scenario)));
  readonly status = $derived.by((): Status => {
    const { facts, validationError } = this.#session;
    return statusOf(facts, this.facts, this.leaves, validationError && { line: validationError.line, message: validationError.message.replace(/^\d+:\d+: /, '') });
  });

  constructor(session: Session, checker: Checker, delayMs: () => number) {
    this.#session = session;
    this.#checker = checker;
    this.#delayMs = delayMs;
  }

  /** Changes a bound of the check; the scenario stays as it is. */
  setBound(name: BoundName, value: number): void {
    const before = this.#hasChanges ? this.#changed.bounds : {};
    this.#changed = { opening: this.#session.openings, bounds: { ...before, [name]: value, ...(name === 'pauseMs' ? { pauses: Math.max(this.bounds?.pauses ?? 1, 1) } : {}) } };
  }

  /** Whether the bounds are others than those of the scenario. */
  get #hasChanges(): boolean {
    return this.#changed.opening === this.#session.openings && Object.keys(this.#changed.bounds).length > 0;
  }

  /** Whether everything that goes wrong in this run is within the bounds that are asked for. */
  get includesRun(): boolean {
    return this.#included === this.#session.openings;
  }

  set includesRun(does: boolean) {
    this.#included = does ? this.#session.openings : undefined;
  }

  /** Searches what is asked now; call it in an effect, and what it gives when something else is asked. */
  begin(): (() => void) | undefined {
    const { asked } = this;
    if (asked === undefined) return undefined;
    const controller = new AbortController();
    void this.#search(JSON.parse(asked) as Question, controller.signal);
    return () => controller.abort();
  }

  async #search(question: Question, signal: AbortSignal): Promise<void> {
    this.found = { is: 'searching', states: 0 };
    try {
      const answer = await this.#checker.explore(question, signal, ({ states }) => (this.found = { is: 'searching', states }));
      if (!signal.aborted) this.found = { is: 'known', answer };
    } catch (error) {
      if (!signal.aborted) this.found = { is: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }
}

function factsOf(found: Found | undefined, bounds: Bounds | undefined): SearchFacts {
  if (found === undefined || bounds === undefined) return { is: 'none', why: 'No search knows these settings.' };
  if (found.is === 'searching') return { is: 'running', states: found.states };
  if (found.is === 'failed') return { is: 'none', why: `The search failed: ${found.message}.` };
  const { verdict, states, longest } = found.answer;
  if (verdict === 'safe') return { is: 'safe', bounds: boundsWords(bounds) };
  if (verdict === 'unsafe') return { is: 'unsafe', longestMs: longest?.lastedMs ?? null };
  return { is: 'unknown', states };
}
