// Shared by all commands: options, exit codes, and the values of options.

import { Command, InvalidArgumentError, Option } from 'commander';
import { Code, type Duration, durationMs, LocketArgumentError, LocketError, ModuleError, StepLimitError } from 'locket-wasm';

import { length } from '../src/js/base/times.js';
import { HELP_WIDTH, rarely, restOfHelp, SHORT_HELP } from './short-help.js';

/** Exit codes other than 0. */
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
export const EXIT_REFUSED = 3;
export const EXIT_UNKNOWN = 4;
export const EXIT_UNFINISHED = 5;
export const EXIT_BUG = 70;

/** The exit code of a failed call, by its outcome. */
const EXIT_CODE_OF = { 'no-effect': EXIT_FAILED, refused: EXIT_REFUSED, unknown: EXIT_UNKNOWN };

/** The exit codes, for the help. */
export const EXIT_CODES = `Exit codes:
  0   done
  1   failed: an expectation does not hold, settings are not safe, a file or
      port cannot be used, or Locket cannot be reached or read
  2   wrong usage, or an invalid scenario
  3   Locket refused; the call had no effect
  4   no usable answer; the call may have had its effect
  5   no verdict: the search was cut, the grid was too coarse, the property
      was never tested, or a run reached its limit of steps
  70  a bug in locket-wasm
`;

/** Ends the command with an exit code and a message; with exit code 0 the message is not printed. */
export class Failure extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    cause?: unknown,
    /** Lines under the message, such as an invalid line of a file. */
    readonly excerpt: readonly string[] = [],
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The exit code and the message for any error. */
export function failureOf(error: Error): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StepLimitError) {
    const { maxSteps, reachedMs, untilMs } = error;
    const far = `${length(reachedMs)} of ${length(untilMs)}`;
    return new Failure(EXIT_UNFINISHED, `the run used all its ${maxSteps} steps and reached ${far}; raise --max-steps, or end the run earlier`, error);
  }
  if (error instanceof ModuleError && error.reason === 'out-of-memory') return new Failure(EXIT_FAILED, error.message, error);
  return new Failure(EXIT_BUG, `bug, please report it: ${error.message}; --debug prints the stack`, error);
}

/** Adds the option for the limit of a run's steps. */
export function withSteps(command: Command): Command {
  return command.addOption(rarely(new Option('--max-steps <count>', 'the most steps of a run; 20000000 by default').argParser(wholeNumber)));
}

/** A command with the options and the error handling of all commands. */
export function newCommand(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .helpOption('-h, --help', 'print this help')
    .addOption(rarely(new Option('--debug', 'print the stack of an error').env('LOCKET_DEBUG')))
    .configureHelp(SHORT_HELP)
    .addHelpText('afterAll', restOfHelp(name))
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

/** The option, or another name, of each argument of the package whose name differs. */
export type Fields = Readonly<Record<string, string>>;

/** Does the work of a command. Errors of the package become its end, in the words of its options. */
export async function reportedBy<T>(name: string, fields: Fields, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LocketError) {
      throw new Failure(EXIT_CODE_OF[error.outcome], describe(error), error);
    }
    if (!(error instanceof LocketArgumentError)) throw error;
    const { field, message } = error;
    const option = fields[field] ?? optionOf(field);
    throw new Failure(EXIT_USAGE, `${option}${message.slice(field.length)}; see ${PROGRAM} ${name} --help`, error);
  }
}

/** The option of a field: of `faults.locketPause` that is `--fault locket-pause`. */
function optionOf(field: string): string {
  const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${name.replace(/^faults\.([^.]+).*/, 'fault $1')}`;
}

function describe({ code, message, outcome, cause }: LocketError): string {
  const reason = cause instanceof Error && !message.includes(cause.message) ? `: ${cause.message}` : '';
  const isUnreached = (code === Code.Unavailable || code === Code.Unauthenticated) && outcome === 'no-effect';
  return `${message}${reason}${outcome === 'unknown' ? '; the call may have had its effect' : isUnreached ? `; ${PROGRAM} doctor finds the cause` : ''}`;
}

/** A value that is not empty, given once. */
export function nonEmpty(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError('The option is given twice.');
  if (value === '') throw new InvalidArgumentError('The value is empty.');
  return value;
}

/** A duration with its unit, unchanged. */
export function duration(value: string): Duration {
  milliseconds(value);
  return value as Duration;
}

/** The whole seconds of a TTL. */
export function wholeSeconds(value: string): number {
  const seconds = milliseconds(value) / 1000;
  if (!Number.isInteger(seconds)) throw new InvalidArgumentError('Expected whole seconds, such as 15s.');
  return seconds;
}

/** The milliseconds of a duration with its unit. */
export function milliseconds(value: string): number {
  try {
    return durationMs(value);
  } catch (error) {
    if (!(error instanceof LocketArgumentError)) throw error;
    throw new InvalidArgumentError(`${error.message.slice(error.field.length + 2)}.`);
  }
}

/** A whole number; the caller checks its range. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}

/** A count of a question, which may have no limit. */
export function wholeNumberOrAny(value: string): number | 'any' {
  if (value === 'any') return value;
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Expected a whole number, or any.');
  return Number(value);
}
