// The instrument's state as the part of the page's address behind the `#`, and back.
//
// A story as shipped is named; anything else is a link of the package, which carries scenario, acts and cursor.

import type { MapAxis } from 'locket-wasm/types';

import { isAxis } from './map.js';
import { DELAY_MAX_MS } from './questions.js';
import { type RunnerKind, RUNNERS } from './settings.js';
import type { Story } from './stories.js';
import { storyNamed } from './stories.js';
import { type ViewName, VIEWS } from './views.js';

/** The content of an address. */
export interface Address {
  view: ViewName;
  /** A shipped story, untouched. */
  story?: Story | undefined;
  /** A moment of it, and how many events have happened by then. */
  timeMs?: number | undefined;
  events?: number | undefined;
  /** Anything else. */
  link?: string | undefined;
  /** The branches besides it. */
  beside?: Beside | undefined;
  /** The latency bound of the checker's questions. */
  delayMs?: number | undefined;
  /** The axis of the map, and its runner. */
  axis?: MapAxis | undefined;
  runner?: RunnerKind | undefined;
  /** The parts that could not be read, as a message. */
  problem?: string | undefined;
}

/** The branches of a run besides the one that is shown. */
export interface Beside {
  /** The place of the one that is shown among all of them. */
  at: number;
  /** The place of the branch that each one left; `undefined` for the first. */
  parent: number | undefined;
  others: readonly { parent: number | undefined; link: string }[];
}

const VERSION = '1';

export function readAddress(hash: string): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const version = params.get('v') ?? VERSION;
  const name = params.get('story');
  const story = storyNamed(name);
  const axis = params.get('axis');
  const problems = [
    version === VERSION ? '' : `This link is for another version of this page (${version}); the page shows the parts that it can read.`,
    name !== null && story === undefined ? `There is no story named “${name}”.` : '',
  ];
  return {
    view: VIEWS.find((view) => view === params.get('view')) ?? 'diagram',
    story,
    timeMs: wholeNumber(params.get('t')),
    events: wholeNumber(params.get('e')),
    link: params.get('sim') ?? undefined,
    beside: readBeside(params),
    delayMs: atMost(wholeNumber(params.get('within')), DELAY_MAX_MS),
    axis: isAxis(axis) ? axis : undefined,
    runner: RUNNERS.find(([runner]) => runner === params.get('runner'))?.[0],
    problem: problems.filter(Boolean).join(' ') || undefined,
  };
}

function readBeside(params: URLSearchParams): Beside | undefined {
  const [at, parent] = (params.get('n') ?? '').split('.');
  const others = params.getAll('b').map((text) => ({ parent: wholeNumber(text.split('.')[0] ?? ''), link: text.slice(text.indexOf('.') + 1) }));
  return others.length === 0 ? undefined : { at: Math.min(wholeNumber(at ?? '') ?? 0, others.length), parent: wholeNumber(parent ?? ''), others };
}

export function writeAddress({ view, story, timeMs, events, link, beside, delayMs, axis, runner }: Address): string {
  const params = new URLSearchParams({ v: VERSION });
  if (view !== 'diagram') params.set('view', view);
  if (delayMs !== undefined) params.set('within', String(delayMs));
  if (axis !== undefined) params.set('axis', axis);
  if (runner !== undefined) params.set('runner', runner);
  if (story !== undefined) params.set('story', story.id);
  if (timeMs !== undefined) params.set('t', String(timeMs));
  if (events !== undefined) params.set('e', String(events));
  if (link !== undefined) params.set('sim', link);
  if (beside !== undefined) params.set('n', [beside.at, beside.parent ?? ''].join('.'));
  for (const { parent, link: other } of beside?.others ?? []) params.append('b', `${parent ?? ''}.${other}`);
  return `#${params.toString()}`;
}

function atMost(value: number | undefined, most: number): number | undefined {
  return value !== undefined && value <= most ? value : undefined;
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
