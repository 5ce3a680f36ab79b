// `locket-wasm advise`: which settings are safe, and what they cost.

import { type Command, Option } from 'commander';

import { advise, type QuestionRunner } from '../node.js';
import { printable } from '../text.js';
import { ending, EXIT_FAILED, EXIT_UNFINISHED, Failure, newCommand, wholeNumber } from './command.js';
import { OPTION_OF_FIELD, type QuestionOptions, questionOf, RUNNERS, withQuestion } from './question.js';
import { paintFor, StatusLine } from './terminal.js';

const DESCRIPTION = `Says whether settings are safe within the given bounds, how much longer a machine
may stand still, and what the settings cost. If they are not safe, it names the
nearest that are: a longer lease, a shorter retry interval, the safe runner.`;

const EXAMPLES = `
Exit code 1 says that the settings are not safe, 5 that there is no verdict.

Production, if messages take up to a second and machines stand still for 10 s:

  locket-wasm advise --ttl 15 --retry 5s --delay 1s --pause 10s
`;

interface Options extends QuestionOptions {
  runner: QuestionRunner;
  ttl: number;
  retry?: string;
  json?: true;
}

export function adviseCommand(): Command {
  const command = newCommand('advise', 'say which settings are safe, and what they cost')
    .description(DESCRIPTION)
    .addOption(new Option('--runner <name>', 'which runner it is').choices(RUNNERS).default('upstream'))
    .option('--ttl <seconds>', 'the lease', wholeNumber, 15)
    .option('--retry <duration>', 'the retry interval; 5s by default');
  return withQuestion(command).option('--json', 'print the advice as JSON').addHelpText('after', EXAMPLES).action(adviseSettings);
}

async function adviseSettings({ runner, ttl, retry, json, ...rest }: Options): Promise<void> {
  const status = new StatusLine();
  const { maxStates } = rest;
  const advice = await ending('advise', OPTION_OF_FIELD, () => {
    const settings = { runner, ttlSeconds: ttl, ...(retry !== undefined && { retryIntervalMs: retry }) };
    return advise({ ...questionOf('advise', rest), ...settings }, {
      ...(maxStates !== undefined && { maxStates }),
      onProgress: ({ alternatives }) => status.show(`${alternatives} other settings found`),
    });
  });
  status.clear();
  const paint = paintFor(process.stdout);
  const { verdict, text } = advice;
  const colour = verdict === 'proved' ? 'green' : 'red';
  const [first = '', ...others] = text.trimEnd().split('\n').map(printable);
  process.stdout.write(json ? `${JSON.stringify(advice)}\n` : `${[paint(colour, first), ...others].join('\n')}\n`);
  if (verdict === 'violated') throw new Failure(EXIT_FAILED, 'the settings are not safe');
  if (verdict !== 'proved') throw new Failure(EXIT_UNFINISHED, `no verdict: ${verdict}`);
}
