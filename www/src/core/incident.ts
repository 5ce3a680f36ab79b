// How an incident is drawn: which time, which bars with which uncertain ends, and what is written at the axis. Knows no pixels but
// those that it is given.

import type { Finding, KeyTimeline, Lane, LanePart } from 'locket-wasm/diagnose';

import type { Incident } from './checker-words.js';

/** The time that is drawn, in milliseconds since the epoch. */
export interface Frame {
  fromMs: number;
  toMs: number;
}

/** Around a finding. */
const PAD_MS = 10_000;
/** A finding that has less of the time cannot be seen in it. */
const SHARE_MIN = 0.03;

/** So much of the time is left free at the end, so that what began there can be seen. */
const MARGIN = 0.03;

/** The time of the whole view, or that around a finding. */
export function frameOf({ diagnosis, view }: Incident, finding: Finding | undefined, isClose: boolean): Frame {
  if (!isClose || finding === undefined) return { fromMs: view.fromMs, toMs: view.toMs + MARGIN * (view.toMs - view.fromMs) };
  const { fromMs, toMs } = finding;
  const pad = Math.max(PAD_MS, (toMs - fromMs) / 2);
  const since = Math.max(diagnosis.fromMs, fromMs - pad);
  const until = Math.max(Math.min(diagnosis.toMs, toMs + pad), since + 1);
  return { fromMs: since, toMs: until + MARGIN * (until - since) };
}

/** True if a finding can only be seen from near. */
export function isSmall({ view }: Incident, { fromMs, toMs }: Finding): boolean {
  const isInside = fromMs >= view.fromMs && toMs <= view.toMs;
  return !isInside || (toMs > fromMs && toMs - fromMs < SHARE_MIN * (view.toMs - view.fromMs));
}

/** The keys that are drawn: those of the view, and that of the finding. */
export function keysOf({ diagnosis, view }: Incident, finding: Finding | undefined): KeyTimeline[] {
  const own = diagnosis.keys.filter(({ key }) => key === finding?.key && !view.keys.some((shown) => shown.key === key));
  return [...own, ...view.keys];
}

/** The names of clients for their owner ids, which readers do not know. */
export function namesOf(timelines: readonly KeyTimeline[]): (owner: string) => string {
  const names = new Map<string, string[]>();
  for (const { lanes } of timelines) {
    for (const { kind, name, parts } of lanes) {
      for (const { owner } of parts) if (kind === 'client' && !names.get(owner)?.includes(name)) names.set(owner, [...(names.get(owner) ?? []), name]);
    }
  }
  return (owner) => names.get(owner)?.join(' or ') ?? owner;
}

/** An end that lies between two bounds; `isOpen` if one of them is not known. */
export interface Fade extends Frame {
  side: 'begin' | 'end';
  isOpen: boolean;
}

/** A part of a lane as it is drawn. */
export interface Bar {
  part: LanePart;
  /** Where it may be. */
  whole: Frame;
  /** Where it certainly is; `undefined` if that is nowhere. */
  sure: Frame | undefined;
  fades: Fade[];
}

/** The bars of a lane. Bounds that are nearer than `leastMs` look the same in a drawing. */
export function barsOf({ parts }: Lane, frame: Frame, leastMs: number): Bar[] {
  return parts.map((part) => barOf(part, leastMs)).filter(({ whole }) => whole.fromMs <= frame.toMs && whole.toMs >= frame.fromMs);
}

function barOf(part: LanePart, leastMs: number): Bar {
  const { fromMs, toMs, from, to, end } = part;
  // A part that is open at the end of the logs has no later end.
  const lastMs = end === 'open' ? toMs : (to.latestMs ?? toMs);
  const fades = [
    { fromMs: from.earliestMs ?? fromMs, toMs: from.latestMs ?? toMs, side: 'begin' as const, isOpen: from.earliestMs === null },
    { fromMs: to.earliestMs ?? fromMs, toMs: lastMs, side: 'end' as const, isOpen: to.latestMs === null && end !== 'open' },
  ].filter((fade) => fade.isOpen || fade.toMs - fade.fromMs >= leastMs);
  const begin = fades.find(({ side }) => side === 'begin');
  const finish = fades.find(({ side }) => side === 'end');
  const sure = { fromMs: begin?.toMs ?? fromMs, toMs: finish?.fromMs ?? toMs };
  const whole = { fromMs: begin?.fromMs ?? fromMs, toMs: finish?.toMs ?? toMs };
  return { part, whole, sure: sure.toMs > sure.fromMs || fades.length === 0 ? sure : undefined, fades };
}

/** Steps of an axis, in seconds. */
const STEPS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 43_200, 86_400];

/** Where an axis has its ticks, at whole steps of the clock, `count` of them at most. */
export function ticksOf({ fromMs, toMs }: Frame, count: number): { ms: number; label: string }[] {
  const least = (toMs - fromMs) / 1000 / count;
  const stepMs = 1000 * (STEPS_S.find((step) => step >= least) ?? least);
  const first = Math.ceil(fromMs / stepMs);
  const ticks = Math.floor(toMs / stepMs) - first + 1;
  return Array.from({ length: Math.max(ticks, 0) }, (_, index) => (first + index) * stepMs).map((ms) => ({ ms, label: clock(ms, stepMs < 1000) }));
}

/** A time of day, as the logs' readers compare them: in UTC. */
export function clock(ms: number, hasMs = true): string {
  return new Date(ms).toISOString().slice(11, hasMs ? 23 : 19);
}

/** The day of a moment, in UTC. */
export function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
