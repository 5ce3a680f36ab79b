// Messages of the diagram, with as much detail as the zoom has room for.

import type { SimulationMessage, SimulationTimeline } from '../simulation/timeline.js';
import type { Lane, Lanes } from './lanes.js';
import type { Layer, SceneInput } from './layer.js';

/** How much of messages is drawn: each with its arrowhead, one tick per attempt, how many there are, or none. */
type Detail = 'density' | 'messages' | 'none' | 'ticks';

/** A message as it is drawn. */
export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  message: SimulationMessage;
}

/** Seconds a pixel up to which each detail is drawn. */
const DETAILS: readonly [upTo: number, detail: Detail][] = [[0.1, 'messages'], [1, 'ticks'], [10, 'density']];
/** Lines start and end beside the bars, not under them. */
const BESIDE = 15;
const HEAD = 5;
const TICK = 5;

/** More messages than this are no longer told apart, and take the browser longer than a frame. */
const MESSAGES_MAX = 600;

function detailOf(fromMs: number, toMs: number, width: number, messages: number): Detail {
  const secondsPerPixel = (toMs - fromMs) / 1_000 / Math.max(width, 1);
  const detail = DETAILS.find(([upTo]) => secondsPerPixel < upTo)?.[1] ?? 'none';
  return detail === 'messages' && messages > MESSAGES_MAX ? 'ticks' : detail;
}

/** The marks of messages, and how much of them they tell. */
export function messageLayers(input: SceneInput): { layers: Layer[]; detail: Detail } {
  const { fromMs, toMs, width, lanes } = input;
  const messages = inView(input.timeline.messages, fromMs, toMs);
  const detail = detailOf(fromMs, toMs, width, messages.length);
  if (detail === 'messages') return { layers: [...lineLayers(input), dotLayer(input)], detail };
  if (detail === 'none') return { layers: [], detail };
  const { attempts } = marksOf(input.timeline, lanes);
  return { layers: [detail === 'ticks' ? tickLayer(input, inTime(attempts, fromMs, toMs)) : densityLayer(input, inTime(attempts, fromMs, toMs))], detail };
}

/** The messages that are sent in view, and those that may still be on their way; they come by the time of sending. */
function inView(messages: readonly SimulationMessage[], fromMs: number, toMs: number): SimulationMessage[] {
  return inTime(messages, fromMs - ON_THE_WAY_MS, toMs).filter(({ sentMs, arrivesMs }) => (arrivesMs ?? sentMs) >= fromMs);
}

/** A message that takes longer than this is not looked for once it is out of view. */
const ON_THE_WAY_MS = 3_600_000;

/** The messages sent within a time, in the order of sending. */
function inTime<Sent extends { sentMs: number }>(all: readonly Sent[], fromMs: number, toMs: number): Sent[] {
  return all.slice(firstAfter(all, fromMs - 1), firstAfter(all, toMs));
}

/** The place of the first one that is sent after a moment. */
function firstAfter(all: readonly { sentMs: number }[], ms: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.sentMs ?? Infinity) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The messages in view as lines from their sending to their arrival. */
export function linesOf({ timeline, lanes, x, fromMs, toMs }: SceneInput): Line[] {
  return inView(timeline.messages, fromMs, toMs).flatMap((message): Line[] => {
    const client = message.isAnswer ? message.to : message.from;
    const [from, to] = [lanes.laneOf(message.from, client), lanes.laneOf(message.to, client)];
    if (from === undefined || to === undefined || from === to) return [];
    const [y1, end] = [edgeOf(lanes, from, to), edgeOf(lanes, to, from)];
    // A lost message ends halfway.
    const y2 = message.fate === 'lost' ? (y1 + end) / 2 : end;
    return [{ x1: x(message.sentMs), y1, x2: x(message.arrivesMs ?? message.sentMs), y2, message }];
  });
}

function edgeOf({ areDense }: Lanes, lane: Lane, towards: Lane): number {
  const beside = areDense || lane.kind === 'locket' || lane.kind === 'database' ? 0 : BESIDE;
  return lane.middle + Math.sign(towards.middle - lane.middle) * beside;
}

function lineLayers(input: SceneInput): Layer[] {
  const { timeline, colour, ownerOf, lanes } = input;
  const { refusals } = marksOf(timeline, lanes);
  const paths = new Map<string, string>();
  const add = (id: string, d: string): void => void paths.set(id, (paths.get(id) ?? '') + d);
  for (const line of linesOf(input)) {
    const { message } = line;
    if (message.fate !== 'arrives') {
      add('lost', `${segment(line)}${cross(line)}`);
      continue;
    }
    const client = message.isAnswer ? message.to : message.from;
    const isClient = lanes.byId.get(`node:${client}`)?.kind === 'client';
    const isRefused = message.isAnswer && message.cause !== null && refusals.has(message.cause);
    const id = isRefused || !isClient ? 'plain' : `owner-${colour(ownerOf(client))}`;
    add(id, `${segment(line)}${isRefused ? flat(line) : head(line)}`);
  }
  return [...paths].map(([id, d]): Layer => ({
    id: `message-${id}`, d, fill: 'none', stroke: id === 'lost' ? 'danger' : id === 'plain' ? 'line-strong' : id, strokeWidth: id === 'lost' ? 1.75 : 1.4,
  }));
}

