// A game on the stage: time passes by itself, the visitor's acts change what follows, and once the run has settled the game is over.

import { Clock } from '../base/clock.svelte.js';
import { length } from '../base/picture.js';
import type { Caption } from '../core/sentences.js';
import { paceOf } from '../story/pace.js';
import type { Beat, Letter } from '../story/run.js';
import { type Flight, type Scene, sceneOf } from '../story/scene.js';
import { type Act, ACT_MAX_MS, ACTS_MAX, FREEZE_MAX_MS, type Hold, holdOf, type Played, type PlaySettings } from './acts.js';
import { captionAt } from './caption.js';
import { make, type Made } from './made.js';
import { presenceScene } from './presence.js';

/** A has renewed its lock by then, and B has asked for it. */
export const START_MS = 4_000;
/** Without an act the run begins anew. */
const IDLE_MS = 28_000;
/** The length to begin with of a freeze that is not held: more than a TTL. */
const STEP_MS = 18_000;
/** For so long a message is seen after it was sent. */
const SEEN_MS = 1_200;
/** Acts are between the events of the run, which are at whole tenths, so that nothing happens at the same instant. */
const TENTH_MS = 100;
const BETWEEN_MS = 50;
const APART_MS = 4;
const ACTS_APART = 10;

/** A run to look at in place of the visitor's own, up to a moment, and what it shows. */
export interface Shown {
  made: Made;
  untilMs: number;
  words: string;
}

export class Game {
  settings: PlaySettings = $state.raw() as PlaySettings;
  acts: readonly Act[] = $state.raw([]);
  timeMs = $state.raw(START_MS);
  /** How long a freeze or cut takes that is not held. */
  stepMs = $state.raw(STEP_MS);
  readonly #isStill: () => boolean;
  #own: Made = $state.raw() as Made;
  #shown = $state.raw<Shown | undefined>();
  readonly #clock = new Clock();

  /** `isStill` says whether nothing may move: then a game shows its end at once. */
  constructor({ settings, acts }: Played, isStill: () => boolean) {
    this.settings = settings;
    this.acts = acts;
    this.#isStill = isStill;
    this.#own = make({ settings, acts });
  }

  /** The run on the stage. */
  get made(): Made {
    return this.#shown?.made ?? this.#own;
  }

  readonly caption: Caption = $derived.by(() => {
    const sinceMs = this.#shown === undefined ? this.acts[0]?.atMs : 0;
    const caption = sinceMs === undefined ? undefined : captionAt(this.made, sinceMs, this.timeMs, this.held !== undefined);
    return caption ?? { words: taskOf(this.settings, this.isStill ? this.stepMs : undefined) };
  });
  readonly scene: Scene = $derived.by(() => {
    const { presence, run } = this.made;
    const beat = this.#beatFrom(this.timeMs - SEEN_MS);
    return presence === undefined ? sceneOf(run, beat, this.timeMs) : presenceScene(presence, beat, this.timeMs);
  });
  /** The freeze or cut that lasts for as long as the visitor holds it. */
  readonly held: Hold | undefined = $derived.by(() => {
    const hold = holdOf(this.acts);
    return hold?.untilMs === undefined ? hold : undefined;
  });
  /** When everything has settled; `undefined` before the visitor has done something. */
  readonly endMs: number | undefined = $derived.by(() => this.#shown?.untilMs ?? this.made.overMs);
  readonly isOver: boolean = $derived.by(() => this.endMs !== undefined && this.timeMs >= this.endMs);

  /** True if nothing more can be done. */
  readonly isClosed: boolean = $derived.by(() => this.isOver || (this.held === undefined && (this.acts.length >= ACTS_MAX || this.timeMs > ACT_MAX_MS)));

  /** Time passes from the start, with these acts. */
  begin(acts: readonly Act[] = []): void {
    this.#change(acts, START_MS);
  }

  /** The same acts with other settings, shown at their end. */
  set(settings: PlaySettings): void {
    this.settings = settings;
    this.#change(this.acts, START_MS, true);
  }

  /** True if time does not pass while the visitor looks: then nothing can be held, and a press has the known length. */
  get isStill(): boolean {
    return this.#isStill();
  }

  /** The visitor has pressed a client. */
  press(client: Letter): void {
    if (this.isStill) this.step(client);
    else this.hold(client);
  }

  /** Freezes a client, or cuts a cell off, until it is let go. */
  hold(client: Letter): void {
    if (this.#isFree(client)) this.#act({ do: this.#verb, client, atMs: this.#between(), untilMs: undefined });
  }

  /** True if it may be held: a freeze would end with another one of the same client, while the visitor still holds it. */
  #isFree(client: Letter): boolean {
    return !this.isClosed && this.acts.every((act) => !('untilMs' in act) || (act.untilMs !== undefined && (act.client !== client || act.untilMs <= this.timeMs)));
  }

  get #verb(): Hold['do'] {
    return this.settings.isPresence === true ? 'cut' : 'freeze';
  }

