// The marks of a run's diagram, as a plain function of its timeline. So the page and the exported picture draw the same. A path has
// many marks, so a long run needs no more elements than a short one.

import { length } from '../base/times.js';
import type { Lane } from './lanes.js';
import type { Layer, SceneInput } from './layer.js';
import { messageLayers } from './message-marks.js';

/** Words on a plain ground of their own, so that they can be read wherever they stand. */
export interface Label {
  x: number;
  y: number;
  text: string;
  anchor: 'middle' | 'start';
  tone: 'danger' | 'ink' | 'soft';
}

/** The scene. */
export interface Scene {
  layers: Layer[];
  labels: Label[];
  detail: 'density' | 'messages' | 'none' | 'ticks';
}

const TRUTH_HEIGHT = 30;
const BELIEF_HEIGHT = 24;
/** An overlap or a gap is seen however short it is. */
const SEEN_MIN = 3;
/** A lane that is so high has room for words beneath its bar. */
const ROOMY = 80;
/** So many pixels a letter of a label takes at 12.5 px, a little more than it is. */
const LETTER = 7.2;

/** The scene of a part of a run. */
export function sceneOf(input: SceneInput): Scene {
  const { layers, detail } = messageLayers(input);
  const bars = new Bars(input);
  return { layers: [...bars.behind(), ...bars.truths(), ...bars.beliefs(), ...bars.overlaps(), ...layers], labels: bars.labels, detail };
}

/** The plain ground of words, as wide as they are. */
export function groundOf({ x, text, anchor }: Label): { left: number; width: number } {
  const width = text.length * LETTER + 10;
  return { left: anchor === 'middle' ? x - width / 2 : x - 5, width };
}

interface Span { fromMs: number; toMs: number }

class Bars {
  readonly labels: Label[] = [];
  readonly #input: SceneInput;

  constructor(input: SceneInput) {
    this.#input = input;
  }

