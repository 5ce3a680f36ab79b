// The run that the page shows, and where in it the cursor is. Everything shown comes from here; nothing here draws.

import {
  LocketArgumentError,
  ScenarioError,
  Simulation,
  type ScenarioAct,
  type ScenarioEvent,
  type SimulationMessage,
  type SimulationNode,
  type SimulationPlace,
  type SimulationState,
  type SimulationTimeline,
  StepLimitError,
  type TraceFormat,
} from 'locket-wasm/slim';

import { print, type Json } from '../base/print.js';
import { durationText, seconds } from '../base/time.js';
import { type Address } from './address.js';
import { type Change, runnerOf, settingsOf, withSettings } from './settings.js';
import { stories, type Story, storyTexts } from './stories.js';

/** A line of events: the scenario, or what somebody made of it. */
export interface BranchView {
  number: number;
  /** Where it left which other one. */
  from: { branch: number; timeMs: number } | null;
  /** What was done in it, in words. */
  done: string;
}

/** How long a story takes from its start to its moment, in milliseconds of the person who watches. */
const STORY_MS = 8_000;

/** What a phone plays within a second: whatever a link or a text asks for, the page is there again after that. */
const STEPS_MAX = 500_000;

const TOO_LONG = `it takes more than ${STEPS_MAX.toLocaleString('en')} steps, which are the most that the page plays; locket-wasm run plays it with --max-steps`;

/** Events that are only the way to others; the caption passes over them. */
const PLUMBING = new Set<ScenarioEvent['kind']>(['answered', 'called', 'handled', 'row-deleted', 'row-written']);

/** What becomes of runners all the time; a remark of the author stands until something else happens. */
const ROUTINE = new Set<ScenarioEvent['runner']>(['ready', 'renewed', 'retrying']);

export class Session {
  /** The scenario's text, as it is being edited. */
  text = $state.raw('');
  /** The text of what is shown, which has no mistake. */
  scenario = $state.raw('{}');
  /** What is wrong with the text; what is shown is then the last one that was right. */
  mistake = $state.raw<ScenarioError | undefined>();
  /** Something that went wrong otherwise, for people. */
  trouble = $state.raw<string | undefined>();
  /** The shipped story, as long as its text is untouched. */
  story = $state.raw<Story | undefined>();
  timeline = $state.raw<SimulationTimeline>(NOTHING);
  /** Who takes part. How they are changes with the cursor, who they are does not. */
  cast = $state.raw<SimulationNode[]>([]);
  state = $state.raw<SimulationState>({ timeMs: 0, nodes: [], rows: [], leases: [], pending: [] });
  /** How many events have happened at the cursor. */
  happened = $state.raw(0);
  branches = $state.raw<BranchView[]>([]);
  branch = $state.raw(0);
  playing = $state.raw(false);
  /** The event that is looked at, by its place in the timeline, if it is not the last that happened. */
  chosen = $state.raw<number | undefined>();

