// The clock of whatever plays on the page: story, game and diagram.

export class Clock {
  playing = $state.raw(false);
  #frame = 0;

  /** Shows each frame until it has played for so long, in milliseconds of the person who watches. */
  play(lastsMs: number, show: (passedMs: number) => void, fromMs = 0): void {
    this.stop();
    this.playing = true;
    const began = performance.now() - fromMs;
    const draw = (): void => {
      const passedMs = Math.min(performance.now() - began, lastsMs);
      this.playing = passedMs < lastsMs;
      if (this.playing) this.#frame = requestAnimationFrame(draw);
      // It may stop the clock.
      show(passedMs);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
  }
}
