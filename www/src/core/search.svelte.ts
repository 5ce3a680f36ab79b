// The search's verdict on the clients of the run, within the chosen bounds. It does not depend on the cursor. The package makes the
// question of the run, and says what of the run is outside of it.

import type { Bounds, Question, RunQuestion } from 'locket-wasm/check';

import { boundOf, type ChipId } from './bounds.js';
import type { AskedRun, TimedExploration } from './checker-words.js';
import type { Checker } from './checker.js';
import type { Session } from './session.svelte.js';
import { type SearchFacts, type Status, statusOf } from './status.js';

export type Found = { is: 'searching'; states: number } | { is: 'known'; answer: TimedExploration } | { is: 'failed'; message: string };

/** A question, and its answer so far. */
interface FoundAbout { asked: string; found: Found }

/** The question of a run, for the request that it answers; or why there is none. */
type Made = { request: string } & ({ run: RunQuestion } | { why: string });

const SEARCHING: Found = { is: 'searching', states: 0 };

export class SettingsSearch {
  #found = $state.raw<FoundAbout | undefined>();
  #made = $state.raw<Made | undefined>();
  /** Whether the user asked to include the run, and at which opening of a story: another one begins anew. */
  #included = $state.raw<{ opening: number; does: boolean } | undefined>();
  /** The bounds that the user changed, since the same opening. */
  #changed = $state.raw<{ opening: number; bounds: Bounds }>({ opening: 0, bounds: {} });
  readonly #session: Session;
  readonly #checker: Checker;
  readonly #delayMs: () => number;

  /** The request as a text: a question is made anew when the run or a choice changes, not with every frame that is drawn. */
  readonly #request = $derived.by((): string | undefined => {
    const { timeline, cast } = this.#session;
    if (timeline.endMs === 0 || cast.length === 0) return undefined;
    const bounds = this.#hasChanges ? this.#changed.bounds : {};
    const asked: AskedRun = { run: this.#session.branchLink(), happened: this.includesRun, bounds, delayMs: this.#delayMs(), isAboutGap: this.#session.isOfPresences };
    return JSON.stringify(asked);
  });
  /** The question of the run, with its bounds. */
  readonly run = $derived(this.#made !== undefined && 'run' in this.#made ? this.#made.run : undefined);
  /** True if the question is the one of the run that is shown. */
  readonly #isFresh = $derived(this.#made?.request === this.#request);

  /** The question as a text: the search begins anew when the text changes. */
  readonly asked = $derived(this.run && JSON.stringify(this.run.question));
  /** The answer about the run that is shown, never about another one. */
  readonly found = $derived(this.#isFresh && this.#found !== undefined && this.#found.asked === this.asked ? this.#found.found : SEARCHING);
  readonly question = $derived(this.asked === undefined ? undefined : (JSON.parse(this.asked) as Question));
  /** The bounds in words. */
  readonly words = $derived(this.run?.words ?? '');
  /** How many take part, in words. */
  readonly cast = $derived(this.run === undefined ? '' : castWords(this.run));
  readonly facts = $derived.by((): SearchFacts => {
    if (this.#request === undefined) return { is: 'none', why: 'Not searched: nothing runs.' };
    if (this.#isFresh && this.#made !== undefined && 'why' in this.#made) return { is: 'none', why: this.#made.why };
    return factsOf(this.found, this.words);
  });
  /** The parts of this run that the search does not try; clients of other keys change nothing. */
  readonly leaves = $derived((this.run?.outside ?? []).filter(({ is }) => is !== 'other-key'));
  readonly status = $derived.by((): Status => {
    const { facts, isSettled, validationError } = this.#session;
    return statusOf({ ...facts, isSettled }, this.facts, this.leaves, validationError && { line: validationError.line, message: validationError.message.replace(/^\d+:\d+: /, '') });
  });

  constructor(session: Session, checker: Checker, delayMs: () => number) {
    this.#session = session;
    this.#checker = checker;
    this.#delayMs = delayMs;
  }

  /** Shows the worst schedule that was found. */
  showWorst(): void {
    const answer = this.found.is === 'known' ? this.found.answer : undefined;
    const worst = answer?.longest ?? answer;
    if (worst?.scenario != null && worst.timeMs !== null) this.#session.show(worst.scenario, worst.timeMs);
  }

  /** Changes a bound of the check; the scenario stays as it is. */
  setBound(chip: ChipId, value: number): void {
    if (this.run === undefined) return;
    const before = this.#hasChanges ? this.#changed.bounds : {};
    const changed = boundOf(this.run, chip, value);
    this.#changed = { opening: this.#session.openings, bounds: { ...before, ...changed, faults: { ...before.faults, ...changed.faults } } };
  }

  /** True if the bounds are others than those of the scenario. */
  get #hasChanges(): boolean {
    return this.#changed.opening === this.#session.openings && Object.keys(this.#changed.bounds).length > 0;
  }

  /** True if everything that goes wrong in this run is within the bounds that are asked for, as in a run that a link brought with acts. */
  get includesRun(): boolean {
    return this.#included?.opening === this.#session.openings ? this.#included.does : (this.#session.branches[0]?.manualActions.length ?? 0) > 0;
  }

  set includesRun(does: boolean) {
    this.#included = { opening: this.#session.openings, does };
  }

  /** Has the question of the run made; call it in an effect, and what it gives when the run or a choice changes. */
  make(): (() => void) | undefined {
    const request = this.#request;
    if (request === undefined) return undefined;
    const controller = new AbortController();
    void this.#make(request, controller.signal);
    return () => controller.abort();
  }

  async #make(request: string, signal: AbortSignal): Promise<void> {
    try {
      const run = await this.#checker.questionOfRun(JSON.parse(request) as AskedRun, signal);
      if (!signal.aborted) this.#made = { request, run };
    } catch (error) {
      if (!signal.aborted) this.#made = { request, why: `Not searched: ${(error instanceof Error ? error.message : String(error)).replace(/^scenario: /, '')}.` };
    }
  }

  /** Searches what is asked now; call it in an effect, and what it gives when something else is asked. */
  begin(): (() => void) | undefined {
    const { asked } = this;
    if (asked === undefined) return undefined;
    const controller = new AbortController();
    void this.#search(asked, controller.signal);
    return () => controller.abort();
  }

  async #search(asked: string, signal: AbortSignal): Promise<void> {
    const note = (found: Found): void => void (this.#found = { asked, found });
    note(SEARCHING);
    try {
      const answer = await this.#checker.explore(JSON.parse(asked) as Question, signal, ({ states }) => note({ is: 'searching', states }));
      if (!signal.aborted) note({ is: 'known', answer });
    } catch (error) {
      if (!signal.aborted) note({ is: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }
}

function factsOf(found: Found, words: string): SearchFacts {
  if (found.is === 'searching') return { is: 'running', states: found.states };
  if (found.is === 'failed') return { is: 'none', why: `The search failed: ${found.message}.` };
  const { verdict, states, longest, because } = found.answer;
  if (verdict === 'safe') return { is: 'safe', bounds: words };
  if (verdict === 'unsafe') return { is: 'unsafe', longestMs: longest?.isExact === true ? longest.lastedMs : null };
  return because === 'never-exercised' ? { is: 'none', why: 'No schedule tests this: the key has no second client.' } : { is: 'unknown', states };
}

/** `2 clients, 1 Locket`. */
function castWords({ clients, processes }: RunQuestion): string {
  return `${clients} ${clients === 1 ? 'client' : 'clients'}, ${processes} ${processes === 1 ? 'Locket' : 'Lockets'}`;
}
