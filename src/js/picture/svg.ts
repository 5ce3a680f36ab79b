// A run as an SVG file that needs no other files: the scene of its diagram.

import { madeBy, text } from '../base/checks.js';
import { checkedOptions, oneOf, optional } from '../base/options.js';
import type { Simulation } from '../simulation/simulation.js';
import type { SimulationNode } from '../simulation/state.js';
import { escaped, printable } from '../base/text.js';
import type { SimulationTimeline } from '../simulation/timeline.js';
import { clock } from '../base/times.js';
import { type FileLane, fileOf, fileWords, hasFile, TILE, tilesOf } from './file.js';
import { headlineOf, outcomeOf } from './headline.js';
import { colourIndexes, EDGE, type Lane, type Lanes, layOut, needsServers } from './lanes.js';
import { type Names, namesOf } from './names.js';
import { coloursOf, type Theme } from './palette.js';
import type { Layer, Paint } from './layer.js';
import { groundOf, type Label, type Scene, sceneOf } from './scene.js';
import { ticksOf } from './ticks.js';

/** The run of a picture: a simulation of `locket-wasm`, or its data from elsewhere. */
export type PicturedRun = Pick<Simulation, 'scenario' | 'state' | 'timeline'>;

/** Options of {@link runPicture}. */
export interface PictureOptions {
  /** The headline; by default the content of the run. */
  headline?: string;
  /** The theme; `light` by default. */
  theme?: 'dark' | 'light';
}

const OPTIONS = { headline: optional(text), theme: oneOf('light', 'dark') };
const WIDTH = 1200;
const MARGIN = 32;
const HEADS = 150;
const PLOT = WIDTH - 2 * MARGIN - HEADS;
const TOP = 88;
const AXIS = 40;
const FILE = 44;
const TICKS = 8;
const FONT = "font-family='system-ui, sans-serif'";

/**
 * Draws a whole run as an SVG file: the owner of each lock, the belief of each client, every
 * message, and overlaps of two owners.
 *
 * @example
 * ```ts
 * writeFileSync('run.svg', runPicture(new Simulation(scenario)));
 * ```
 */
export function runPicture(run: PicturedRun, options: PictureOptions = {}): string {
  const { headline, theme } = checkedOptions(options, OPTIONS);
  return madeBy('new Simulation()', 'run', run, (it) => {
    const timeline = it.timeline();
    const cast = it.state().nodes;
    return new Drawing(timeline, cast, theme).draw(headline ?? headlineText(timeline, cast));
  });
}

function headlineText(timeline: SimulationTimeline, cast: readonly SimulationNode[]): string {
  const { strong, rest } = headlineOf(outcomeOf(timeline, cast));
  return `${strong} ${rest}`.trim();
}

class Drawing {
  readonly #endMs: number;
  readonly #lanes: Lanes;
  readonly #names: Names;
  readonly #scene: Scene;
  readonly #colour: (name: string) => string;
  readonly #paintOf: (client: string) => string;
  /** The writes to what the lock protects, if they are shown. */
  readonly #file: FileLane | undefined;

  constructor(timeline: SimulationTimeline, cast: readonly SimulationNode[], theme: Theme) {
    this.#endMs = timeline.endMs;
    this.#lanes = layOut(cast, timeline, { hasServers: needsServers(timeline, cast) });
    this.#names = namesOf(cast);
    this.#colour = coloursOf(theme);
    const owners = new Map(cast.map((node) => [node.name, node.owner ?? node.name]));
    const colour = colourIndexes(cast.flatMap(({ owner }) => (owner === null ? [] : [owner])));
    const ownerOf = (name: string): string => owners.get(name) ?? name;
    this.#paintOf = (client) => this.#colour(`owner-${colour(ownerOf(client))}`);
    this.#file = !this.#lanes.areDense && hasFile(cast) ? fileOf(timeline, cast) : undefined;
    this.#scene = sceneOf({ timeline, lanes: this.#lanes, names: this.#names, x: (ms) => this.#x(ms), fromMs: 0, toMs: timeline.endMs, width: PLOT, colour, ownerOf });
  }

