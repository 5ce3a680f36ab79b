// The limits of the logs, and lines that could not be read, in sentences with remedies.

import { counted } from '../base/text.js';
import type { Case } from './case.js';
import { listed, quoted } from './findings/finding.js';
import type { KeyTimeline, SourceSummary } from './model.js';

/** The limits of all windows, by the last, which knows all clients and rows, and the kinds of the events of all: what one lacks, another may have. */
export function limitsOf({ keys, hasLocket, clients }: Case, kinds: ReadonlySet<string>): string[] {
  const has = (kind: string) => [...kinds].some((one) => one.startsWith(kind));
  const strangers = keys.flatMap(({ clients: all }) => all.filter(({ machine }) => machine === undefined).map(({ owner }) => owner.slice(0, 8)));
  const limits: [isSo: boolean, words: string][] = [
    [!hasLocket, `No log of Locket is given: the owner of the row is known only from ${has('look-') ? 'polls of the table, which do not show changes between two polls' : 'the clients'}.`],
    [hasLocket && !has('renewed'), 'At level info, Locket logs no renewals and no collisions: a silent holder may be healthy, dead or frozen until its row expires.'],
    [!has('client-'), 'No log of a client is given: the beliefs of owners follow from their rows alone, with wide bounds.'],
    [clients.length > 0 && strangers.length > 0, `The logs of these owners are missing: ${listed(strangers)}.`],
    [keys.some(({ ttlMs, rows }) => ttlMs === undefined && rows.length > 0), 'No line shows the TTL, so the times of renewals are unknown. Pass the TTL.'],
  ];
  return kinds.size === 0 ? [] : wordsOf(limits);
}

/** The limits of one window, which are some of all. */
export function windowLimits({ keys, clocks }: Case): string[] {
  return wordsOf([
    [keys.some(({ isLocketMissing }) => isLocketMissing), 'A row was seen that no Locket log mentions: the log of a Locket, or a part of it, is missing, or a clock was wrong.'],
    [[...clocks.readings.values()].some(({ isContradictory }) => isContradictory), 'The clocks contradict each other, or lines are missing: the times have no known bounds.'],
  ]);
}

/** The keys that lines should be about, and are not. */
export function expectedLimits(keys: readonly KeyTimeline[], expected: readonly string[]): string[] {
  const missing = [...new Set(expected)].filter((key) => keys.every((one) => one.key !== key));
  return missing.length === 0 ? [] : [`No line is about ${listed(missing.map(quoted))}: ${missing.length === 1 ? 'was it there, and is its log' : 'were they there, and are their logs'} given?`];
}

const wordsOf = (limits: [isSo: boolean, words: string][]) => limits.flatMap(([isSo, words]) => (isSo ? [words] : []));

/** Why lines are not used. */
const UNUSED = [
  ['rows', 'rows of a list without times; `locket-wasm watch --output` records them with times'],
  ['unread', 'no line of lager in JSON'],
  ['broken', 'cut, longer than 1 MiB or not readable'],
  ['late', 'too far out of order'],
] as const;

/** The lines of the sources that could not be read. */
export function readingLimits(sources: readonly SourceSummary[]): string[] {
  const unused = ({ name, firsts, ...counts }: SourceSummary) => UNUSED.flatMap(([kind, why]) => {
    const first = firsts[kind];
    // The other lines of a list belong to its rows.
    if (first === undefined || (kind === 'unread' && counts.rows > 0)) return [];
    return `${name}: ${counted(counts[kind], 'line is', 'lines are')} not used: ${why}; the first is line ${first.line}: ${first.text}`;
  });
  const problems = sources.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: the rest cannot be read (${problem}).`]));
  const others = sources.filter(({ used, firsts, problem }) => used === 0 && problem === null && Object.keys(firsts).length === 0).map(({ name }) => name);
  return [...sources.flatMap(unused), ...problems, ...(others.length === 0 ? [] : [`No line about locks is in ${listed(others)}.`])];
}
