// The shipped stories: which, in which order, and the moment that each is about. Their texts are the package's, which links need too.

import { stories as texts } from 'locket-wasm/stories';

/** A scenario that tells something. */
export interface Story {
  /** The file's name without its ending; what links say. */
  id: string;
  title: string;
  /** The moment at which it stops to be looked at. */
  momentMs: number;
  /** The scenario. */
  text: string;
}

// Begins with the one that shows the most at a glance.
export const stories: readonly [Story, ...Story[]] = [
  story('holder-paused-longer-than-its-ttl', 'A freeze longer than the TTL', 26_000),
  story('first-attempt-has-no-deadline', 'The first attempt has no deadline', 25_000),
  story('one-lost-renewal-before-october-2025', 'One lost renewal', 24_000),
  story('late-release-after-a-restart', 'A late Release', 17_900),
  story('modified-index-is-no-token', 'A late write', 37_000),
  story('failover-loses-the-insert', 'A failover loses a commit', 4_500),
  story('operator-evicts-the-holder', 'An operator deletes the lock', 9_500),
  story('collision-while-the-holder-renews', 'Collision', 17_000),
  story('lock-that-nobody-renews-expires', 'Expiry and takeover', 17_000),
  story('holder-hands-over-cleanly', 'A handover', 12_000),
  story('holder-crashes', 'The owner crashes', 22_000),
  story('all-locket-processes-restart', 'Locket restarts', 32_000),
  story('presence-comes-back-after-a-gap', 'A presence comes back', 30_000),
];

function story(id: string, title: string, momentMs: number): Story {
  return { id, title, momentMs, text: texts[id] ?? '' };
}

export function storyNamed(id: string | null): Story | undefined {
  return stories.find((story) => story.id === id);
}

/** Their texts by name: links to what was made of them say only what is different. */
export const storyTexts = Object.fromEntries(stories.map(({ id, text }) => [id, text]));
