// The run that the page shows, and where in it the cursor is. Everything shown comes from here; nothing here draws.

import { durationMs, ScenarioError, type ScenarioEvent, type Simulation, StepLimitError } from 'locket-wasm';
import type { ScenarioAct, SimulationMessage, SimulationNode, SimulationState, SimulationTimeline, TraceFormat } from 'locket-wasm/types';
import { namesOf, outcomeOf, runnersOf, runPicture, seconds } from '../base/picture.js';

import { Clock } from '../base/clock.svelte.js';
import { print, type Json } from '../base/print.js';
import { actWords } from './act-words.js';
import type { Address } from './address.js';
import { type Branch, Branches } from './branches.svelte.js';
import { arePresences, presenceWords } from './nouns.js';
import { captionOf } from './moment.js';
import { type Acted, atEnd, doIn, interfereWith, type Opened, openedLink, replay, seekEvents, seekWithin, TOO_LONG, whyNot } from './run.js';
import { type Change, changeWords, hasOneSetting, runnerOf, settingsOf, withSettings } from './settings.js';
import { type Whole, wholeOf } from './whole.js';
import { stories, type Story, storyTexts } from './stories.js';

/** How long a story takes from its start to its moment, in milliseconds of the person who watches. */
const STORY_MS = 8_000;

export class Session {
  /** The scenario's text, as it is being edited. */
  text = $state.raw('');
  /** The validation error of the text; the page then shows the last valid text. */
  validationError = $state.raw<ScenarioError | undefined>();
  /** Another error, as a message. */
  problem = $state.raw<string | undefined>();
  /** The shipped story that was opened; branches are made of it. */
  opened = $state.raw<Story | undefined>();
  /** How often something was opened. */
  openings = $state.raw(0);
  timeline = $state.raw<SimulationTimeline>(NOTHING);
  /** The nodes of the run. Their state changes with the cursor, their list does not. */
  cast = $state.raw<SimulationNode[]>([]);
  state = $state.raw<SimulationState>({ timeMs: 0, nodes: [], rows: [], expiries: [], pending: [] });
  /** How many events have happened at the cursor. */
  happened = $state.raw(0);
  /** True if nothing is open at the end of the run. */
  isSettled = $state.raw(true);
  /** The event that is looked at, by its place in the timeline, if it is not the last that happened. */
  chosen = $state.raw<number | undefined>();

  /** How many things of the instant have happened at the cursor. */
  #count = $state.raw(0);

