// Availability in words, for terminals and JUnit reports.

import type { AvailabilityEvent, StoryLine } from 'locket-wasm/types';

import { columns, number } from '../src/js/base/text.js';
import { type AskedAgain, type Availability, EVENT_NAMES } from './availability.js';
import type { TestCase } from './junit.js';
import { indented, type Line, plainText, toned } from './report.js';
import { lookOf } from './verdict-look.js';

/** The heading of a section. */
const availabilityName = (availability: Availability): string => `Availability of ${settingsName(availability)}`;

function settingsName({ settings, of, jobs }: Availability): string {
  return [...(jobs.length === 0 ? [] : [`${jobs.join(', ')}: `]), ...(of === 'asked' ? [] : ['instead, ']), settings].join('');
}

/** The checks of one event: its bounds, each verdict with its reason, and the next command if a check is not safe. */
function eventLines(checks: readonly AskedAgain[]): Line[] {
  const [{ event, bounds }] = checks as [AskedAgain];
  return [`${EVENT_NAMES[event]}. ${bounds}`, ...checks.flatMap((check) => checkLines(check).map((line) => indented('  ', line)))];
}

/** One check: its verdict, the reason, and the next command unless it is safe. */
function checkLines(check: AskedAgain): Line[] {
  const { verdict, steps, command } = check;
  const { mark, colour } = lookOf(verdict);
  const head = [toned(colour, mark), ` ${verdictText(check)}`];
  if (verdict === 'safe') return [head];
  return [head, ...columns(steps.map(cellsOf), STEP_MAX).map((line) => `    ${line}`), `  Next: ${command}`];
}

function verdictText({ property, processes, verdict, because, states }: AskedAgain): string {
  const words = WORDS[property];
  const lockets = `${processes} Locket ${processes === 1 ? 'process' : 'processes'}`;
  if (verdict !== 'unknown') return `${words[verdict]} (${lockets}).`;
  const reason = because === 'too-many-states' ? `the search was cut at ${number(states)} states` : `the search ended with ${because}`;
  return `Unknown whether ${words.open} (${lockets}): ${reason}.`;
}

const WORDS: Record<AskedAgain['property'], { keeps: string; safe: string; unsafe: string; open: string }> = {
  'false-loss': {
    keeps: 'the owner keeps it',
    safe: 'No owner gives up while the row is its own',
    unsafe: 'An owner can give up while the row is its own',
    open: 'an owner can give up while the row is its own',
  },
  'one-owner': {
    keeps: 'one owner',
    safe: 'No schedule has two owners at the same time',
    unsafe: 'Two owners at the same time are possible',
    open: 'two owners at the same time are possible',
  },
  'presence-gap': {
    keeps: 'the row stays',
    safe: 'The presence keeps its row',
    unsafe: 'The presence can be without a row',
    open: 'the presence can be without a row',
  },
};

/** All sections, for a terminal. For several settings, a matrix comes first, and the sections leave out what is safe. */
export function availabilityLines(all: readonly Availability[]): Line[] {
  if (all.length < 2) return all.flatMap(section);
  const open = all.map((one) => ({ ...one, checks: one.checks.filter(({ verdict }) => verdict !== 'safe') }));
  return [...matrix(all), ...open.filter(({ checks }) => checks.length > 0).flatMap(section)];
}

function section(availability: Availability): Line[] {
  const events = EVENTS.map((event) => availability.checks.filter((check) => check.event === event));
  const lines = events.filter((checks) => checks.length > 0).flatMap(eventLines);
  return [toned('bold', availabilityName(availability)), ...lines.map((line) => indented('  ', line))];
}

const EVENTS = Object.keys(EVENT_NAMES) as AvailabilityEvent[];

/** A row for each property of each settings, a column for each event. */
function matrix(all: readonly Availability[]): string[] {
  const rows = all.flatMap((one) => [[settingsName(one)], ...propertyRows(one)]);
  const heads = ['Availability', ...EVENTS.map((event) => event.replace('-', ' '))];
  return columns([heads, ...rows.map((row) => heads.map((_, index) => row[index] ?? ''))], STEP_MAX);
}

function propertyRows({ checks }: Availability): string[][] {
  const properties = [...new Set(checks.map(({ property }) => property))];
  return properties.map((property) => {
    const marks = EVENTS.map((event) => checks.find((check) => check.event === event && check.property === property));
    return [`  ${WORDS[property].keeps}`, ...marks.map((check) => (check === undefined ? '' : lookOf(check.verdict).mark))];
  });
}

/** A case of a JUnit report. An unsafe check is skipped, not failed: it changes no exit code. */
export function availabilityCases(availability: Availability): TestCase[] {
  return availability.checks.map((check) => ({
    name: `${availabilityName(availability)}: ${EVENT_NAMES[check.event]} (${check.property})`,
    message: `${verdictText(check)} ${check.bounds}`,
    text: checkLines(check).map(plainText).join('\n'),
    result: check.verdict === 'safe' ? 'passed' : 'skipped',
  }));
}

const STEP_MAX = 200;

function cellsOf({ timeMs, words, rowOf, slackMs }: StoryLine): string[] {
  const left = rowOf === null || slackMs === null ? '' : ` (the row of ${rowOf} has ${slackMs / 1000} s left)`;
  return [`${timeMs / 1000} s`, `${words}${left}`];
}
