// Findings of one kind and cause that are one to a reader: of many keys at one moment, or of one key again and again.

import { counted } from '../base/text.js';
import { listed, quoted, span } from './findings/finding.js';
import type { Finding } from './model.js';
import { clockTime } from './view.js';

/** What one fault brings to many keys comes within this time of each other. */
const MOMENT_MS = 60_000;
/** As many times, with gaps that differ by no more than this share, are a period. */
const PERIODIC = { times: 4, share: 0.2 };

/** The groups of findings, as their indexes, in the order of the first of each. */
export function groupsOf(findings: readonly Finding[]): number[][] {
  const groups: { signature: string; keys: Set<string | null>; lastMs: number; own: number[] }[] = [];
  const inTime = [...findings.entries()].sort(([, a], [, b]) => a.fromMs - b.fromMs);
  for (const [index, { kind, severity, certainty, causeKind, key, fromMs }] of inTime) {
    const signature = [kind, severity, certainty, causeKind].join(' ');
    let group = groups.find((one) => one.signature === signature && (one.keys.has(key) || fromMs - one.lastMs <= MOMENT_MS));
    if (group === undefined) groups.push((group = { signature, keys: new Set(), lastMs: fromMs, own: [] }));
    group.keys.add(key);
    group.own.push(index);
    group.lastMs = fromMs;
  }
  return groups.map(({ own }) => own.sort((a, b) => a - b)).sort(([a = 0], [b = 0]) => a - b);
}

/** What there is to say of the others of a group, after the sentence of its first; empty if there is none. */
export function othersOf([first, ...others]: readonly Finding[]): string {
  if (first === undefined) return '';
  const keys = [...new Set(others.map(({ key }) => key))].filter((key): key is string => key !== null && key !== first.key);
  const times = [first, ...others].filter(({ key }) => key === first.key).map(({ fromMs }) => fromMs).sort((a, b) => a - b);
  return [
    ...(keys.length === 0 ? [] : [`The same with ${counted(keys.length, 'more key')}: ${listed(keys.map(quoted))}.`]),
    ...(times.length === 1 ? [] : [`The same again ${counted(times.length - 1, 'time')}${periodOf(times)}.`]),
  ].join(' ');
}

function periodOf(times: readonly number[]): string {
  const gaps = times.slice(1).map((ms, index) => ms - (times[index] as number));
  const last = times[times.length - 1] as number;
  const meanMs = (last - (times[0] as number)) / gaps.length;
  const isPeriodic = times.length >= PERIODIC.times && gaps.every((ms) => Math.abs(ms - meanMs) <= PERIODIC.share * meanMs);
  return isPeriodic && meanMs > 0 ? `, about every ${span(meanMs)}` : `, until ${clockTime(last)}`;
}