  draw(headline: string): string {
    const { all, height: lanes } = this.#lanes;
    const high = lanes + (this.#file === undefined ? 0 : FILE);
    const height = TOP + high + AXIS + MARGIN;
    return [
      `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${height}' width='${WIDTH}' height='${height}' role='img' aria-label='${safe(headline)}'>`,
      `<defs>${this.#patterns()}<clipPath id='plot'><rect width='${PLOT}' height='${lanes}'/></clipPath></defs>`,
      `<rect width='${WIDTH}' height='${height}' fill='${this.#colour('ground')}'/>`,
      this.#text(MARGIN, 52, headline, 'ink', 22, 'start', 700),
      `<g transform='translate(${MARGIN} ${TOP})'>${all.map((lane) => this.#head(lane)).join('')}</g>`,
      `<g transform='translate(${MARGIN + HEADS} ${TOP})'>`,
      ...all.map(({ middle }) => `<path d='M0 ${middle}H${PLOT}' stroke='${this.#colour('line')}'/>`),
      `<g clip-path='url(#plot)'>${this.#scene.layers.map((layer) => this.#path(layer)).join('')}</g>`,
      ...this.#scene.labels.map((label) => this.#words(label)),
      this.#file === undefined ? '' : this.#fileLane(this.#file, lanes + FILE / 2),
      ...ticksOf(0, this.#endMs, TICKS).map((ms) => this.#text(this.#x(ms), high + 24, clock(ms, this.#endMs), 'ink-soft', 13, 'middle')),
      '</g></svg>\n',
    ].join('\n');
  }

  #x(ms: number): number {
    return EDGE + ((PLOT - 2 * EDGE) * ms) / Math.max(this.#endMs, 1);
  }

  #head({ kind, name, middle }: Lane): string {
    const short = this.#names(name);
    return this.#text(0, middle + 5, kind === 'row' ? `Lock ${name}` : short === name ? name : `${short}  ${name}`, 'ink', 15, 'start', 600);
  }

  /** The storage that the lock protects: a numbered tile for each write, in a frame if it does harm, hollow if it was refused. */
  #fileLane(file: FileLane, middle: number): string {
    const { words, isHarmed } = fileWords(file, this.#endMs, this.#names);
    const tiles = tilesOf(file.tiles, (ms) => this.#x(ms), PLOT).map(({ client, timeMs, line, harms }) => {
      const [x, paint] = [this.#x(timeMs), this.#paintOf(client)];
      const fill = line === null ? `fill='none' stroke='${paint}' stroke-width='2'` : `fill='${paint}'`;
      const frame = harms === null ? '' : ` stroke='${this.#colour('danger')}' stroke-width='3'`;
      const tile = `<rect x='${(x - TILE / 2).toFixed(1)}' y='${middle - TILE / 2}' width='${TILE}' height='${TILE}' rx='3' ${fill}${frame}/>`;
      return tile + (line === null ? '' : this.#text(x, middle + 4.5, String(line + 1), 'on-owner', 11, 'middle', 700));
    });
    const head = this.#text(-HEADS, middle - 2, file.name, 'ink', 15, 'start', 600) + this.#text(-HEADS, middle + 14, words, isHarmed ? 'danger' : 'ink-soft', 12, 'start', isHarmed ? 600 : 400);
    return [head, ...tiles].join('');
  }

  #path({ d, fill, stroke, fillOpacity, strokeWidth, dash, id }: Layer): string {
    const more = [
      fillOpacity === undefined ? '' : ` fill-opacity='${fillOpacity}'`,
      strokeWidth === undefined ? '' : ` stroke-width='${strokeWidth}'`,
      dash === undefined ? '' : ` stroke-dasharray='${dash}'`,
      id === 'dots' ? " stroke-linecap='round'" : '',
    ].join('');
    return d === '' ? '' : `<path d='${d}' fill='${this.#paint(fill)}' stroke='${this.#paint(stroke)}'${more}/>`;
  }

  #paint(value: Paint): string {
    if (value === 'none') return value;
    return value.startsWith('pattern:') ? `url(#${value.slice('pattern:'.length)})` : this.#colour(value);
  }

  #words(label: Label): string {
    const { x, y, text, anchor, tone } = label;
    const { left, width } = groundOf(label);
    const ground = `<rect x='${left.toFixed(1)}' y='${y - 9}' width='${width.toFixed(1)}' height='18' rx='9' fill='${this.#colour('raised')}'/>`;
    return ground + this.#text(x, y + 4.5, text, tone === 'soft' ? 'ink-soft' : tone, 12.5, anchor, 600);
  }

  #text(x: number, y: number, said: string, colour: string, size: number, anchor: string, weight = 400): string {
    return `<text x='${x.toFixed(1)}' y='${y}' ${FONT} font-size='${size}' font-weight='${weight}' text-anchor='${anchor}' fill='${this.#colour(colour)}'>${safe(said)}</text>`;
  }

  #patterns(): string {
    const [strong, ground, danger] = ['line-strong', 'danger-ground', 'danger'].map(this.#colour);
    return [
      `<pattern id='hatch' width='7' height='7' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect width='7' height='7' fill='${ground}'/><rect width='3' height='7' fill='${danger}'/></pattern>`,
      `<pattern id='paused' width='6' height='6' patternUnits='userSpaceOnUse'><circle cx='3' cy='3' r='1' fill='${strong}'/></pattern>`,
      `<pattern id='down' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(-45)'><rect width='1.2' height='6' fill='${strong}'/></pattern>`,
    ].join('');
  }
}

/** Names come from scenarios, which are foreign text. */
const safe = (said: string): string => escaped(printable(said));