  readonly #clock = new Clock();
  readonly #branches = new Branches();
  readonly branches = $derived(this.#branches.shown);
  readonly branch = $derived(this.#branches.current);
  /** The last valid text. */
  readonly scenario = $derived(this.branch?.scenario ?? '{}');
  /** The shipped story, as long as nothing was made of it. */
  readonly story = $derived(this.branch?.from === null ? this.opened : undefined);

  /** Where the scenario ends: play goes no further. */
  readonly endMs = $derived(this.timeline.endMs);
  readonly nowMs = $derived(this.state.timeMs);
  /** The state of each node at the cursor, by name, and its next timer. */
  readonly nodes: ReadonlyMap<string, SimulationNode> = $derived(new Map(this.state.nodes.map((node) => [node.name, node])));
  readonly timers: ReadonlyMap<string, number> = $derived(timersOf(this.state));
  readonly names = $derived(namesOf(this.cast));
  /** The facts of the whole branch. */
  readonly facts = $derived(outcomeOf(this.timeline, this.cast));
  /** Events by their number. */
  readonly eventsById: ReadonlyMap<number, ScenarioEvent> = $derived(
    new Map(this.timeline.events.flatMap((event) => (event.id === null ? [] : [[event.id, event]]))),
  );
  /** The event that is looked at. */
  readonly event = $derived.by((): ScenarioEvent | undefined => {
    if (this.chosen !== undefined) return this.timeline.events[this.chosen];
    return this.timeline.events.findLast(({ kind }, index) => index < this.happened && kind !== 'noted');
  });
  /** The author's remarks end where a branch begins: of what comes after it the author knew nothing. */
  readonly notesUntilMs = $derived(this.branch?.notesUntilMs ?? 0);
  /** The caption of the scene. */
  readonly caption = $derived.by((): string => {
    if (this.chosen !== undefined && this.event !== undefined) return `${seconds(this.event.timeMs)}: ${this.named(this.event.words)}.`;
    const { branch, nowMs } = this;
    const act = branch?.manualActions.findLast(({ timeMs, count }) => timeMs === nowMs && count < this.#count);
    // What a link or other settings brought has no words of its own; a latency may be the end of a message's delay.
    const hasWords = branch?.from != null && branch.change === undefined && act === branch.manualActions.at(-1);
    const words = hasWords ? branch.words : act && act.action.do !== 'set-latency' ? actWords(act.action, this.names) : undefined;
    const action = act && words && `${words}.`;
    return this.say(captionOf(this.timeline, this.happened, this.state, this.names, action));
  });
  /** Words of the package with the short names of clients; an author's remark begins with its time, which stands before it already. */
  readonly named = $derived.by((): ((words: string) => string) => {
    const full = new RegExp(`\\b(${this.cast.map(({ name }) => name).join('|')})\\b`, 'g');
    return (words) => words.replace(/^[\d.]+ s: /, '').replace(full, (name) => this.names(name));
  });
  /** True if the run is about presences, which have words of their own. */
  readonly isOfPresences = $derived(arePresences(this.cast));
  readonly say = $derived(this.isOfPresences ? presenceWords : (words: string): string => words);
  readonly settings = $derived(settingsOf(this.scenario, this.cast));
  readonly runner = $derived(runnerOf(this.scenario));
  readonly hasOneSetting = $derived(hasOneSetting(this.scenario));
  /** The scenario's name and description. */
  readonly about = $derived.by((): { name: string; description: string } => {
    const { name, description = '' } = JSON.parse(this.scenario) as { name?: string; description?: string };
    return { name: name ?? '', description };
  });
  /** The moment of the run: the story's, or the first with two owners. */
  readonly momentMs = $derived(this.story?.momentMs ?? this.timeline.twoOwners[0]?.fromMs ?? this.endMs);

  /** Loads an address. It reports unreadable parts, and still shows a run. */
  async load({ story, timeMs, count, event, link, problem }: Address): Promise<void> {
    this.problem = problem;
    this.#begin((link === undefined ? undefined : this.#openLink(link)) ?? replay({ scenario: (story ?? stories[0]).text, manualActions: [] }));
    if (event !== undefined && event < this.timeline.events.length) this.seekEvent(event);
    else if (timeMs !== undefined) this.#move((simulation) => seekWithin(simulation, Math.min(timeMs, this.endMs), count ?? Infinity));
  }

  /** Shows a story from its start. */
  tell(story: Story): void {
    this.#begin(replay({ scenario: story.text, manualActions: [] }));
  }

  /** Takes another text, as a branch. An invalid text changes nothing. */
  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.validationError = undefined;
    this.#branchOff({ scenario: text, manualActions: [] }, 'Another text', 'edit');
  }

  /** Shows a schedule that was found, at its moment. */
  show(scenario: string, timeMs: number): void {
    this.#branchOff({ scenario: print(JSON.parse(scenario) as Json), manualActions: [] }, 'The schedule of the search', 'schedule');
    this.seek(timeMs);
  }

  /**
   * Changes a setting of the scenario; what was done by hand is done again.
   *
   * @param kind the next change of this kind replaces this one
   */
  set(change: Change, words = changeWords(change), kind = Object.keys(change).join()): void {
    const believed = this.timeline.beliefs[0];
    const [runner] = runnersOf(this.cast);
    const pauseAt = { node: believed?.client ?? runner ?? '', atMs: (believed?.fromMs ?? 0) + 1_000 };
    const scenario = withSettings(this.scenario, this.cast, change, pauseAt);
    this.#branchOff({ scenario, manualActions: this.branch?.manualActions ?? [] }, words, `set ${kind}`, this.branch?.plannedEndMs);
  }

  /** The address of what is shown; `undefined` as long as nothing is. */
  get address(): Pick<Address, 'count' | 'event' | 'link' | 'story' | 'timeMs'> | undefined {
    const { branch } = this;
    if (branch === undefined) return undefined;
    // Of a branch its link has every act, also those after the cursor.
    return { ...(this.story === undefined ? { link: branch.link } : { story: this.story }), timeMs: this.nowMs, count: this.#count, event: this.chosen };
  }

  // -- time

  /** Goes to a time, after everything that happens at it. */
  seek(timeMs: number): void {
    const wholeMs = Math.round(Math.min(Math.max(timeMs, 0), this.endMs));
    this.#move((simulation) => simulation.seek({ timeMs: wholeMs }));
  }

  /** Goes to right after an event. */
  seekEvent(index: number): void {
    this.#move((simulation) => seekEvents(simulation, this.timeline.events[index]?.timeMs ?? 0, index + 1));
    if (this.happened !== index + 1) this.chosen = index;
  }

  step(): void {
    this.#move((simulation) => simulation.step());
  }

  /** To the event before; what happened unseen at the same instant is passed over. */
  stepBack(): void {
    this.#move((simulation) => {
      const [timeMs, events] = [simulation.nowMs, simulation.eventCount];
      while (simulation.stepBack() && simulation.nowMs === timeMs && simulation.eventCount === events);
    });
  }

  get playing(): boolean {
    return this.#clock.playing;
  }

  /** Lets time pass at the pace of the story, to its moment, or to the end if that has passed. */
  play(): void {
    if (this.playing) return;
    if (this.nowMs >= this.endMs) this.seek(0);
    const untilMs = this.nowMs < this.momentMs ? this.momentMs : this.endMs;
    const pace = Math.max(this.momentMs, 1) / STORY_MS;
    const jumps = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const fromMs = this.nowMs;
    this.#clock.play((untilMs - fromMs) / pace, (passedMs) => {
      const timeMs = Math.round(fromMs + passedMs * pace);
      if (jumps && timeMs < untilMs && this.#happenedBy(timeMs) === this.happened) return;
      this.#move((simulation) => simulation.seek({ timeMs }), true);
    });
  }

