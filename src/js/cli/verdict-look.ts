// How a verdict looks: its mark and colour on the terminal, and what it is to a CI service.

import type { Verdict } from '../check-node.js';
import type { TestCase } from './junit.js';
import type { Paint } from './terminal.js';

/** What can be said of settings; `invalid` and `unset` are those of a manifest that cannot be asked about. */
export type Judgement = Verdict | 'invalid' | 'unset';

const OPEN = { mark: '?', colour: 'yellow', result: 'error' } as const;
const BAD = { mark: '✗', colour: 'red', result: 'failure' } as const;
const LOOKS: Record<Judgement, { mark: string; colour: Parameters<Paint>[0]; result: TestCase['result'] }> = {
  proved: { mark: '✓', colour: 'green', result: 'passed' },
  violated: BAD,
  invalid: BAD,
  preview: OPEN,
  unset: OPEN,
  unfinished: OPEN,
  'never-exercised': OPEN,
};

/** How it looks. */
export const lookOf = (verdict: Judgement): (typeof LOOKS)[Judgement] => LOOKS[verdict];
