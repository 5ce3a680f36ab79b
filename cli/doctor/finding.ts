// The findings about an endpoint.

/** The result of one check. */
export interface EndpointFinding {
  /** A `note` is useful, but not the cause of a failure. */
  verdict: 'bad' | 'good' | 'note';
  what: string;
  /** The remedy. */
  advice?: string;
}

export const good = (what: string): EndpointFinding => ({ verdict: 'good', what });
export const bad = (what: string, advice: string): EndpointFinding => ({ verdict: 'bad', what, advice });
export const note = (what: string, advice: string): EndpointFinding => ({ verdict: 'note', what, advice });