  pause(): void {
    this.#clock.stop();
  }

  // -- branches

  /** Does something now, in a branch of its own. */
  act(action: ScenarioAct): void {
    this.#act(this.say(actWords(action, this.names)), (it) => it.act(action));
  }

  /** Loses a message, or has it take longer. */
  interfere(message: SimulationMessage, delayMs: number | undefined, words: string): void {
    const index = this.timeline.events.findIndex((event) => event.id === message.cause);
    if (index < 0) return;
    this.#act(words, (simulation) => interfereWith(simulation, message, index, delayMs));
  }

  /** Goes to a branch, and stays at the same time of it. */
  switchTo(id: number): void {
    const branch = this.#branches.go(id);
    if (branch !== undefined) this.#enter(branch, this.nowMs);
  }

  /** True if a branch is there, be it undone. */
  has(id: number): boolean {
    return this.#branches.has(id);
  }

  /** Takes back what was done last. Says whether there was something. */
  undo(): boolean {
    const before = this.#branches.undo();
    if (before !== undefined) this.#enter(before.branch, before.timeMs ?? this.nowMs);
    return before !== undefined;
  }

  /** True if an action at this very moment opened this branch, so that a second press undoes it. */
  get isFreshAction(): boolean {
    const { branch } = this;
    return branch !== undefined && branch.change === undefined && branch.from?.timeMs === this.nowMs && branch === this.branches.at(-1);
  }

  // -- exports

  /** The whole branch in a form that other tools read. */
  export(format: TraceFormat): string {
    return this.#atEnd((simulation) => simulation.export(format));
  }

  /** The whole branch as an SVG file. */
  picture(headline: string, theme: 'dark' | 'light'): string {
    return this.branch === undefined ? '' : runPicture(this.branch.simulation, { headline, theme });
  }

  /** A text from which others make the whole branch. */
  branchLink(): string {
    return this.#atEnd((simulation) => simulation.link());
  }

  // -- inside

