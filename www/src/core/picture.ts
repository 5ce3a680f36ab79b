// A run as a picture to take away: the scene of the diagram as an SVG file that needs nothing else, with the status line as its headline.

import { scaleLinear } from 'd3-scale';

import type { SimulationNode, SimulationTimeline } from 'locket-wasm';

import { clock } from '../base/time.js';
import { colourIndexes, EDGE, type Lane, layOut, needsServers } from './lanes.js';
import { namesOf } from './names.js';
import { type Label, type Layer, type Paint, sceneOf } from './scene.js';

/** What is drawn. */
export interface Picture {
  timeline: SimulationTimeline;
  cast: readonly SimulationNode[];
  headline: string;
  /** The part of the time; the whole run if it is left out. */
  span?: { fromMs: number; toMs: number };
  /** The value of a colour of `tokens.css`. */
  colour: (token: string) => string;
}

const WIDTH = 1200;
const MARGIN = 32;
const HEADS = 150;
const TOP = 88;
const AXIS = 40;
const FONT = "font-family='system-ui, sans-serif'";
const LETTER = 7.2;

export function pictureOf({ timeline, cast, headline, span, colour }: Picture): string {
  const names = namesOf(cast);
  const lanes = layOut(cast, timeline, false, needsServers(timeline, cast));
  const { fromMs, toMs } = span ?? { fromMs: 0, toMs: timeline.endMs };
  const width = WIDTH - 2 * MARGIN - HEADS;
  const x = scaleLinear([fromMs, toMs], [EDGE, width - EDGE]);
  const owners = new Map(cast.map((node) => [node.name, node.owner ?? node.name]));
  const scene = sceneOf({
    timeline, lanes, x, fromMs, toMs, width, names,
    colour: colourIndexes(cast.flatMap(({ owner }) => (owner === null ? [] : [owner]))),
    ownerOf: (name) => owners.get(name) ?? name,
  });
  const height = TOP + lanes.height + AXIS + MARGIN;
  const ticks = x.ticks(8).map((ms) => text(x(ms), lanes.height + 24, clock(ms, toMs), colour('ink-soft'), 13, 'middle'));
  return [
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${WIDTH} ${height}' width='${WIDTH}' height='${height}' role='img' aria-label='${escaped(headline)}'>`,
    `<defs>${patterns(colour)}<clipPath id='plot'><rect width='${width}' height='${lanes.height}'/></clipPath></defs>`,
    `<rect width='${WIDTH}' height='${height}' fill='${colour('ground')}'/>`,
    text(MARGIN, 52, headline, colour('ink'), 22, 'start', 700),
    `<g transform='translate(${MARGIN} ${TOP})'>${lanes.all.map((lane) => headOf(lane, names(lane.name), colour)).join('')}</g>`,
    `<g transform='translate(${MARGIN + HEADS} ${TOP})'>`,
    ...lanes.all.map(({ middle }) => `<path d='M0 ${middle}H${width}' stroke='${colour('line')}'/>`),
    `<g clip-path='url(#plot)'>${scene.layers.map((layer) => path(layer, colour)).join('')}</g>`,
    ...scene.labels.map((label) => words(label, colour)),
    ...ticks,
    '</g></svg>',
  ].join('\n');
}

function headOf({ kind, name, middle }: Lane, short: string, colour: Picture['colour']): string {
  const title = kind === 'row' ? `Lock ${name}` : short === name ? name : `${short}  ${name}`;
  return text(0, middle + 5, title, colour('ink'), 15, 'start', 600);
}

function path({ d, fill, stroke, fillOpacity, strokeWidth, dash, id }: Layer, colour: Picture['colour']): string {
  const paint = (value: Paint): string => (value === 'none' ? value : value.startsWith('pattern:') ? `url(#${value.slice('pattern:'.length)})` : colour(value));
  const more = [
    fillOpacity === undefined ? '' : `fill-opacity='${fillOpacity}'`,
    strokeWidth === undefined ? '' : `stroke-width='${strokeWidth}'`,
    dash === undefined ? '' : `stroke-dasharray='${dash}'`,
    id === 'dots' ? "stroke-linecap='round'" : '',
  ].filter(Boolean).join(' ');
  return d === '' ? '' : `<path d='${d}' fill='${paint(fill)}' stroke='${paint(stroke)}' ${more}/>`;
}

function words({ x, y, text: said, anchor, tone }: Label, colour: Picture['colour']): string {
  const width = said.length * LETTER + 10;
  const left = anchor === 'middle' ? x - width / 2 : x - 5;
  return `<rect x='${left}' y='${y - 9}' width='${width}' height='18' rx='9' fill='${colour('raised')}'/>${text(x, y + 4.5, said, colour({ ink: 'ink', soft: 'ink-soft', danger: 'danger' }[tone]), 12.5, anchor, 600)}`;
}

function text(x: number, y: number, said: string, fill: string, size: number, anchor: string, weight = 400): string {
  return `<text x='${x.toFixed(1)}' y='${y}' ${FONT} font-size='${size}' font-weight='${weight}' text-anchor='${anchor}' fill='${fill}'>${escaped(said)}</text>`;
}

function patterns(colour: Picture['colour']): string {
  const strong = colour('line-strong');
  return [
    `<pattern id='hatch' width='7' height='7' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect width='7' height='7' fill='${colour('danger-ground')}'/><rect width='3' height='7' fill='${colour('danger')}'/></pattern>`,
    `<pattern id='paused' width='6' height='6' patternUnits='userSpaceOnUse'><circle cx='3' cy='3' r='1' fill='${strong}'/></pattern>`,
    `<pattern id='down' width='6' height='6' patternUnits='userSpaceOnUse' patternTransform='rotate(-45)'><rect width='1.2' height='6' fill='${strong}'/></pattern>`,
  ].join('');
}

/** Names come from scenarios, which anybody writes. */
function escaped(said: string): string {
  return said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&apos;').replaceAll('"', '&quot;');
}