  /** Where the scenario ends: play goes no further. */
  readonly endMs = $derived(this.timeline.endMs);
  readonly nowMs = $derived(this.state.timeMs);
  /** How everybody is at the cursor, by name, and what each waits for next. */
  readonly nodes: ReadonlyMap<string, SimulationNode> = $derived(new Map(this.state.nodes.map((node) => [node.name, node])));
  readonly timers: ReadonlyMap<string, number> = $derived(timersOf(this.state));
  /** Events by their number. */
  readonly eventsById: ReadonlyMap<number, ScenarioEvent> = $derived(
    new Map(this.timeline.events.flatMap((event) => (event.id === null ? [] : [[event.id, event]]))),
  );
  /** The event that is looked at. */
  readonly event = $derived.by((): ScenarioEvent | undefined => {
    if (this.chosen !== undefined) return this.timeline.events[this.chosen];
    return this.timeline.events[this.#last((event) => event.kind !== 'noted')];
  });
  /** One sentence for the scene. */
  readonly caption = $derived.by((): ScenarioEvent | undefined => {
    if (this.chosen !== undefined) return this.event;
    const { events } = this.timeline;
    const index = this.#last((event) => !PLUMBING.has(event.kind) && event.runner !== 'ready');
    const news = this.#last((event) => !PLUMBING.has(event.kind) && !ROUTINE.has(event.runner));
    return noteOf(events, news) ?? events[index] ?? this.event;
  });
  readonly settings = $derived(settingsOf(this.state, this.timeline));
  readonly runner = $derived(runnerOf(this.scenario));
  /** The moment that the run is about: the story's, or the first at which two act as owner. */
  readonly momentMs = $derived(this.story?.momentMs ?? this.timeline.twoOwners[0]?.fromMs ?? this.endMs);

  #simulation: Simulation | undefined;
  /** How often play was begun. */
  #turn = 0;
  #labels = new Map<number, string>();

  /** Loads what an address says; what it cannot read it says, and shows something all the same. */
  async load({ story, timeMs, events, link, trouble }: Address): Promise<void> {
    this.trouble = trouble;
    if (link !== undefined) {
      // A link may be a change of any shipped story; most addresses are none.
      const shipped = await import('locket-wasm/stories');
      if (this.#openLink(link, shipped.stories)) return;
    }
    this.tell(story ?? stories[0]);
    this.#seekTo(timeMs, events);
  }

  /** Shows a story from its start. */
  tell(story: Story): void {
    this.#open(new Simulation(story.text, { maxSteps: STEPS_MAX }));
    this.text = story.text;
    this.scenario = story.text;
    this.story = story;
    this.mistake = undefined;
  }

  /** Takes another text. A mistake leaves what is shown as it is. */
  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    try {
      const { nowMs } = this;
      this.#open(new Simulation(text, { maxSteps: STEPS_MAX }));
      this.scenario = text;
      this.story = undefined;
      this.mistake = undefined;
      this.seek(Math.min(nowMs, this.endMs));
    } catch (error) {
      if (error instanceof StepLimitError) this.trouble = `This scenario is too long: ${TOO_LONG}`;
      else if (error instanceof ScenarioError) this.mistake = error;
      else throw error;
    }
  }

  /** Shows a schedule that was found, at its moment. */
  show(scenario: string, timeMs: number): void {
    this.edit(print(JSON.parse(scenario) as Json));
    this.seek(timeMs);
  }

  /** Changes a setting of the scenario. */
  set(change: Change): void {
    const believed = this.timeline.beliefs[0];
    const runner = this.state.nodes.find((node) => node.retryMs !== null);
    const pauseAt = { node: believed?.client ?? runner?.name ?? '', atMs: (believed?.fromMs ?? 0) + 1_000 };
    this.pause();
    this.edit(withSettings(this.scenario, change, pauseAt));
  }

  /** The scenario's own words. */
  get about(): { name: string; description: string } {
    const { name = '', description = '' } = JSON.parse(this.scenario) as { name?: string; description?: string };
    return { name, description };
  }

  /** The address of what is shown; `undefined` as long as nothing is. */
  get address(): Pick<Address, 'events' | 'link' | 'story' | 'timeMs'> | undefined {
    if (this.#simulation === undefined) return undefined;
    if (this.story === undefined || this.branch !== 0) return { link: this.link() };
    return { story: this.story, timeMs: this.nowMs, events: this.happened };
  }

  // -- time

  /** Goes to a time, after everything that happens at it. */
  seek(timeMs: number): void {
    const wholeMs = Math.round(Math.min(Math.max(timeMs, 0), this.endMs));
    this.#move((simulation) => simulation.seek({ timeMs: wholeMs }));
  }

  /** Goes to right after an event. */
  seekEvent(index: number): void {
    this.#move((simulation) => simulation.seek({ event: index + 1 }));
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

  /** Lets time pass at the pace of the story, to its moment, or to the end if that has passed. */
  play(): void {
    if (this.playing) return;
    if (this.nowMs >= this.endMs) this.seek(0);
    const untilMs = this.nowMs < this.momentMs ? this.momentMs : this.endMs;
    const pace = Math.max(this.momentMs, 1) / STORY_MS;
    const jumps = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const [fromMs, started] = [this.nowMs, performance.now()];
    this.playing = true;
    // One that was paused may have a frame to come, which is none of the next one's.
    const turn = ++this.#turn;
    const frame = (): void => {
      if (!this.playing || turn !== this.#turn) return;
      const timeMs = Math.min(fromMs + (performance.now() - started) * pace, untilMs);
      if (!jumps || timeMs >= untilMs || this.#happenedBy(timeMs) !== this.happened) {
        this.#move((simulation) => simulation.seek({ timeMs: Math.floor(timeMs) }), true);
      }
      if (timeMs >= untilMs) this.playing = false;
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause(): void {
    this.playing = false;
  }

  // -- branches

  /** Does something now, in a branch of its own. */
  act(action: ScenarioAct, words: string): void {
    this.#act(words, (simulation) => simulation.act(action));
  }

  /** Loses a message, or has it take longer. */
  interfere(message: SimulationMessage, delayMs: number | undefined, words: string): void {
    const index = this.timeline.events.findIndex((event) => event.id === message.cause);
    if (index < 0) return;
    const { from, to } = message;
    this.#act(words, (simulation) => {
      // Before it is sent, and after whatever happened before that.
      simulation.seek({ event: index });
      while (simulation.eventCount > index && simulation.stepBack());
      if (delayMs === undefined) {
        simulation.act({ do: 'drop', from, to, count: 1 });
        return;
      }
      const usualMs = (message.arrivesMs ?? message.sentMs) - message.sentMs;
      simulation.act({ do: 'latency', from, to, oneWay: true, latency: durationText(usualMs + delayMs) });
      while (simulation.eventCount <= index && simulation.step().length > 0);
      simulation.act({ do: 'latency', from, to, oneWay: true, latency: durationText(usualMs) });
    });
  }

  switchTo(branch: number): void {
    if (branch < 0 || branch >= this.branches.length) return;
    this.pause();
    this.#move((simulation) => simulation.switchTo(branch));
    this.#look(this.#simulation?.timeline());
  }

  // -- what can be taken home

  /** The whole branch in a form that other tools read. */
  export(format: TraceFormat): string {
    return this.#atEnd((simulation) => simulation.export(format));
  }

  /** A text from which others make the whole branch. */
  branchLink(): string {
    return this.#atEnd((simulation) => simulation.link());
  }

  /** A text that brings others to this very place. */
  link(): string {
    return this.#simulation?.link({ stories: storyTexts }) ?? '';
  }

  // -- inside

  #atEnd(tell: (simulation: Simulation) => string): string {
    const simulation = this.#simulation;
    if (simulation === undefined) return '';
    const here = simulation.snapshot();
    simulation.seek({ timeMs: this.endMs });
    const text = tell(simulation);
    simulation.restore(here);
    return text;
  }

  #openLink(link: string, shipped: typeof storyTexts): boolean {
    try {
      const simulation = Simulation.fromLink(link, { stories: shipped, maxSteps: STEPS_MAX });
      const here = simulation.snapshot();
      this.#open(simulation);
      this.scenario = print(JSON.parse(simulation.scenario) as Json);
      this.text = this.scenario;
      this.story = undefined;
      this.mistake = undefined;
      this.#move((it) => it.restore(here));
      if (!simulation.isFaithful) {
        this.trouble = 'This link was made by another version of these rules, which tell something else than was seen then.';
      }
      return true;
    } catch (error) {
      const isTooLong = error instanceof StepLimitError;
      if (!isTooLong && !(error instanceof LocketArgumentError || error instanceof ScenarioError)) throw error;
      this.trouble = `This link cannot be read: ${isTooLong ? TOO_LONG : error.message}. Shown is a story instead.`;
      return false;
    }
  }

  /** Shows a simulation, unless it is too long; then what was shown stays. */
  #open(simulation: Simulation): void {
    const here = simulation.snapshot();
    let timeline: SimulationTimeline;
    try {
      // Also a branch that nobody has looked at to its end can be acted on without losing what was shown of it.
      timeline = simulation.timeline();
      simulation.seek({ timeMs: timeline.endMs });
      simulation.restore(here);
    } catch (error) {
      simulation.close();
      throw error;
    }
    this.pause();
    this.#simulation?.close();
    this.#simulation = simulation;
    this.#labels.clear();
    this.#look(timeline);
    this.#move((it) => it.restore(here));
  }

  /** Acts in a branch of its own, which is then told to its end. */
  #act(words: string, act: (simulation: Simulation) => void): void {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    this.pause();
    const before = simulation.snapshot();
    let label: string;
    let here: SimulationPlace;
    let timeline: SimulationTimeline;
    try {
      act(simulation);
      label = `${seconds(simulation.nowMs)}: ${words}`;
      here = simulation.snapshot();
      timeline = simulation.timeline();
      simulation.seek({ timeMs: timeline.endMs });
      simulation.restore(here);
    } catch (error) {
      const isTooLong = error instanceof StepLimitError;
      if (!isTooLong && !(error instanceof LocketArgumentError)) throw error;
      simulation.restore(before);
      this.trouble = `That cannot be done here: ${isTooLong ? TOO_LONG : error.message}`;
      return;
    }
    this.trouble = undefined;
    this.#labels.set(simulation.currentBranch, label);
    this.#look(timeline);
    this.#move((it) => it.restore(here));
  }

