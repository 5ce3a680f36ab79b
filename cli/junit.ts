// JUnit reports, which CI services read.

import { escaped } from '../src/js/base/text.js';

/** One check. */
export interface TestCase {
  name: string;
  result: 'error' | 'failure' | 'passed' | 'skipped';
  /** The problem, in one line. */
  message: string;
  /** The details. */
  text: string;
}

/** A report of suites. */
export function junit(suites: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

/** A suite of cases. */
export function suiteOf(name: string, cases: readonly TestCase[]): string {
  const count = (result: TestCase['result']) => cases.filter((one) => one.result === result).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"${count('skipped') === 0 ? '' : ` skipped="${count('skipped')}"`}`;
  const lines = cases.map((one) => `    <testcase classname="${escaped(name)}" name="${escaped(one.name)}"${outcome(one)}`);
  return `  <testsuite name="${escaped(name)}" ${counts}>\n${lines.join('\n')}\n  </testsuite>`;
}

function outcome({ result, message, text }: TestCase): string {
  // A skipped case has no text in most schemas: its text is output of the case.
  if (result === 'skipped') return `>\n      <skipped message="${escaped(message)}"/>\n      <system-out>${escaped(text)}</system-out>\n    </testcase>`;
  if (result === 'passed') return `>\n      <system-out>${escaped(text)}</system-out>\n    </testcase>`;
  return `>\n      <${result} message="${escaped(message)}">${escaped(text)}</${result}>\n    </testcase>`;
}