  #atEnd(tell: (simulation: Simulation) => string): string {
    return this.branch === undefined ? '' : atEnd(this.branch.simulation, this.endMs, tell);
  }

  #openLink(link: string): Opened | undefined {
    try {
      const opened = openedLink(link);
      if (!opened.simulation.isFaithful) this.problem = 'This link was made by a version with other rules, so this run differs from the original.';
      return opened;
    } catch (error) {
      this.problem = `This link cannot be read: ${whyNot(error)}. The page shows a story instead.`;
      return undefined;
    }
  }

  /** Shows another run, from which later branches are made. */
  #begin({ simulation, scenario, manualActions, whole }: Opened): void {
    const here = simulation.snapshot();
    this.#branches.begin({
      simulation, number: simulation.currentBranch, scenario, manualActions, from: null, words: 'The story', change: undefined, notesUntilMs: manualActions[0]?.timeMs ?? Infinity,
      plannedEndMs: durationMs((JSON.parse(scenario) as { until: string }).until), link: simulation.link({ stories: storyTexts }),
    }, whole);
    this.opened = manualActions.length === 0 ? stories.find(({ text }) => text === scenario) : undefined;
    this.openings++;
    this.#show(whole);
    this.#move((it) => it.restore(here));
  }

  /** Acts in a branch of its own, which is then told to its end. */
  #act(words: string, act: (simulation: Simulation) => void): void {
    const { branch } = this;
    if (branch === undefined) return;
    this.pause();
    try {
      const { simulation, here, whole } = doIn(branch, act);
      this.#branches.add({
        ...branch, simulation, number: here.branch, from: { branch: branch.id, timeMs: here.timeMs }, words, change: undefined,
        link: simulation.link({ stories: storyTexts }),
        manualActions: simulation.acts(), notesUntilMs: Math.min(branch.notesUntilMs, here.timeMs),
      }, whole);
      this.problem = undefined;
      this.#show(whole);
      this.#move((it) => it.restore(here));
    } catch (error) {
      this.problem = `This action is not possible here: ${whyNot(error)}`;
    }
  }

  /** Shows another text as a branch, at the same time, with these actions repeated; with a planned end until it has settled. */
  #branchOff(run: Acted, words: string, change: string, plannedEndMs?: number): void {
    this.pause();
    const { branch, nowMs } = this;
    try {
      const { simulation, whole, scenario, manualActions } = replay(run, plannedEndMs);
      const from = this.#branches.replaceable(change)?.from ?? { branch: branch?.id ?? 0, timeMs: 0 };
      this.#branches.add({
        scenario, manualActions, simulation, number: simulation.currentBranch, from, words, change, notesUntilMs: 0,
        plannedEndMs: plannedEndMs ?? whole.timeline.endMs, link: simulation.link({ stories: storyTexts }),
      }, whole);
      this.problem = undefined;
      this.#show(whole);
      this.seek(nowMs);
    } catch (error) {
      if (error instanceof ScenarioError && change === 'edit') this.validationError = error;
      else this.problem = error instanceof StepLimitError ? `This scenario is too long: ${TOO_LONG}` : `These settings are not possible: ${whyNot(error)}`;
    }
  }

  /** Goes on in a branch, at a time. */
  #enter(branch: Branch, timeMs: number): void {
    this.pause();
    branch.simulation.switchTo(branch.number);
    // It has been told to its end.
    this.#show(wholeOf(branch.simulation));
    this.seek(timeMs);
  }

  /** Shows the branch that is current now. */
  #show({ timeline, cast, isSettled }: Whole): void {
    const { branch } = this;
    if (branch === undefined) return;
    this.pause();
    this.timeline = timeline;
    this.cast = cast;
    this.isSettled = isSettled;
    this.text = branch.scenario;
    this.validationError = undefined;
  }

  #happenedBy(timeMs: number): number {
    const { events } = this.timeline;
    const later = events.findIndex((event) => event.timeMs > timeMs);
    return later < 0 ? events.length : later;
  }

  #move(move: (simulation: Simulation) => void, isPlaying = false): void {
    const simulation = this.branch?.simulation;
    if (simulation === undefined) return;
    if (!isPlaying) this.pause();
    move(simulation);
    this.chosen = undefined;
    this.state = simulation.state();
    this.happened = simulation.eventCount;
    this.#count = simulation.snapshot().count;
  }
}

/** When each one's next timer runs out, or it wakes. */
function timersOf({ pending }: SimulationState): Map<string, number> {
  const timers = new Map<string, number>();
  for (const { who, kind, timeMs } of pending) if ((kind === 'timer' || kind === 'wakes') && !timers.has(who)) timers.set(who, timeMs);
  return timers;
}

const NOTHING: SimulationTimeline = {
  endMs: 0, events: [], messages: [], calls: [], holders: [], beliefs: [], twoOwners: [], noClientActs: [], outages: [], writes: null, wrongWrites: 0, refusedWrites: 0, failures: [], digest: '',
};
