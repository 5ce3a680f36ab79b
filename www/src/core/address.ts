// The page's state as the part of its address behind the `#`, and back.
//
// A story as shipped is named; anything else is a link of the package, which carries scenario, acts and cursor.

import type { Story } from './stories.js';
import { storyNamed } from './stories.js';

export type ViewName = 'diagram' | 'map' | 'editor' | 'live';

export const VIEWS: readonly ViewName[] = ['diagram', 'map', 'editor', 'live'];

/** What an address says. */
export interface Address {
  view: ViewName;
  /** A shipped story, untouched. */
  story?: Story | undefined;
  /** A moment of it, and how many events have happened by then. */
  timeMs?: number | undefined;
  events?: number | undefined;
  /** Anything else. */
  link?: string | undefined;
  /** What could not be understood, for people. */
  trouble?: string | undefined;
}

const VERSION = '1';

export function readAddress(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const version = params.get('v') ?? VERSION;
  const name = params.get('story');
  const story = storyNamed(name);
  const troubles = [
    version === VERSION ? '' : `This link is of another version of this page (${version}); what could be read of it is shown.`,
    name !== null && story === undefined ? `There is no story named “${name}”.` : '',
  ];
  return {
    view: VIEWS.find((view) => view === params.get('view')) ?? 'diagram',
    story,
    timeMs: wholeNumber(params.get('t')),
    events: wholeNumber(params.get('e')),
    link: params.get('sim') ?? undefined,
    trouble: troubles.filter(Boolean).join(' ') || undefined,
  };
}

export function writeAddress({ view, story, timeMs, events, link }: Address): string {
  const params = new URLSearchParams({ v: VERSION });
  if (view !== 'diagram') params.set('view', view);
  if (story !== undefined) params.set('story', story.id);
  if (timeMs !== undefined) params.set('t', String(timeMs));
  if (events !== undefined) params.set('e', String(events));
  if (link !== undefined) params.set('sim', link);
  return `#${params.toString()}`;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
