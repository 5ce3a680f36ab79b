// The sentence above the stage.

/** A sentence, and another that changes with each frame, which no screen reader could follow. */
export interface Caption {
  words: string;
  ticks?: string;
}
