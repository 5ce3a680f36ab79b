// The table of commands; help comes from it. A new command is a file of its own
// and a line here.

import type { Command } from 'commander';

import { adviseCommand } from './advise.js';
import { claimLockCommand, claimPresenceCommand } from './claim.js';
import { EXIT_CODES, EXIT_USAGE, Failure, newCommand, PROGRAM } from './command.js';
import { diagnoseCommand } from './diagnose.js';
import { doctorCommand } from './doctor.js';
import { exploreCommand } from './explore.js';
import { locksCommand, presencesCommand } from './list.js';
import { mergeCommand } from './merge.js';
import { releaseLockCommand } from './release.js';
import { runCommand } from './run.js';
import { MORE_COMMANDS } from './short-help.js';
import { serveCommand } from './serve.js';
import { nearest } from './spelling.js';
import { storiesCommand } from './stories.js';
import { version } from './version.js';
import { watchCommand } from './watch.js';

const ASK = 'Simulate and check:';
const CALL = 'Call a Locket, as cfdot does:';
const OBSERVE = 'Observe a Locket:';

/** The whole command line. */
export function program(): Command {
  const all = newCommand(PROGRAM, '')
    .description('Checks lock settings, runs scenarios on a reference Locket, and calls a real one.')
    .version(version(), '-V, --version', 'print the version')
    .usage('COMMAND [OPTION...]')
    .helpCommand('help [command]', 'print the help of a command');
  for (const [heading, commands] of Object.entries(groups())) {
    for (const command of commands) all.addCommand(command.helpGroup(heading));
  }
  return all.addHelpText('after', `\n${EXIT_CODES}`);
}

/** Refuses an unknown command, also of `help NAME` and `NAME --help`, which commander answers with other help. */
export function checkName({ commands }: Command, args: readonly string[]): void {
  const [name] = args[0] === 'help' ? args.slice(1) : args;
  const names = ['help', ...commands.map((command) => command.name())];
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  const near = nearest(name, names, 3);
  throw new Failure(EXIT_USAGE, `unknown command '${name}'${near === null ? '' : ` (Did you mean ${near}?)`}; see ${PROGRAM} --help`);
}

/** Each command with the reason for it: what a person wants who reaches for it, and no other command does. */
const groups = (): Record<string, Command[]> => ({
  [ASK]: [
    // What happens in this one scenario?
    runCommand(),
    // Can these settings ever go wrong?
    exploreCommand(),
    // Which settings should I take, and are those of my manifest safe?
    adviseCommand(),
    // What went wrong last night? Its input is logs.
    diagnoseCommand(),
    // A Locket for clients in other languages: it runs until it is stopped.
    serveCommand(),
    // Which scenarios are there to begin with?
    storiesCommand(),
  ],
  [CALL]: [
    // The names and the output of cfdot, which operators know and scripts parse: five calls, five commands.
    locksCommand(),
    presencesCommand(),
    claimLockCommand(),
    claimPresenceCommand(),
    releaseLockCommand(),
  ],
  [OBSERVE]: [
    // Why does this endpoint not answer?
    doctorCommand(),
    // What changes right now, or changed while nobody looked? For people, or as a file for diagnose.
    watchCommand(),
  ],
  [MORE_COMMANDS]: [
    // Joins what shards wrote on many machines.
    mergeCommand(),
  ],
});