  /** Lets go of what is held. */
  letGo(): void {
    const { held } = this;
    if (held === undefined) return;
    const tenths = Math.max(1, Math.ceil((this.timeMs - held.atMs) / TENTH_MS));
    const untilMs = held.atMs + Math.min(tenths * TENTH_MS, FREEZE_MAX_MS);
    this.#change(this.acts.map((act) => (act === held ? { ...held, untilMs } : act)), Math.max(this.timeMs, untilMs));
  }

  /** The same for a known length, without holding anything. */
  step(client: Letter): void {
    if (!this.#isFree(client)) return;
    const atMs = this.#between();
    this.#act({ do: this.#verb, client, atMs, untilMs: atMs + Math.max(1, Math.round(this.stepMs / TENTH_MS)) * TENTH_MS });
  }

  /** Loses a message on its way. */
  lose({ client, kind }: Flight): void {
    const message = this.made.run.messages.findLast((one) => one.client === client && one.kind === kind && one.sentMs <= this.timeMs && this.timeMs < one.arrivesMs);
    if (message === undefined || this.isClosed) return;
    // The next message on this way, from right before it is sent.
    this.#change([...this.acts, { do: 'lose', client, isAnswer: kind === 'answer', atMs: message.sentMs - 1 }], this.timeMs);
  }

  /** Deletes the row, as an operator does. */
  delete(): void {
    if (!this.isClosed && this.held === undefined) this.#act({ do: 'delete', atMs: this.#between() });
  }

  /** Plays another run. */
  show(shown: Shown): void {
    this.#shown = shown;
    this.#play(0);
  }

  /** The words about another run; `undefined` for the visitor's own. */
  get shownWords(): string | undefined {
    return this.#shown?.words;
  }

  stop(): void {
    this.#clock.stop();
  }

  #act(act: Act): void {
    this.#change([...this.acts, act], act.atMs);
  }

  #between(): number {
    const offset = BETWEEN_MS + (this.acts.length % ACTS_APART) * APART_MS;
    return Math.min(Math.ceil((this.timeMs - offset) / TENTH_MS) * TENTH_MS + offset, ACT_MAX_MS);
  }

  /** @param isAtOnce whether a game that ends is shown at its end, without motion */
  #change(acts: readonly Act[], fromMs: number, isAtOnce = this.isStill): void {
    this.acts = acts;
    this.#shown = undefined;
    this.#own = make({ settings: this.settings, acts });
    this.#play(fromMs, isAtOnce);
  }

  #play(fromMs: number, isAtOnce = this.isStill): void {
    this.stop();
    this.timeMs = isAtOnce ? (this.endMs ?? fromMs) : fromMs;
    if (this.isStill || this.isOver) return;
    const pace = paceOf(this.made.run, this.#beatFrom(fromMs), 0);
    this.#clock.play(pace.lastsMs, (passedMs) => this.#pass(Math.floor(pace.runMs(passedMs))));
  }

  #beatFrom(fromMs: number): Beat {
    return { fromMs, toMs: this.made.run.endMs, pinMs: 0, caption: '' };
  }

  #pass(timeMs: number): void {
    this.timeMs = Math.min(timeMs, this.endMs ?? Infinity);
    const { held } = this;
    if (held !== undefined && this.timeMs - held.atMs >= FREEZE_MAX_MS) this.letGo();
    else if (this.acts.length === 0 && this.endMs === undefined && this.timeMs >= IDLE_MS) this.begin();
    else if (this.isOver) this.stop();
  }
}

/** @param stepMs the length of a freeze where nothing can be held */
function taskOf({ isPresence = false }: PlaySettings, stepMs?: number): string {
  const [act, question] = isPresence ? ['cut it off', 'Will its work run twice?'] : ['freeze it', 'Can you make two owners?'];
  return stepMs === undefined ? `Hold A to ${act}. ${question}` : `Press A to ${act} for ${length(stepMs)}. ${question}`;
}