  #seekTo(timeMs: number | undefined, events: number | undefined): void {
    if (timeMs === undefined) return;
    this.seek(timeMs);
    // Somewhere within an instant.
    if (events !== undefined && events < this.happened) this.#move((simulation) => simulation.seek({ event: events }));
  }

  /** The place of the last of some events that has happened; -1 if none has. */
  #last(isOne: (event: ScenarioEvent) => boolean): number {
    for (let index = this.happened - 1; index >= 0; index--) {
      const event = this.timeline.events[index];
      if (event !== undefined && isOne(event)) return index;
    }
    return -1;
  }

  #happenedBy(timeMs: number): number {
    const { events } = this.timeline;
    const later = events.findIndex((event) => event.timeMs > timeMs);
    return later < 0 ? events.length : later;
  }

  /** Tells the branch anew. */
  #look(timeline: SimulationTimeline | undefined): void {
    const simulation = this.#simulation;
    if (simulation === undefined || timeline === undefined) return;
    this.timeline = timeline;
    this.cast = simulation.state().nodes;
    this.branch = simulation.currentBranch;
    this.branches = simulation.branches().map(({ from, acts }, number) => ({
      number,
      from,
      done: this.#labels.get(number) ?? (acts === 0 ? 'as the scenario has it' : `with ${acts} things done by hand`),
    }));
  }

  #move(move: (simulation: Simulation) => void, isPlaying = false): void {
    const simulation = this.#simulation;
    if (simulation === undefined) return;
    if (!isPlaying) this.pause();
    move(simulation);
    this.chosen = undefined;
    this.state = simulation.state();
    this.happened = simulation.eventCount;
  }
}

/** When each one's next timer runs out, or it wakes. */
function timersOf({ pending }: SimulationState): Map<string, number> {
  const timers = new Map<string, number>();
  for (const { who, kind, timeMs } of pending) if ((kind === 'timer' || kind === 'wakes') && !timers.has(who)) timers.set(who, timeMs);
  return timers;
}

/** What the author remarks at the moment of an event. */
function noteOf(events: ScenarioEvent[], index: number): ScenarioEvent | undefined {
  const at = events[index]?.timeMs;
  for (let i = index; i >= 0 && events[i]?.timeMs === at; i--) if (events[i]?.kind === 'noted') return events[i];
  return undefined;
}

const NOTHING: SimulationTimeline = {
  endMs: 0, events: [], messages: [], holders: [], beliefs: [], twoOwners: [], outages: [], failures: [], digest: '',
};