/** The marks of a timeline, computed once: zooming reads them again and again. */
interface Marks {
  lanes: Lanes;
  /** The numbers of the events in which Locket refuses. */
  refusals: ReadonlySet<number>;
  /** The calls of clients, by the time of sending. */
  attempts: readonly Mark[];
  /** The events of servers. */
  dots: readonly Mark[];
}

interface Mark { sentMs: number; lane: Lane }

const MARKS = new WeakMap<SimulationTimeline, Marks>();

function marksOf(timeline: SimulationTimeline, lanes: Lanes): Marks {
  const known = MARKS.get(timeline);
  if (known !== undefined && known.lanes === lanes) return known;
  const marksIn = (all: readonly { sentMs: number; who: string }[], isOne: (lane: Lane) => boolean): Mark[] => all.flatMap(({ sentMs, who }) => {
    const lane = lanes.byId.get(`node:${who}`);
    return lane !== undefined && isOne(lane) ? [{ sentMs, lane }] : [];
  });
  const marks = {
    lanes,
    refusals: new Set(timeline.events.flatMap(({ id, kind, ok }) => (id !== null && kind === 'handled' && ok === false ? [id] : []))),
    attempts: marksIn(timeline.messages.filter(({ isAnswer }) => !isAnswer).map(({ from, sentMs }) => ({ sentMs, who: from })), ({ kind }) => kind === 'client'),
    dots: marksIn(timeline.events.map(({ timeMs, who }) => ({ sentMs: timeMs, who })), ({ kind }) => kind !== 'client'),
  };
  MARKS.set(timeline, marks);
  return marks;
}

/** A dot for every event, where nothing else shows it. */
function dotLayer({ timeline, lanes, x, fromMs, toMs }: SceneInput): Layer {
  const d = inTime(marksOf(timeline, lanes).dots, fromMs, toMs).map(({ sentMs, lane }) => `M${x(sentMs).toFixed(1)} ${lane.middle}h0`);
  return { id: 'dots', d: [...new Set(d)].join(''), fill: 'none', stroke: 'ink-soft', strokeWidth: 5 };
}

function tickLayer({ x }: SceneInput, attempts: readonly Mark[]): Layer {
  // One for each pixel.
  const last = new Map<Lane, number>();
  const places = attempts.map(({ sentMs, lane }) => {
    const at = Math.round(x(sentMs));
    if (last.get(lane) === at) return '';
    last.set(lane, at);
    return `M${at} ${lane.middle - TICK / 2}v${TICK}`;
  });
  return { id: 'ticks', d: places.join(''), fill: 'none', stroke: 'line-strong', strokeWidth: 1 };
}

/** The more attempts in a few pixels, the higher. */
function densityLayer({ x }: SceneInput, attempts: readonly Mark[]): Layer {
  const counts = new Map<Lane, Map<number, number>>();
  let most = 1;
  for (const { sentMs, lane } of attempts) {
    const place = Math.round(x(sentMs) / BIN) * BIN;
    const own = counts.get(lane) ?? new Map<number, number>();
    const count = (own.get(place) ?? 0) + 1;
    most = Math.max(most, count);
    counts.set(lane, own.set(place, count));
  }
  const d = [...counts].flatMap(([{ middle }, own]) => [...own].map(([place, count]) => `M${place} ${middle + TICK}v${-Math.max(1, Math.round((count / most) * TICK * 2))}`));
  return { id: 'density', d: d.join(''), fill: 'none', stroke: 'line-strong', strokeWidth: BIN - 1 };
}

/** So many pixels are counted together. */
const BIN = 3;

function segment({ x1, y1, x2, y2 }: Line): string {
  return `M${x1.toFixed(1)} ${y1}L${x2.toFixed(1)} ${y2}`;
}

/** An arrowhead at the end of a line. */
function head({ x1, y1, x2, y2 }: Line): string {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const wing = (turn: number): string => `${(x2 - HEAD * Math.cos(angle + turn)).toFixed(1)} ${(y2 - HEAD * Math.sin(angle + turn)).toFixed(1)}`;
  return `M${wing(0.5)}L${x2.toFixed(1)} ${y2}L${wing(-0.5)}`;
}

function flat({ x2, y2 }: Line): string {
  return `M${(x2 - HEAD).toFixed(1)} ${y2}h${2 * HEAD}`;
}

function cross({ x2, y2 }: Line): string {
  return `M${(x2 - 5).toFixed(1)} ${y2 - 5}l10 10m0 -10l-10 10`;
}

/** How far from a line a point may be and still mean it. */
const NEAR = 6;

/** The line under a point, if there is one. */
export function nearest(lines: readonly Line[], px: number, py: number): Line | undefined {
  const near = lines.map((line) => ({ line, away: distance(line, px, py) })).filter(({ away }) => away < NEAR);
  return near.sort((a, b) => a.away - b.away)[0]?.line;
}

function distance({ x1, y1, x2, y2 }: Line, px: number, py: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : Math.min(Math.max(((px - x1) * dx + (py - y1) * dy) / squared, 0), 1);
  return Math.hypot(px - x1 - along * dx, py - y1 - along * dy);
}
