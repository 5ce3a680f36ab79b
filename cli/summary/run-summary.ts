// The summary of a run, which fits a screen: owners, faults and load, and the important events.


import { counted, cut, number, numberTo, seconds } from '../../src/js/base/text.js';
import { length } from '../../src/js/base/times.js';
import { type Line, toned } from '../report.js';
import { allEventLines, digestLine, failureLines, readable, someEventLines, TEXT_WIDTH, TIME_WIDTH, titleLines, wrapped } from '../timeline.js';
import { latencyWords } from './action-words.js';
import { lengthText, LONG_MS, ownerLines } from './owner-lines.js';
import type { RunFacts } from './run-facts.js';

/** The lines of a screen, and their width. */
const SCREEN = 40;
/** With all events it may take some more. */
const SCREEN_WITH_ALL = 48;
const WIDTH = 100;
/** The most lines of each part. */
const ACTIONS_MAX = 8;
const FAILURES_MAX = 8;
const EVENTS_MIN = 8;

/** The summary of a run; if all events fit the screen, they are part of it. */
export function runSummary(facts: RunFacts): Line[] {
  const { scenario, events, changes, failures } = facts;
  const part = (title: string, lines: readonly Line[]): Line[] => ['', toned('bold', title), ...lines];
  const failed = failureLines({ failures: failures.slice(0, FAILURES_MAX) });
  if (failures.length > FAILURES_MAX) failed.push(`… and ${counted(failures.length - FAILURES_MAX, 'more failure')}; --events prints all`);
  const head = [
    ...titleLines({ name: scenario.name, description: scenario.description ?? '' }),
    ...wrapped(settingOf(facts), TEXT_WIDTH).map((line) => toned('dim', line)),
    ...summaryParts(facts).flatMap(({ title, lines }) => part(title, lines)),
  ];
  const foot = ['', ...failed, digestLine(facts)];
  // A part has a title, and a blank line before it.
  const used = head.length + foot.length + 2;
  const all = events.length === 0 ? ['  no events'] : allEventLines(events);
  if (used + all.length <= SCREEN_WITH_ALL) return [...head, ...part('Events', all), ...foot];
  const shown = changes.first(Math.max(EVENTS_MIN, SCREEN - used - 1));
  const more = `… ${counted(readable(events).length - shown.length, 'more event')}; --events prints all`;
  return [...head, ...part('Important events', [...someEventLines(shown, WIDTH), more]), ...foot];
}

/** The parts of a summary without the events; an empty part is left out. */
function summaryParts(facts: RunFacts): { title: string; lines: Line[] }[] {
  const parts = [
    { title: 'Owners', lines: ownerLines(facts) },
    { title: 'Faults and actions', lines: actionLines(facts) },
    { title: 'Load', lines: loadLines(facts) },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** The clients, the processes, the end and the network. */
export function settingOf({ scenario, endMs }: RunFacts): string {
  const { clients, processes = 1, network = {}, random = false, seed = 0, database = {} } = scenario;
  const share = (what: string | undefined, words: string): string[] => (what === undefined || !random ? [] : [`${what} of ${words}`]);
  return [
    counted(clients.reduce((sum, { count = 1 }) => sum + count, 0), 'client'),
    counted(processes, 'Locket process', 'Locket processes'),
    `until ${seconds(endMs)}${endMs < LONG_MS ? '' : ` (${lengthText(endMs)})`}`,
    ...(network.latency === undefined ? [] : [`a message takes ${latencyWords(network.latency)}`]),
    ...share(network.loss, 'messages are lost'),
    ...share(network.duplicates, 'messages arrive twice'),
    ...(database.transactionTime === undefined ? [] : [`a transaction holds its row for ${latencyWords(database.transactionTime)}`]),
    ...share(database.replyLoss, 'database replies are lost'),
    ...(random ? [`seed ${seed}`] : []),
  ].join(', ');
}

function actionLines({ actions, endMs }: RunFacts): string[] {
  const width = Math.max(seconds(endMs).length, TIME_WIDTH);
  const lines = actions.slice(0, ACTIONS_MAX).map(({ timeMs, words, every }) => {
    const repeated = every === undefined ? '' : `, every ${length(every.intervalMs)} until ${seconds(every.untilMs)}`;
    return cut(`${seconds(timeMs).padStart(width)}  ${words}${repeated}`, WIDTH);
  });
  const more = actions.length - lines.length;
  return more === 0 ? lines : [...lines, `  … and ${counted(more, 'more action')}`];
}

function loadLines({ calls, messages, endMs, writes }: RunFacts): string[] {
  const sent = calls.reduce((sum, count) => sum + count.sent, 0);
  const kinds = calls.map((count) => `${number(count.sent)} ${count.method}${outcomes(count)}`);
  if (messages.length === 0) return [];
  const queries = messages.filter(({ to, isAnswer }) => to === 'database' && !isAnswer).length;
  const lost = messages.filter(({ fate }) => fate === 'lost').length;
  const lines = [
    `${counted(sent, 'request')}${rate(sent, endMs)}${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`,
    `${counted(queries, 'query', 'queries')} to the database${rate(queries, endMs)}; ${counted(messages.length, 'message')}, ${number(lost)} lost`,
    ...(writes === undefined ? [] : [`the storage took ${counted(writes.wrong, 'wrong write')}, and refused ${counted(writes.refused, 'good write')}`]),
  ];
  return lines.flatMap((line) => wrapped(line, WIDTH - 2)).map((line) => `  ${line}`);
}

function outcomes({ refused, failed }: RunFacts['calls'][number]): string {
  const parts = [refused > 0 ? `${number(refused)} refused` : '', failed > 0 ? `${number(failed)} failed` : ''].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function rate(count: number, ms: number): string {
  return ms === 0 ? '' : `, ${numberTo(3, Number(((count * 1000) / ms).toPrecision(3)))} a second`;
}
