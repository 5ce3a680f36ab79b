// HTML reports of searches, maps, advice and diagnoses.

import { escaped, seconds } from '../base/text.js';
import type { Advice, Comparison, Exploration, Question, SettingsMap } from '../check-node.js';
import type { Diagnosis } from '../diagnose.js';
import { length } from '../picture.js';
import type { Availability } from './availability.js';
import { availabilityLines, availabilityName } from './availability-text.js';
import { assumedLines } from './bosh-specs.js';
import { amount, type Drawn, drawn } from './map-table.js';
import { page, table } from './report-page.js';
import type { Unknown } from './unknown.js';
import type { Judgement } from './verdict-look.js';

/** A question with its answer. */
export interface Asked {
  /** The runner or the scenario. */
  runner: string;
  question: Question;
  answer: Answered;
}

/** The members that searches and random walks share. */
export type Answered = Pick<Exploration, 'because' | 'coverage' | 'link' | 'longest' | 'scenario' | 'story' | 'text' | 'timeMs' | 'twoOwnersMs' | 'summary' | 'verdict'>;

/** A verdict on settings, or on a job in a manifest. */
export interface Judged {
  name: string;
  verdict: Judgement;
  message: string;
  advice: Advice | null;
  /** The properties in use without a published spec. */
  assumed?: string[];
}

/** The report of answers to questions. */
export function explorationReport(asked: readonly Asked[]): string {
  const sections = asked.map(({ runner, question, answer }) => {
    const settings = Object.entries(question).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
    return `<section class="${answer.verdict}">
<h2>${escaped(runner)}: ${escaped(answer.verdict)}</h2>
<p>${escaped(answer.summary)}</p>
${table(['question', 'value'], settings as string[][])}
${answer.story === null ? '' : storyOf(answer)}
</section>`;
  });
  return page('Are the settings safe?', sections.join('\n'));
}

/** The report of a comparison. */
export function comparisonReport({ heads, cells, bounds }: Pick<Comparison, 'bounds' | 'cells' | 'heads'>): string {
  return page('The runners under the same faults', `${table(heads, cells)}\n<p>${escaped(bounds)}</p>`);
}

/** The parts of advice about manifests that are about no single job. */
export interface Deployment {
  unknown: readonly Unknown[];
  availability: readonly Availability[];
}

/** The report of advice. */
export function adviceReport(judged: readonly Judged[], { unknown, availability }: Deployment): string {
  const sections = judged.map(({ name, verdict, message, advice, assumed = [] }) => {
    const text = [advice?.text ?? '', ...assumedLines(assumed)].join('');
    return `<section class="${verdict}">
<h2>${escaped(name)}: ${escaped(verdict)}</h2>
<p>${escaped(message)}</p>
${advice === null ? '' : `<pre>${escaped(text)}</pre>`}
</section>`;
  });
  const names = unknown.map(({ file, line, column, group, job, message }) => [`${file}:${line}:${column}`, `${group}/${job}`, message]);
  const notes = names.length === 0 ? [] : [`<section class="unknown">\n<h2>Unknown names</h2>\n${table(['where', 'job', 'message'], names)}\n</section>`];
  return page('Which settings are safe?', [...sections, ...availability.map(availabilitySection), ...notes].join('\n'));
}

function availabilitySection(availability: Availability): string {
  const text = availabilityLines(availability, (_, words) => words).join('\n');
  const worst = (['unsafe', 'unknown'] as const).find((verdict) => availability.checks.some((check) => check.verdict === verdict)) ?? 'safe';
  return `<section class="${worst}">\n<h2>${escaped(availabilityName(availability))}</h2>\n<pre>${escaped(text)}</pre>\n</section>`;
}

