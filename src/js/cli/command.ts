// What the commands have in common: how one is made, how it ends, and how it reads values.

import { Command, InvalidArgumentError, Option } from 'commander';

import { Code, type Duration, durationMs, LocketArgumentError, LocketError, ModuleError, StepLimitError } from '../node.js';

/** Exit codes beside 0. */
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
export const EXIT_REFUSED = 3;
export const EXIT_UNKNOWN = 4;
export const EXIT_UNFINISHED = 5;
export const EXIT_BUG = 70;

/** How a call ends that failed with this outcome. */
const EXIT_CODE_OF = { 'no-effect': EXIT_FAILED, refused: EXIT_REFUSED, unknown: EXIT_UNKNOWN };

/** What every command's help says of its end. */
export const EXIT_CODES = `Exit codes:
  0   done
  1   failed: an expectation does not hold, settings are not safe, a file or
      port cannot be used, or Locket cannot be reached or read
  2   wrong usage, or a mistake in a scenario
  3   Locket refused: nothing was done
  4   no usable answer: it may have been done or not
  5   no verdict: not every schedule was tried, or only on a coarse grid,
      nothing was put to the test, or a run took more steps than it may
  70  a bug in locket-wasm
`;

/** Ends the command with a message for a person; exit code 0 says that all is said already. */
export class Failure extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    cause?: unknown,
    /** What stands under the message, such as the line that has a mistake. */
    readonly excerpt: readonly string[] = [],
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** How the program ends with an error, whatever it is. */
export function failureOf(error: Error): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StepLimitError) {
    const { maxSteps, reachedMs, untilMs } = error;
    const far = `${reachedMs / 1000} s of ${untilMs / 1000} s`;
    return new Failure(EXIT_UNFINISHED, `the run took ${maxSteps} steps and came to ${far}; allow more with --max-steps, or end it earlier`, error);
  }
  if (error instanceof ModuleError && error.reason === 'out-of-memory') return new Failure(EXIT_FAILED, error.message, error);
  return new Failure(EXIT_BUG, `bug, please report it: ${error.message}; --debug prints where it is`, error);
}

/** Gives a command the option that says how much a run may do. */
export function withSteps(command: Command): Command {
  return command.option('--max-steps <count>', 'how many steps a run may take; 20000000 by default', wholeNumber);
}

/** A command as all of them are: it explains itself, and names the mistake and the remedy. */
export function newCommand(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .helpOption('-h, --help', 'print this')
    .addOption(new Option('--debug', 'print the stack of what went wrong').env('LOCKET_DEBUG'))
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {}, getOutHelpWidth: () => HELP_WIDTH, getOutHasColors: () => false })
    .exitOverride(({ exitCode, message, cause }) => {
      if (exitCode === 0) throw new Failure(0, message);
      const path = name === PROGRAM ? PROGRAM : `${PROGRAM} ${name}`;
      const problem = message.replace(/^error: /, '').split('\n').map((line) => line.trim()).filter(Boolean).join(' ').replace(/\.$/, '');
      throw new Failure(EXIT_USAGE, `${problem}; see ${path} --help`, cause);
    });
}

/** The package's command. */
export const PROGRAM = 'locket-wasm';

const HELP_WIDTH = 80;

/** Turns what the package throws into the end of a command. `options` says which option an argument came from. */
export async function ending<T>(name: string, options: Record<string, string>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocketError) {
      throw new Failure(EXIT_CODE_OF[error.outcome], describe(error), error);
    }
    if (!(error instanceof LocketArgumentError)) throw error;
    const { field, message } = error;
    const option = options[field] ?? `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new Failure(EXIT_USAGE, `${option}${message.slice(field.length)}; see ${PROGRAM} ${name} --help`, error);
  }
}

function describe({ code, message, outcome, cause }: LocketError): string {
  const reason = cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : '';
  const isUnreached = code === Code.Unavailable && outcome === 'no-effect';
  return `${message}${reason}${outcome === 'unknown' ? '; it may have been done or not' : isUnreached ? `; ${PROGRAM} doctor says more` : ''}`;
}

/** A value that is given once and is not empty. */
export function nonEmpty(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError('It is given twice.');
  if (value === '') throw new InvalidArgumentError('It cannot be empty.');
  return value;
}

/** A length of time with its unit, as it is given. */
export function duration(value: string): Duration {
  milliseconds(value);
  return value as Duration;
}

/** A lease, which has whole seconds: their number. */
export function wholeSeconds(value: string): number {
  const seconds = milliseconds(value) / 1000;
  if (!Number.isInteger(seconds)) throw new InvalidArgumentError('Expected whole seconds, such as 15s.');
  return seconds;
}

/** The milliseconds of a length of time with its unit. */
export function milliseconds(value: string): number {
  try {
    return durationMs(value);
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    throw new InvalidArgumentError(`${error.message.slice(error.field.length + 2)}.`);
  }
}

/** A whole number; what it may be, its user checks. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}