  /** Marks behind all bars: the columns of overlaps, and clients that are frozen or down. */
  behind(): Layer[] {
    const { timeline, lanes } = this.#input;
    const columns = timeline.twoOwners.map((span) => {
      const own = lanes.all.filter((lane) => lane.key === span.key);
      const [first, last] = [own[0], own.at(-1)];
      if (first === undefined || last === undefined) return '';
      this.#label(span, first.top + 11, length(span.toMs - span.fromMs), 'danger', 0);
      return this.#rect(span, first.top, last.top + last.height - first.top, SEEN_MIN);
    });
    return [
      { id: 'column', d: columns.join(''), fill: 'danger', fillOpacity: 0.1, stroke: 'none' },
      ...(['paused', 'down'] as const).map((status): Layer => ({ id: status, d: this.#outages(status), fill: `pattern:${status}`, stroke: 'none' })),
    ];
  }

  /** Solid: the owner of the lock. Dashed: the lock is free between two owners. */
  truths(): Layer[] {
    const { timeline, colour, names, lanes } = this.#input;
    const byLane = new Map<string, Span[]>();
    const solid = this.#byColour(timeline.holders, ({ key, owner, ...span }) => {
      const lane = lanes.byId.get(`row:${key}`);
      if (lane === undefined) return undefined;
      byLane.set(lane.id, [...(byLane.get(lane.id) ?? []), span]);
      this.#label(span, lane.middle, names(owner), 'ink', 16);
      return { index: colour(owner), d: this.#bar(lane, span, TRUTH_HEIGHT) };
    });
    return [
      ...solid.map(({ index, d }): Layer => ({ id: `truth-${index}`, d, fill: `owner-${index}`, stroke: 'none' })),
      { id: 'free', d: [...byLane].map(([id, spans]) => this.#gaps(lanes.byId.get(id), spans)).join(''), fill: 'none', stroke: 'line-strong', dash: '4 3' },
    ];
  }

  /** Outlined: a client believes it holds the lock. */
  beliefs(): Layer[] {
    const { timeline, lanes, colour, ownerOf } = this.#input;
    const outlined = this.#byColour(timeline.beliefs, ({ client, ...span }) => {
      const lane = lanes.byId.get(`node:${client}`);
      if (lane === undefined) return undefined;
      if (!lanes.areDense) this.#labelBelief(client, span, lane.middle);
      return { index: colour(ownerOf(client)), d: this.#bar(lane, span, BELIEF_HEIGHT) };
    });
    return outlined.map(({ index, d }): Layer => ({ id: `belief-${index}`, d, fill: `owner-${index}`, fillOpacity: 0.16, stroke: `owner-${index}`, strokeWidth: 1.5 }));
  }

  overlaps(): Layer[] {
    const { timeline, lanes } = this.#input;
    const d = timeline.twoOwners.flatMap(({ key, clients, ...span }) =>
      clients.map((client) => {
        // With its clients folded the lock itself says that it has two owners.
        const lane = lanes.byId.get(`node:${client}`) ?? lanes.byId.get(`row:${key}`);
        return lane === undefined ? '' : this.#bar(lane, span, BELIEF_HEIGHT, SEEN_MIN);
      }),
    );
    return [{ id: 'overlap', d: d.join(''), fill: 'pattern:hatch', stroke: 'danger', strokeWidth: 1.5 }];
  }

  /** In the longest part of a belief with nothing else on it: neither dots nor a hatch. */
  #labelBelief(client: string, { fromMs, toMs }: Span, y: number): void {
    const { twoOwners, outages } = this.#input.timeline;
    const covers = [...twoOwners.filter(({ clients }) => clients.includes(client)), ...outages.filter(({ node }) => node === client)];
    const parts: Span[] = [];
    let freeMs = fromMs;
    for (const cover of covers.sort((one, other) => one.fromMs - other.fromMs)) {
      if (cover.fromMs < toMs) parts.push({ fromMs: freeMs, toMs: cover.fromMs });
      freeMs = Math.max(freeMs, cover.toMs);
    }
    parts.push({ fromMs: freeMs, toMs });
    const longest = parts.reduce((long, part) => (part.toMs - part.fromMs > long.toMs - long.fromMs ? part : long));
    if (!this.#label(longest, y, 'believes it holds the lock', 'ink', 16)) this.#label(longest, y, 'believes', 'ink', 16);
  }

  #outages(status: 'down' | 'paused'): string {
    const { timeline, lanes } = this.#input;
    return timeline.outages.filter((outage) => outage.status === status).map(({ node, ...span }) => {
      const lane = lanes.byId.get(`node:${node}`);
      if (lane === undefined) return '';
      // In a lower lane the head alone says so.
      if (lane.height >= ROOMY) this.#label(span, lane.top + lane.height - 10, status === 'down' ? 'down' : 'frozen', 'soft', 8);
      return this.#rect(span, lane.top + 2, lane.height - 4, 1);
    }).join('');
  }

  #gaps(lane: Lane | undefined, spans: readonly Span[]): string {
    if (lane === undefined) return '';
    return spans.slice(1).map((after, index) => {
      const gap = { fromMs: spans[index]?.toMs ?? 0, toMs: after.fromMs };
      if (gap.toMs <= gap.fromMs) return '';
      this.#label(gap, lane.middle, 'free', 'soft', 0);
      return this.#bar(lane, gap, TRUTH_HEIGHT, SEEN_MIN);
    }).join('');
  }

  #byColour<It extends Span>(spans: readonly It[], mark: (span: It) => { index: number; d: string } | undefined): { index: number; d: string }[] {
    const paths = new Map<number, string>();
    for (const span of spans) {
      const made = this.#isInView(span) ? mark(span) : undefined;
      if (made !== undefined) paths.set(made.index, (paths.get(made.index) ?? '') + made.d);
    }
    return [...paths].map(([index, d]) => ({ index, d }));
  }

  #isInView({ fromMs, toMs }: Span): boolean {
    return toMs >= this.#input.fromMs && fromMs <= this.#input.toMs;
  }

  #bar({ middle, height: room }: Lane, span: Span, height: number, least = 1): string {
    const high = this.#input.lanes.areDense ? room - 4 : height;
    return this.#rect(span, middle - high / 2, high, least);
  }

  /** Marks far out of view are cut there: browsers draw long dashes and patterns slowly. */
  #rect({ fromMs, toMs }: Span, y: number, height: number, least: number): string {
    const [x1, x2] = this.#visible({ fromMs, toMs });
    return x2 < x1 ? '' : `M${round(x1)} ${y}h${round(Math.max(x2 - x1, least))}v${height}H${round(x1)}Z`;
  }

  #visible({ fromMs, toMs }: Span): [x1: number, x2: number] {
    const { x, width } = this.#input;
    return [Math.max(x(fromMs), -OUTSIDE), Math.min(x(toMs), width + OUTSIDE)];
  }

  /** Words stand where there is room for them, and says whether there is: `padding` from the start of what is in view of a span, or in its middle. */
  #label(span: Span, y: number, text: string, tone: Label['tone'], padding: number): boolean {
    const { lanes, width } = this.#input;
    const [x1, x2] = this.#visible(span);
    const [from, to] = [Math.max(x1, 0), Math.min(x2, width)];
    const room = tone === 'danger' ? 12 : padding + 12;
    if (to - from < text.length * LETTER + room || (lanes.areDense && tone !== 'ink')) return false;
    this.labels.push(padding === 0 ? { x: (from + to) / 2, y, text, anchor: 'middle', tone } : { x: from + padding, y, text, anchor: 'start', tone });
    return true;
  }
}

/** So far outside of the plot the edge of a mark cannot be seen. */
const OUTSIDE = 20;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
