// What a look at an endpoint has found.

/** One thing that was looked at. */
export interface Finding {
  /** `note` is worth knowing, and not why it fails. */
  verdict: 'bad' | 'good' | 'note';
  what: string;
  /** What to do. */
  advice?: string;
}

export const good = (what: string): Finding => ({ verdict: 'good', what });
export const bad = (what: string, advice: string): Finding => ({ verdict: 'bad', what, advice });
export const note = (what: string, advice: string): Finding => ({ verdict: 'note', what, advice });
