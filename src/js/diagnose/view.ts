// The part of a diagnosis that a diagram shows: a time, the keys with findings in it, and a letter for each owner.

import type { Diagnosis, Finding, KeyTimeline } from './model.js';

/** The part of a diagnosis that a diagram shows. */
export interface DiagnosisView {
  /** From when to when, in milliseconds since the epoch: the whole time if it is short, or that around a finding. */
  fromMs: number;
  toMs: number;
  /** Those with findings, the worst first. */
  keys: KeyTimeline[];
  /** How many keys are left out, since nothing happened to them. */
  otherKeys: number;
  /** The findings that are marked. */
  marks: Finding[];
  /** A letter for each owner. */
  letters: Map<string, string>;
}

/** A longer time is not drawn as a whole: an incident would not be seen in it. */
const WHOLE_MS = 600_000;
const AROUND_MS = 60_000;
const KEYS_MAX = 12;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The view for a diagram: the keys with findings, in the whole time if that is short, or around the worst finding. */
export function diagnosisView(diagnosis: Diagnosis): DiagnosisView {
  const { fromMs, toMs, findings, keys } = diagnosis;
  const worst = findings.find((finding) => isDrawn(finding, keys)) ?? findings[0];
  const isWhole = toMs - fromMs <= WHOLE_MS || worst === undefined;
  const since = isWhole ? fromMs : Math.max(fromMs, worst.fromMs - AROUND_MS);
  const until = isWhole ? toMs : Math.min(toMs, Math.min(worst.toMs, worst.fromMs + WHOLE_MS) + AROUND_MS);
  const named = new Set(findings.map(({ key }) => key));
  const rank = ({ key }: KeyTimeline) => findings.findIndex((finding) => finding.key === key);
  const shown = named.size === 0 || findings.every(({ key }) => key === null) ? keys : keys.filter(({ key }) => named.has(key)).sort((a, b) => rank(a) - rank(b));
  const drawn = shown.slice(0, KEYS_MAX);
  const owners = new Set(drawn.flatMap(({ lanes }) => lanes.flatMap(({ parts }) => parts.map(({ owner }) => owner))));
  const letters = new Map([...owners].map((owner, index) => [owner, LETTERS[index % LETTERS.length] as string]));
  const marks = findings.filter(({ kind, certainty }) => (kind === 'two-owners' || kind === 'nobody-holding') && certainty !== 'possible');
  return { fromMs: since, toMs: Math.max(until, since + 1), keys: drawn, otherKeys: keys.length - drawn.length, marks, letters };
}

/** Of very long logs, only a part of the lanes is kept. */
function isDrawn({ key, fromMs, toMs }: Finding, keys: readonly KeyTimeline[]): boolean {
  const lanes = keys.find((timeline) => timeline.key === key)?.lanes ?? [];
  return lanes.some(({ parts }) => parts.some((part) => part.fromMs <= toMs && part.toMs >= fromMs));
}

/** A time of day, with its date if that is asked for. */
export function clockTime(ms: number, withDate = false): string {
  const text = new Date(ms).toISOString();
  return withDate ? text.replace('T', ' ').replace('Z', ' UTC') : text.slice(11, 23);
}
