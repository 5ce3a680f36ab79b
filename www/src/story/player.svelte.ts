// Where in its beats the stage is, and how it goes on. Beat 1 plays by itself; every later one waits for the visitor.

import { Clock } from '../base/clock.svelte.js';
import { type Pace, paceOf } from './pace.js';
import type { Beat, Run } from './run.js';
import { type Scene, sceneOf } from './scene.js';

/** How long "Play all" waits after each beat. */
export const READING_MS = 1_500;

/** The visitor's control of a run on the stage. */
export class Player {
  readonly run: Run;
  /** The beat, from 0. */
  beat = $state.raw(0);
  /** How long it has played. */
  showMs = $state.raw(0);

  readonly #clock = new Clock();
  readonly #paces: readonly Pace[];
  readonly #isStill: () => boolean;
  #playsAll = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `isStill` says whether nothing may move: then each beat is shown at its end. */
  constructor(run: Run, isStill: () => boolean) {
    this.run = run;
    this.#isStill = isStill;
    this.#paces = run.beats.map((beat) => paceOf(run, beat));
  }

  get #pace(): Pace {
    return this.#paces[this.beat] ?? { lastsMs: 0, runMs: () => 0 };
  }

  get #beat(): Beat {
    return this.run.beats[this.beat] ?? { fromMs: 0, toMs: 0, pinMs: 0, caption: '' };
  }

  get caption(): string {
    return this.#beat.caption;
  }

  get scene(): Scene {
    return sceneOf(this.run, this.#beat, Math.floor(this.#pace.runMs(this.showMs)));
  }

  get isBeatOver(): boolean {
    return this.showMs >= this.#pace.lastsMs;
  }

  get isLast(): boolean {
    return this.beat === this.run.beats.length - 1;
  }

  /** True if all has been shown. */
  get isOver(): boolean {
    return this.isLast && this.isBeatOver;
  }

  /** Plays the beat after this one. */
  next(): void {
    if (!this.isLast) this.play(this.beat + 1);
    else if (!this.isBeatOver) this.showEnd(this.beat);
  }

  /** Shows the beat before this one at its end. */
  back(): void {
    if (this.beat > 0) this.showEnd(this.beat - 1);
  }

  /** Plays all beats from here, or from the first if all has been shown, with time to read after each. */
  playAll(): void {
    const from = this.isOver ? 0 : this.isBeatOver ? this.beat + 1 : this.beat;
    this.play(from, this.isBeatOver ? 0 : this.showMs);
    this.#playsAll = true;
    if (!this.#clock.playing) this.#rest();
  }

  /** Plays a beat from its start. */
  play(beat: number, fromMs = 0): void {
    if (this.#isStill()) return this.showEnd(beat);
    this.stop();
    this.beat = beat;
    this.showMs = fromMs;
    this.#clock.play(this.#pace.lastsMs, (passedMs) => {
      this.showMs = passedMs;
      if (this.isBeatOver) this.#rest();
    }, fromMs);
  }

  /** Shows a beat at its end, without motion. */
  showEnd(beat: number): void {
    this.stop();
    this.beat = Math.min(beat, this.run.beats.length - 1);
    this.showMs = this.#pace.lastsMs;
  }

  /** Stops here. */
  stop(): void {
    this.#clock.stop();
    clearTimeout(this.#timer);
    this.#playsAll = false;
  }

  #rest(): void {
    if (!this.#playsAll || this.isLast) return this.stop();
    this.#timer = setTimeout(() => this.playAll(), READING_MS);
  }
}
