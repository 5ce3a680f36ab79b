// Rules of runners: those of known libraries, and the fields of a rule of one's own. The package says which members a rule has, and what
// each takes; the page has labels for those that it shows. The retry interval of a rule stands beside it, where that of any client is.

import { durationMs } from 'locket-wasm';
import type { RunnerRule, ScenarioClient } from 'locket-wasm/types';

import libraries from '../../../sim/src/check/question/rules.txt?raw';
import members from '../../../target/schemas/rule-members.json';

/** A rule, and the retry interval that it had itself. */
interface SplitRule { rule: RunnerRule; retryInterval: NonNullable<ScenarioClient['retryInterval']> | undefined }

export function splitRule({ retry: { every, ...retry } = {}, ...rule }: RunnerRule): SplitRule {
  return { rule: { ...rule, retry }, retryInterval: every };
}

/** What known libraries do, each with the TTL of its locks. */
const LIBRARIES = libraries.trimEnd().split('\n').map((line) => {
  const [ttl = '', rule = ''] = line.split(/ (.*)/);
  return { ttl, ...splitRule(JSON.parse(rule) as RunnerRule) };
});
export const LIBRARY_NAMES: readonly string[] = LIBRARIES.map(({ rule }) => rule.name ?? '');

/** The settings of a library. */
export function libraryNamed(name: string): { ttlMs: number; retryIntervalMs: number; runner: RunnerRule } | undefined {
  const library = LIBRARIES.find(({ rule }) => rule.name === name);
  return library && { ttlMs: durationMs(library.ttl), retryIntervalMs: durationMs(library.retryInterval ?? '0s'), runner: library.rule };
}

/** A value as a text that does not depend on the order of its members. */
export function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (member instanceof Object && !Array.isArray(member) ? Object.fromEntries(Object.entries(member).sort()) : member));
}

/** The name of the library that has this rule. Any other rule is called the visitor's own, whatever its name says. */
export function ruleLabel(rule: RunnerRule): string {
  return LIBRARIES.find((library) => sortedText(library.rule) === sortedText(rule))?.rule.name ?? OWN_RULE;
}
export const OWN_RULE = 'own rule';

/** A member of a rule as a field. */
export interface Field {
  path: string;
  label: string;
  /** What holds if it is left out. */
  leftOut: string;
  /** What may be chosen, or named in the place of a time. */
  names: readonly string[];
  takes: string;
}

/** Others are rarely another one's: they stay as they are, and the editor has them. */
const LABELS: Readonly<Record<string, [label: string, leftOut: string]>> = {
  'lease.from': ['Lease counts from', 'no lease'],
  'lease.length': ['Lease lasts', 'TTL − margin'],
  'lease.margin': ['Margin', '1 s or less'],
  'lease.ends': ['Lease ends', 'by-timer'],
  'renew.every': ['Renews every', 'the retry interval'],
  'retry.from': ['Retry counts from', 'reply'],
  timeout: ['Deadline', 'unlimited'],
  firstTimeout: ['First deadline', 'the same'],
  acquireTimeout: ['Deadline to acquire', 'the same'],
  toleratedFailures: ['Failures tolerated', 'any number'],
  onCollision: ['On a collision', 'lose'],
  onLoss: ['After a loss', 'stop'],
};

export const FIELDS: readonly Field[] = (members as unknown as [string, string[], string][]).flatMap(([member, names, takes]) => {
  const path = member.replace('runner.', '');
  const [label, leftOut] = LABELS[path] ?? [];
  return label === undefined || leftOut === undefined ? [] : [{ path, label, leftOut, takes, names: names.filter((name) => name !== leftOut) }];
});

/** A member as its field shows it: empty where it is left out, or says the same. */
export function memberOf(rule: RunnerRule, { path, leftOut }: Field): string {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], rule) ?? '';
  return value === leftOut ? '' : String(value);
}

/** A member in words: `Lease counts from request`. */
export function memberWords(field: Field, text: string): string {
  return `${field.label} ${(text || field.leftOut).replaceAll('-', ' ')}`;
}

/** The rule with another member; an empty text leaves it out, and with its start a whole lease. The rule is no library's then, and has no name. */
export function withMember({ name: _, ...rule }: RunnerRule, { path, takes }: Field, text: string): RunnerRule {
  const [member = '', part] = path.split('.');
  const value = text === '' ? undefined : takes === 'count' ? Number(text) : text;
  const whole = part === undefined || (path === 'lease.from' && text === '') ? value : { ...(rule as Record<string, object>)[member], [part]: value };
  // Without what is left out.
  return JSON.parse(JSON.stringify({ ...rule, [member]: whole })) as RunnerRule;
}
