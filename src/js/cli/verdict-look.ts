// How a verdict looks: its mark and colour on the terminal, and what it is to a CI service.

import type { Verdict } from '../check-node.js';
import type { TestCase } from './junit.js';
import type { Paint } from './terminal.js';

/** What can be said of settings; `invalid` and `unset` are those of a manifest that cannot be asked about. */
export type Judgement = Verdict | 'invalid' | 'unset';

const OPEN = { mark: '?', colour: 'yellow', result: 'error' } as const;
const BAD = { mark: '✗', colour: 'red', result: 'failure' } as const;
const LOOKS: Record<Judgement, { mark: string; colour: Parameters<Paint>[0]; result: TestCase['result'] }> = {
  safe: { mark: '✓', colour: 'green', result: 'passed' },
  unsafe: BAD,
  invalid: BAD,
  unset: OPEN,
  unknown: OPEN,
};

/** How it looks. */
export const lookOf = (verdict: Judgement): (typeof LOOKS)[Judgement] => LOOKS[verdict];
