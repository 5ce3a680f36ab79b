// Alert rules: their grammar, and the rules for a run without rules of its own.

import { InvalidArgumentError } from 'commander';

import { milliseconds } from '../command.js';
import { nearest } from '../spelling.js';
import { METRIC_NAMES, type MetricName } from './catalogue.js';

const OPERATORS = {
  '<': (value: number, limit: number) => value < limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '>=': (value: number, limit: number) => value >= limit,
  '==': (value: number, limit: number) => value === limit,
  '!=': (value: number, limit: number) => value !== limit,
} satisfies Record<string, (value: number, limit: number) => boolean>;

/** An alert rule. */
export interface Rule {
  text: string;
  metric: MetricName;
  forMs: number;
  /** Whether a value meets it; without a value, only `absent` is met. */
  isMet(value: number | null): boolean;
  /** How far a value is from the rule's number. */
  distance(value: number): number;
  /** Who recommends it. */
  source: string;
}

/** The grammar, for the help and for errors. */
export const GRAMMAR = "METRIC < NUMBER or METRIC absent, also with 'for DURATION'";

/** The rule in a text; commander's parser of an option that can be given several times. */
export function addRule(text: string, previous: readonly Rule[] = []): Rule[] {
  return [...previous, ruleOf(text, 'yours')];
}

function ruleOf(text: string, source: string): Rule {
  const [, name, operator, number, , lasting] = /^\s*(\w+)\s*(?:([<>]=?|[=!]=)\s*(-?\d+(?:\.\d+)?)|\s(absent))(?:\s+for\s+(\S+))?\s*$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError(`Write ${GRAMMAR}, such as 'LockHeld < 1 for 5m'.`);
  const metric = METRIC_NAMES.find((known) => known === name);
  if (metric === undefined) {
    const near = nearest(name, METRIC_NAMES);
    throw new InvalidArgumentError(`Unknown metric ${name}; ${near === null ? `the metrics are ${METRIC_NAMES.join(', ')}` : `did you mean ${near}?`}`);
  }
  const limit = Number(number);
  const compare = operator === undefined ? undefined : OPERATORS[operator as keyof typeof OPERATORS];
  return {
    text: text.trim().replace(/\s+/g, ' '),
    metric,
    forMs: lasting === undefined ? 0 : milliseconds(lasting),
    isMet: (value) => (compare === undefined ? value === null : value !== null && compare(value, limit)),
    distance: (value) => Math.abs(value - limit),
    source,
  };
}

const DIEGO = 'Diego';
const OURS = 'ours';

/**
 * The rules for a run with so many locks and presences: the indicators of diego-release, with the
 * maximum over 5 or 15 minutes as the duration of the rule, and some of our own.
 */
export function usualRules(locks: number, presences: number): Rule[] {
  const ofLocks: [string, string][] = [
    ['LockHeld < 1 for 5m', DIEGO],
    ['LockHeld > 1', OURS],
    [`ActiveLocks < ${locks} for 5m`, DIEGO],
    [`ActiveLocks > ${locks}`, DIEGO],
    ['LocksExpired > 0', OURS],
  ];
  const ofPresences: [string, string][] = [
    [`ActivePresences < ${presences} for 15m`, DIEGO],
    [`ActivePresences < ${presences}`, OURS],
    ['PresenceExpired > 0', OURS],
  ];
  const rules: [string, string][] = [...(locks > 0 ? ofLocks : []), ...(presences > 0 ? ofPresences : []), ['RequestsFailed > 0', OURS]];
  return rules.map(([text, source]) => ruleOf(text, source));
}
