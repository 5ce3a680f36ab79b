// What the commands have in common: how one is described, and how it ends with a message for a person.

/** One command of `locket-wasm`. */
export interface Command {
  /** What it does, in a line, for the list of commands. */
  readonly summary: string;
  /** Printed by `--help`. */
  readonly help: string;
  /** Does it. Throws a {@link Failure}, or returns when it is done. */
  run(args: string[]): void | Promise<void>;
}

/** Exit codes beside 0. */
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Ends the command with a message for a person. */
export class Failure extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** Reads a command's options; a mistake in them is a wrong usage. */
export function readOptions<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new Failure(EXIT_USAGE, `${(error as Error).message}; see locket-wasm ${command} --help`);
  }
}
