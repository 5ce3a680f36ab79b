// Availability in words, for terminals and reports.

import { columns, number, printable } from '../base/text.js';
import type { StoryLine } from '../types.js';
import { type Availability, type AvailabilityCheck, EVENT_NAMES } from './availability.js';
import type { TestCase } from './junit.js';
import type { Paint } from './terminal.js';
import { lookOf } from './verdict-look.js';

/** The heading of a section. */
export const availabilityName = ({ settings, jobs }: Availability): string => `Availability of ${jobs.length === 0 ? '' : `${jobs.join(', ')}: `}${settings}`;

/** The checks of one event: its bounds, each verdict with its reason, and the next command if a check is not safe. */
function eventLines(checks: readonly AvailabilityCheck[], paint: Paint): string[] {
  const [{ event, bounds }] = checks as [AvailabilityCheck];
  return [printable(`${EVENT_NAMES[event]}. ${bounds}`), ...checks.flatMap((check) => checkLines(check, paint).map((line) => `  ${line}`))];
}

/** One check: its verdict, the reason, and the next command unless it is safe. */
export function checkLines(check: AvailabilityCheck, paint: Paint): string[] {
  const { verdict, steps, command } = check;
  const { mark, colour } = lookOf(verdict);
  const head = `${paint(colour, mark)} ${verdictText(check)}`;
  if (verdict === 'safe') return [head];
  return [head, ...columns(steps.map(cellsOf), STEP_MAX).map((line) => `    ${line}`), `  Next: ${printable(command)}`];
}

function verdictText({ property, verdict, because, states }: AvailabilityCheck): string {
  const words = WORDS[property];
  if (verdict !== 'unknown') return `${words[verdict]}.`;
  const reason = because === 'not-rolling' ? NOT_ROLLING : because === 'too-many-states' ? `the search was cut at ${number(states)} states` : `the search ended with ${because}`;
  return `Unknown whether ${words.open}: ${reason}.`;
}

const NOT_ROLLING = 'the schedule found restarts a process twice or has two processes down at the same time, which a rolling deploy does not do';

const WORDS: Record<AvailabilityCheck['property'], { safe: string; unsafe: string; open: string }> = {
  'false-loss': {
    safe: 'No owner gives up while the row is its own',
    unsafe: 'An owner can give up while the row is its own',
    open: 'an owner can give up while the row is its own',
  },
  'one-owner': {
    safe: 'No schedule has two owners at the same time',
    unsafe: 'Two owners at the same time are possible',
    open: 'two owners at the same time are possible',
  },
  'presence-gap': {
    safe: 'The presence keeps its row',
    unsafe: 'The presence can be without a row',
    open: 'the presence can be without a row',
  },
};

/** A section, for a terminal. */
export function availabilityText(availability: Availability, paint: Paint): string {
  const lines = availabilityLines(availability, paint).map((line) => `  ${line}`);
  return `${[paint('bold', printable(availabilityName(availability))), ...lines].join('\n')}\n`;
}

/** The lines of all checks, by event. */
export function availabilityLines({ checks }: Availability, paint: Paint): string[] {
  const events = Object.keys(EVENT_NAMES).map((event) => checks.filter((check) => check.event === event));
  return events.filter((of) => of.length > 0).flatMap((of) => eventLines(of, paint));
}

/** A case of a JUnit report. An unsafe check is skipped, not failed: it changes no exit code. */
export function availabilityCases(availability: Availability): TestCase[] {
  return availability.checks.map((check) => ({
    name: `${availabilityName(availability)}: ${EVENT_NAMES[check.event]} (${check.property})`,
    message: `${verdictText(check)} ${check.bounds}`,
    text: checkLines(check, (_, text) => text).join('\n'),
    result: check.verdict === 'safe' ? 'passed' : 'skipped',
  }));
}

const STEP_MAX = 200;

function cellsOf({ timeMs, words, rowOf, slackMs }: StoryLine): string[] {
  const left = rowOf === null || slackMs === null ? '' : ` (the row of ${rowOf} has ${slackMs / 1000} s left)`;
  return [`${timeMs / 1000} s`, `${words}${left}`];
}
