// The instrument's state as the part of the page's address behind the `#`, and back.
//
// A story as shipped is named; anything else is a link of the package, which carries scenario, acts and cursor.

import type { MapAxis } from 'locket-wasm/types';

import { type Drift, DRIFTS, FREEZE_MAX_S, isAxis } from './map.js';
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
  /** A moment of it, and how many things of that instant have happened. */
  timeMs?: number | undefined;
  count?: number | undefined;
  /** The event that is looked at, if the run cannot be right after it. */
  event?: number | undefined;
  /** Anything else. */
  link?: string | undefined;
  /** The latency bound of the checker's questions. */
  delayMs?: number | undefined;
  /** True if the visitor's own settings are asked for. */
  asksOwn?: boolean | undefined;
  /** The axis of the map, its runner, the drift of its clocks, and the worst freeze. */
  axis?: MapAxis | undefined;
  runner?: RunnerKind | undefined;
  drift?: Drift | undefined;
  freezeS?: number | undefined;
  /** The parts that could not be read, as a message. */
  problem?: string | undefined;
}

const VERSION = '1';

export function readAddress(hash: string): Address {
  const text = hash.replace(/^#/, '');
  // `locket-wasm explore` prints a link alone.
  const params = new URLSearchParams(/^l\d+\./.test(text) ? { sim: text } : text);
  const version = params.get('v') ?? VERSION;
  const name = params.get('story');
  const story = storyNamed(name);
  const axis = params.get('axis');
  const view = VIEWS.find((one) => one === params.get('view'));
  const read = {
    story,
    timeMs: wholeNumber(params.get('t')),
    count: wholeNumber(params.get('n')),
    event: wholeNumber(params.get('e')),
    link: params.get('sim') ?? undefined,
    delayMs: wholeNumber(params.get('within'), DELAY_MAX_MS),
    asksOwn: params.get('own') === '1' || undefined,
    axis: isAxis(axis) ? axis : undefined,
    runner: RUNNERS.find(([runner]) => runner === params.get('runner'))?.[0],
    drift: DRIFTS.find((percent) => percent === params.get('drift')),
    freezeS: wholeNumber(params.get('freeze'), FREEZE_MAX_S),
  };
  const parts: Record<string, unknown> = { v: version, view, story: story ?? name, t: read.timeMs, n: read.count, e: read.event, sim: read.link, within: read.delayMs, own: read.asksOwn, axis: read.axis, runner: read.runner, drift: read.drift, freeze: read.freezeS };
  const unread = [...params].filter(([part]) => parts[part] === undefined).map(([part, value]) => (value === '' ? part : `${part}=${value}`).slice(0, 40));
  const problems = [
    version === VERSION ? '' : `This link is for another version of this page (${version}); the page shows the parts that it can read.`,
    name !== null && story === undefined ? `There is no story named “${name}”.` : '',
    unread.length === 0 ? '' : `The page cannot read this of the link: ${unread.join(', ')}.`,
  ];
  return { ...read, view: view ?? 'diagram', problem: problems.filter(Boolean).join(' ') || undefined };
}

export function writeAddress({ view, story, timeMs, count, event, link, delayMs, axis, runner, drift, freezeS }: Address): string {
  const parts = { v: VERSION, view: view === 'diagram' ? undefined : view, within: delayMs, axis, runner, drift, freeze: freezeS, story: story?.id, t: timeMs, n: count, e: event, sim: link };
  return `#${new URLSearchParams(Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))).toString()}`;
}

function wholeNumber(text: string | null, most = Infinity): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}
