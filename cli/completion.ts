// `locket-wasm completion`: completion scripts for shells, made from the table of commands.

import { Argument, type Command, Help } from 'commander';
import { stories } from 'locket-wasm/stories';

import { newCommand } from './command.js';
import { COMPLETED_FAULTS } from './faults.js';
import { bash, type CompletedCommand, fish, zsh } from './completion-scripts.js';
import { reporting } from './printer.js';

const SCRIPTS = { bash, fish, zsh };

const EXAMPLES = `
Set it up once for every new shell:

  bash  echo 'eval "$(locket-wasm completion bash)"' >> ~/.bashrc
  zsh   locket-wasm completion zsh > "\${fpath[1]}/_locket-wasm"
  fish  locket-wasm completion fish > ~/.config/fish/completions/locket-wasm.fish
`;

/** `all` is called when the command runs, because this command is part of it. */
export function completionCommand(all: () => Command): Command {
  return newCommand('completion', 'print a completion script for a shell')
    .description('Prints a script for a shell that completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', EXAMPLES)
    .action(reporting((shell: keyof typeof SCRIPTS) => ({ files: [{ file: '-', text: SCRIPTS[shell](all().commands.map(completed)) }] })));
}

/** The arguments that can be the name of a story; a scenario can also be a file. */
const OF_STORIES = ['scenario', 'story'];

/** The margin of a run has a fault of its own, which is one of a few. */
const argumentIsFault = (long: string | undefined, choices: readonly string[]) => long === '--fault' && choices.length === 0;

function completed(command: Command): CompletedCommand {
  const options = new Help().visibleOptions(command);
  return {
    name: command.name(),
    summary: command.summary(),
    takesFiles: command.registeredArguments.some((argument) => argument.argChoices === undefined && argument.name() !== 'story'),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? (OF_STORIES.includes(argument.name()) ? Object.keys(stories) : [])),
    options: options.map(({ short, long, description, required, argChoices = [] }) => ({
      flags: [short, long].filter((flag) => flag !== undefined),
      description,
      takesValue: required,
      choices: argumentIsFault(long, argChoices) ? COMPLETED_FAULTS : argChoices,
    })),
  };
}
