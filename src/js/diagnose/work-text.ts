// Who worked when, as text: a line for each time, and the sums.

import { columns, counted, cut } from '../base/text.js';
import { span } from './findings/finding.js';
import type { KeyTimeline, WorkPart } from './model.js';
import { clockTime, type DiagnosisView, NAME_MAX } from './view.js';

/** A person reads no more keys, or times of one; the JSON of the report has all. */
const KEYS_MAX = 3;
const PARTS_MAX = 12;

/** The lines about the keys of a diagram, a list for each key of which there is something to say: what it is about, and what is said. */
export function workLines({ keys, fromMs, toMs }: DiagnosisView): string[][] {
  const told = keys.filter(({ work }) => work.some(({ acts }) => acts !== 'yes') && work.some(({ acts }) => acts !== 'unknown'));
  const shown = told.slice(0, KEYS_MAX).map((timeline) => linesOf(timeline, (part) => part.fromMs < toMs && part.toMs > fromMs));
  const more = told.length - shown.length;
  return more === 0 ? shown : [...shown, [`${counted(more, 'more key')}: who worked when is in the JSON of the report.`]];
}

function linesOf(timeline: KeyTimeline, isShown: (part: WorkPart) => boolean): string[] {
  const names = new Map(timeline.lanes.filter(({ kind }) => kind === 'client').flatMap(({ name, parts }) => parts.map(({ owner }) => [owner, name] as const)));
  const parts = timeline.work.filter(isShown);
  const rows = parts.slice(0, PARTS_MAX).map((part) => [clockTime(part.fromMs), span(part.toMs - part.fromMs), actsWords(part), rowWords(part, names)]);
  const more = parts.length > PARTS_MAX ? [`and ${parts.length - PARTS_MAX} more times`] : [];
  return [`${timeline.key}, who worked when:`, ...columns(rows), ...more, sumsOf(timeline.work)];
}

function actsWords({ acts, client, believes }: WorkPart): string {
  const others = believes.filter((name) => name !== client).map((name) => cut(name, NAME_MAX));
  const also = others.length === 0 ? '' : `${others.join(', ')} believe${others.length === 1 ? 's' : ''} it${acts === 'yes' ? ', too' : ''}`;
  if (acts === 'yes') return `${cut(client ?? '', NAME_MAX)} acts${also === '' ? '' : `; ${also}`}`;
  if (acts === 'no') return `no client acts${also === '' ? '' : `; ${also}`}`;
  return `unknown${also === '' ? '' : `; ${also}`}`;
}

function rowWords({ row, owner }: WorkPart, names: ReadonlyMap<string, string>): string {
  if (row === 'yes') return `row of ${cut(names.get(owner ?? '') ?? owner ?? '', NAME_MAX)}`;
  return row === 'no' ? 'no row' : 'row unknown';
}

/** How long no client acts and no row exists: exactly, or between two times where the lines do not show all. */
function sumsOf(work: readonly WorkPart[]): string {
  const lengthOf = (isMeant: (part: WorkPart) => boolean) => work.filter(isMeant).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const words = (fact: 'acts' | 'row') => {
    const [no, unknown] = [lengthOf((part) => part[fact] === 'no'), lengthOf((part) => part[fact] === 'unknown')];
    if (unknown === 0) return no === 0 ? undefined : span(no);
    return no === 0 ? `at most ${span(unknown)}` : `${span(no)} to ${span(no + unknown)}`;
  };
  const [acts, row] = [words('acts'), words('row')];
  return [acts === undefined ? 'A client acts all the time.' : `No client acts for ${acts}.`, row === undefined ? 'There is a row all the time.' : `No row for ${row}.`].join(' ');
}
