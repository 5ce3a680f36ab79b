// The look of a verdict: its mark and colour on the terminal, and its JUnit result.

import type { Verdict } from 'locket-wasm/check';

import type { TestCase } from './junit.js';
import type { Tone } from './report.js';

/** A verdict on settings; the others are for jobs in manifests that cannot be judged, or keep nothing. */
type Judgement = Verdict | 'off' | 'refused';

const OPEN = { mark: '?', colour: 'yellow', result: 'error' } as const;
const LOOKS: Record<Judgement, { mark: string; colour: Tone; result: TestCase['result'] }> = {
  safe: { mark: '✓', colour: 'green', result: 'passed' },
  unsafe: { mark: '✗', colour: 'red', result: 'failure' },
  off: { mark: '–', colour: 'dim', result: 'skipped' },
  refused: OPEN,
  unknown: OPEN,
};

/** The look of a verdict. */
export const lookOf = (verdict: Judgement): (typeof LOOKS)[Judgement] => LOOKS[verdict];
