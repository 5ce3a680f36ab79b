// `explore --compare`: the runners side by side under the same faults.

import { compareRunners } from 'locket-wasm/check';
import type { CompareQuestion, Faults } from 'locket-wasm/types';

import { type Durations, searchLimit, settingsOf } from './settings.js';
import { EXIT_UNFINISHED, Failure } from '../command.js';
import { BOUNDS_TAKE } from '../question.js';
import { type Report, toned } from '../report.js';
import { status } from '../terminal.js';
import { whyUnknown } from '../why-unknown.js';

interface Options extends Omit<CompareQuestion, 'faults' | 'retryInterval' | 'ttl'> {
  fault?: Faults;
  ttl?: Durations;
  retryInterval?: Durations;
  maxStates?: number;
}

export const COMPARE = {
  by: 'compare',
  takes: [...BOUNDS_TAKE, 'ttl', 'retryInterval', 'json'],
  work: compare,
};

async function compare(_: undefined, options: Options): Promise<Report> {
  const comparison = await compareRunners(questionOfRunners(options), {
    ...searchLimit(options),
    onProgress: ({ runners, states }) => status.show(`${runners} done; ${states} states of the next runner`),
  });
  const [head = '', ...rows] = comparison.text.split('\n');
  const open = whyUnknown(comparison.rows, 'runners');
  return {
    text: () => [toned('bold', head), ...rows],
    json: [comparison],
    failure: open === undefined ? undefined : new Failure(EXIT_UNFINISHED, open),
  };
}

/** Of the values of the options those that are bounds. */
function questionOfRunners(options: Options): CompareQuestion {
  const { fault: faults, ttl, retryInterval } = options;
  const bounds = Object.fromEntries(Object.entries(options).filter(([name]) => BOUNDS_TAKE.includes(name) && !['fault', 'maxStates'].includes(name)));
  return { ...bounds, ...(faults !== undefined && { faults }), ...settingsOf({ ttl: ttl ?? '15s', retryInterval }) };
}
