// Availability in words, for terminals and reports.

import { columns, printable } from '../base/text.js';
import type { StoryLine } from '../types.js';
import { type Availability, type AvailabilityCheck, EVENT_NAMES } from './availability.js';
import type { TestCase } from './junit.js';
import type { Paint } from './terminal.js';
import { lookOf } from './verdict-look.js';

/** The heading of a section. */
export const availabilityName = ({ settings, jobs }: Availability): string => `Availability of ${jobs.length === 0 ? '' : `${jobs.join(', ')}: `}${settings}`;

/** One check with its reason, and the next command if it is not safe. */
export function checkLines({ event, verdict, summary, steps, command }: AvailabilityCheck, paint: Paint): string[] {
  const { mark, colour } = lookOf(verdict);
  const head = `${paint(colour, mark)} ${printable(`${EVENT_NAMES[event]}: ${summary}`)}`;
  if (verdict === 'safe') return [head];
  return [head, ...columns(steps.map(cellsOf), STEP_MAX).map((line) => `  ${line}`), `  Next: ${printable(command)}`];
}

/** A section, for a terminal. */
export function availabilityText(availability: Availability, paint: Paint): string {
  const lines = availability.checks.flatMap((check) => checkLines(check, paint)).map((line) => `  ${line}`);
  return `${[paint('bold', printable(availabilityName(availability))), ...lines].join('\n')}\n`;
}

/** A case of a JUnit report. An unsafe check is skipped, not failed: it changes no exit code. */
export function availabilityCases(availability: Availability): TestCase[] {
  return availability.checks.map((check) => ({
    name: `${availabilityName(availability)}: ${EVENT_NAMES[check.event]} (${check.property})`,
    message: check.summary,
    text: checkLines(check, (_, text) => text).join('\n'),
    result: check.verdict === 'safe' ? 'passed' : 'skipped',
  }));
}

const STEP_MAX = 200;

function cellsOf({ timeMs, words, rowOf, slackMs }: StoryLine): string[] {
  const left = rowOf === null || slackMs === null ? '' : ` (the row of ${rowOf} has ${slackMs / 1000} s left)`;
  return [`${timeMs / 1000} s`, `${words}${left}`];
}
