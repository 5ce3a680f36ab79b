// The HTML report of a run: its picture, its summary and its events.

import { counted, escaped, printable, seconds } from '../base/text.js';
import type { ScenarioEvent } from '../node.js';
import { headlineOf, outcomeOf, runPicture } from '../picture.js';
import { page, table } from './report-page.js';
import { runFacts } from './summary/run-facts.js';
import { settingOf, summaryParts } from './summary/run-summary.js';
import { eventCells, readable } from './timeline.js';
import type { WholeRun } from './whole-run.js';

/** The most events in a report. */
const EVENTS_MAX = 5_000;

export function runReport(run: WholeRun): string {
  const { name, description, events, failures, digest } = run.finished;
  const facts = runFacts(run);
  const parts = summaryParts(facts, (_, text) => text);
  const { strong, rest } = headlineOf(outcomeOf(run.timeline(), run.state().nodes));
  const body = [
    `<p><strong>${shown(strong)}</strong> ${shown(rest)}</p>`,
    description === '' ? '' : paragraph(description),
    paragraph(settingOf(facts)),
    pictureOf(run, `${strong} ${rest}`.trim()),
    ...parts.map(({ title, lines }) => `<h2>${title}</h2>\n<pre>${shown(lines.join('\n'))}</pre>`),
    '<h2>Expectations</h2>',
    expectations(facts.scenario.expect?.length ?? 0, failures),
    '<h2>Events</h2>',
    eventTable(events),
    '<h2>Link</h2>',
    paragraph('This command repeats the run:'),
    `<pre>locket-wasm replay ${escaped(run.link())}</pre>`,
    paragraph(`digest ${digest}`),
  ];
  return page(printable(name), body.filter((part) => part !== '').join('\n'));
}

/** The picture in the reader's theme. As images, both can use the same ids. */
function pictureOf(run: WholeRun, headline: string): string {
  const url = (theme: 'dark' | 'light') => `data:image/svg+xml;base64,${Buffer.from(runPicture(run, { headline, theme })).toString('base64')}`;
  return `<picture><source srcset="${url('dark')}" media="(prefers-color-scheme: dark)"><img src="${url('light')}" alt="${shown(headline)}"></picture>`;
}

function expectations(count: number, failures: readonly string[]): string {
  if (count === 0) return paragraph('The scenario has none.');
  if (failures.length === 0) return `<section class="safe">${paragraph(count === 1 ? 'The expectation holds.' : `All ${count} expectations hold.`)}</section>`;
  const lines = failures.map((failure) => `<li>${shown(failure)}</li>`);
  return `<section class="unsafe">${paragraph(`Of ${counted(count, 'expectation')}, ${failures.length} failed:`)}\n<ul>${lines.join('')}</ul></section>`;
}

function eventTable(all: readonly ScenarioEvent[]): string {
  const events = readable(all);
  const rows = events.slice(0, EVENTS_MAX).map((event) => [seconds(event.timeMs), ...eventCells(event).map(printable)]);
  const more = events.length - rows.length;
  return `${table(['time', 'node', 'event', 'answer'], rows)}${more === 0 ? '' : `\n${paragraph(`… ${counted(more, 'more event')}; locket-wasm run --events prints all`)}`}`;
}

const paragraph = (text: string): string => `<p>${shown(text)}</p>`;

/** A text of the scenario, in lines as it is. */
const shown = (text: string): string => escaped(text.split('\n').map(printable).join('\n'));
