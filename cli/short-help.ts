// A help that begins with what most need, a line for each option. After the examples it has the other options, and the values
// of options whose line has no room for them.

import { type Command, Help, type Option } from 'commander';

export const HELP_WIDTH = 80;

/** The heading of options that few need. */
const RARE = 'More options:';

/** The heading of commands that few need. */
export const MORE_COMMANDS = 'More commands:';

/** An option that few need: the help has it after the examples. */
export function rarely(option: Option): Option {
  return option.helpGroup(RARE);
}

const isRare = ({ helpGroupHeading }: Option): boolean => helpGroupHeading === RARE;
const whole = new Help();

/** How the help differs from commander's. */
export const SHORT_HELP: Pick<Help, 'optionDescription' | 'visibleCommands' | 'visibleOptions'> = {
  visibleCommands: (command) => whole.visibleCommands(command).filter((one) => one.helpGroup() !== MORE_COMMANDS && one.name() !== 'help'),
  visibleOptions: (command) => whole.visibleOptions(command).filter((option) => !isRare(option)),
  optionDescription: (option) => whole.optionDescription(isRare(option) ? option : (Object.create(option, { argChoices: { value: undefined } }) as Option)),
};

/** The text behind the examples of the command with this name, whose parents ask for it too. */
export function restOfHelp(name: string): (context: { command: Command }) => string {
  return ({ command }) => (command.name() === name ? [section(MORE_COMMANDS, moreCommands(command)), section(RARE, rareTerms(command)), section('Values:', choiceTerms(command))].filter(Boolean).join('\n') : '');
}

function moreCommands(command: Command): Term[] {
  const more = whole.visibleCommands(command).filter((one) => one.helpGroup() === MORE_COMMANDS || one.name() === 'help');
  return more.map((one) => [whole.subcommandTerm(one), whole.subcommandDescription(one)]);
}

/** An option or a value, with its description. */
export type Term = [term: string, description: string];

function rareTerms(command: Command): Term[] {
  return whole.visibleOptions(command).filter(isRare).map((option) => [whole.optionTerm(option), whole.optionDescription(option)]);
}

/** The values of the options of the first list. */
function choiceTerms(command: Command): Term[] {
  const options = whole.visibleOptions(command).filter((option) => !isRare(option));
  return options.flatMap(({ long, argChoices }) => (argChoices === undefined ? [] : [[long?.slice(2) ?? '', argChoices.join(', ')] as Term]));
}

/** Terms under a heading, wrapped. */
export function section(heading: string, terms: readonly Term[]): string {
  if (terms.length === 0) return '';
  const help = Object.assign(new Help(), { helpWidth: HELP_WIDTH });
  const width = Math.max(...terms.map(([term]) => term.length));
  return [heading, ...terms.map(([term, description]) => help.formatItem(term, width, description, help)), ''].join('\n');
}