/** The report of a diagnosis, with its picture. */
export function diagnosisReport({ summary, findings, limits, keys }: Diagnosis, picture: string): string {
  const sections = findings.slice(0, FINDINGS_MAX).map(({ kind, severity, certainty, summary: what, cause, fromMs, toMs, lines }) => {
    const quoted = lines.map(({ file, line, text }) => [`${file}:${line}`, text]);
    return `<section class="${severity === 'incident' ? 'unsafe' : 'unknown'}">
<h2>${escaped(kind)}: ${escaped(certainty)}</h2>
<p>${escaped(what)}</p>
<p>${escaped(cause)}</p>
<p>${escaped(new Date(fromMs).toISOString())} to ${escaped(new Date(toMs).toISOString())}</p>
<details><summary>Log lines</summary>${table(['where', 'line'], quoted)}</details>
</section>`;
  });
  const notes = limits.map((limit) => `<li>${escaped(limit)}</li>`);
  const body = `<p>${escaped(summary)}</p>\n${keys.length === 0 ? '' : `<div class="picture">${picture}</div>`}\n${sections.join('\n')}\n<ul>${notes.join('')}</ul>`;
  return page('Incident report', body);
}

/** The most findings in a report. */
const FINDINGS_MAX = 200;

/** The report of a map. */
export function mapReport(map: SettingsMap): string {
  const { heads, rows } = drawn(map);
  const cell = ({ text, look }: Drawn) => `<td class="${look}">${escaped(text)}</td>`;
  const lines = rows.map(([head, cells]) => `<tr><th scope="row">${escaped(head)}</th>${cells.map(cell).join('')}</tr>`);
  const columns = heads.map((head) => `<th scope="col">${escaped(head)}</th>`).join('');
  const formulas = map.cells.filter(({ formulaText }) => formulaText !== null);
  const list = formulas.map(({ ttlMs, retryIntervalMs, formulaText, breaksAt }) => {
    return [length(ttlMs), length(retryIntervalMs), breaksAt === null ? '' : amount(map.axis, breaksAt), formulaText as string];
  });
  return page(
    'Map of settings',
    `<p>Rows are leases, columns retry intervals. A cell shows the smallest ${escaped(NAMES[map.axis])} that breaks the property;
everything smaller is safe within these bounds. ${escaped(map.bounds)}</p>
<table><tr><td></td>${columns}</tr>\n${lines.join('\n')}\n</table>
${list.length === 0 ? '' : `<h2>The formula, with its numbers</h2>\n${table(['lease', 'retry interval', 'search', 'formula'], list)}`}`,
  );
}

/** The names of the axes. */
export const NAMES: Record<SettingsMap['axis'], string> = {
  clockRate: 'clock error',
  latency: 'latency',
  lostMessages: 'number of lost messages',
  pause: 'pause',
};

function storyOf({ story, scenario, link, longest }: Pick<Exploration, 'link' | 'longest' | 'scenario' | 'story'>): string {
  const lines = story?.lines.map(({ timeMs, words, rowOf, slackMs }) => [
    seconds(timeMs),
    words,
    rowOf === null || slackMs === null ? '' : `${rowOf}: ${seconds(slackMs)}`,
  ]);
  const ranges = story?.ranges.map(({ what, valueMs, leastMs, mostMs, triedMs }) => [what, ...[valueMs, leastMs, mostMs, triedMs].map(seconds)]);
  return `<h3>Counterexample</h3>
${table(['time', 'event', 'lease left'], lines ?? [])}
<h3>The range of each number that keeps this counterexample</h3>
${table(['number', 'value', 'from', 'to', 'tried up to'], ranges ?? [])}
<h3>Scenario</h3>
<pre>${escaped(JSON.stringify(JSON.parse(scenario ?? 'null'), undefined, 2))}</pre>
<h3>Link</h3>
<pre>${escaped(link ?? '')}</pre>
${longest === null || longest.scenario === scenario ? '' : `<h3>The longest violation: ${seconds(longest.lastedMs)}</h3>
<pre>${escaped(longest.link)}</pre>`}`;
}
