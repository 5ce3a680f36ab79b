// A command that can do one of several things: an option chooses which, and each of the others goes with some of them.

import type { Command } from 'commander';

import { EXIT_USAGE, Failure, PROGRAM } from './command.js';

/** One of the things, with the names of options as programs have them. */
export interface Mode {
  /** The option that chooses it. */
  by: string;
  /** The other options that it takes. */
  takes: readonly string[];
}

/** The options of every command. */
const ALWAYS = ['debug'];

/** The mode of the options given, or `undefined` for what the command does without; an option that does not go with it is an error. */
export function modeOf<M extends Mode>(command: Command, modes: readonly M[], takesWithout: readonly string[]): M | undefined {
  const given = givenTo(command);
  const [mode, other] = modes.filter(({ by }) => given.includes(by));
  if (mode !== undefined && other !== undefined) throw misuse(command, `${optionOf(mode.by)} and ${optionOf(other.by)} exclude each other; leave out one of them`);
  if (mode !== undefined) checkTakes(command, optionOf(mode.by), [mode.by, ...mode.takes]);
  const foreign = mode === undefined && given.find((name) => !takesWithout.includes(name));
  if (foreign) throw misuse(command, neededFor(foreign, modes));
  return mode;
}

/** Refuses options that do not go with what is asked for. */
export function checkTakes(command: Command, what: string, takes: readonly string[]): void {
  const foreign = givenTo(command).find((name) => !takes.includes(name));
  if (foreign !== undefined) throw misuse(command, `${what} takes no ${optionOf(foreign)}; leave it out`);
}

function givenTo(command: Command): string[] {
  return Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli' && !ALWAYS.includes(name));
}

/** The values of the options that go with a mode: those of others may have a default. */
export function optionsOf({ by, takes }: Mode, options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name === by || takes.includes(name)));
}

/** An error of usage that names the help. */
export function misuse(command: Command, problem: string): Failure {
  return new Failure(EXIT_USAGE, `${problem}; see ${PROGRAM} ${command.name()} --help`);
}

function neededFor(name: string, modes: readonly Mode[]): string {
  const by = modes.filter(({ takes }) => takes.includes(name)).map((mode) => optionOf(mode.by));
  return `${optionOf(name)} needs ${by.join(' or ')}`;
}

const optionOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
