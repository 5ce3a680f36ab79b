// JUnit reports, which CI services read.

import { escaped } from '../base/text.js';

/** One check. */
export interface TestCase {
  name: string;
  result: 'error' | 'failure' | 'passed' | 'skipped';
  /** The problem, in one line. */
  message: string;
  /** The details. */
  text: string;
}

/** A report with one suite. */
export function junit(suite: string, cases: readonly TestCase[]): string {
  const count = (result: TestCase['result']) => cases.filter((one) => one.result === result).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"${count('skipped') === 0 ? '' : ` skipped="${count('skipped')}"`}`;
  const lines = cases.map((one) => `    <testcase classname="${escaped(suite)}" name="${escaped(one.name)}"${outcome(one)}`);
  const body = `  <testsuite name="${escaped(suite)}" ${counts}>\n${lines.join('\n')}\n  </testsuite>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${body}</testsuites>\n`;
}

function outcome({ result, message, text }: TestCase): string {
  // A skipped case has no text in most schemas: its text is output of the case.
  if (result === 'skipped') return `>\n      <skipped message="${escaped(message)}"/>\n      <system-out>${escaped(text)}</system-out>\n    </testcase>`;
  if (result === 'passed') return `>\n      <system-out>${escaped(text)}</system-out>\n    </testcase>`;
  return `>\n      <${result} message="${escaped(message)}">${escaped(text)}</${result}>\n    </testcase>`;
}
