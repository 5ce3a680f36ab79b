// The table of commands; help and shell completion come from it. A new command is a file of its own
// and a line here.

import type { Command } from 'commander';

import { adviseCommand } from './advise.js';
import { batchCommand } from './batch.js';
import { claimLockCommand, claimPresenceCommand } from './claim.js';
import { EXIT_CODES, newCommand, PROGRAM } from './command.js';
import { compareCommand } from './compare.js';
import { completionCommand } from './completion.js';
import { conformCommand } from './conform.js';
import { marginCommand } from './margin.js';
import { diagnoseCommand } from './diagnose.js';
import { doctorCommand } from './doctor.js';
import { exploreCommand } from './explore.js';
import { exportCommand } from './export.js';
import { locksCommand, presencesCommand } from './list.js';
import { mapCommand } from './map.js';
import { mergeCommand } from './merge.js';
import { recordCommand } from './record.js';
import { releaseLockCommand } from './release.js';
import { replayCommand } from './replay.js';
import { runCommand } from './run.js';
import { serveCommand } from './serve.js';
import { minimizeCommand } from './minimize.js';
import { storiesCommand } from './stories.js';
import { sweepCommand } from './sweep.js';
import { version } from './version.js';
import { watchCommand } from './watch.js';

const SIMULATE = 'Simulate:';
const CHECK = 'Check settings:';
const MACHINES = 'Use many machines:';
const EXPLAIN = 'Explain an incident:';
const CALL = 'Call a Locket, as cfdot does:';
const OBSERVE = 'Observe a Locket:';
const OTHER = 'Other:';

/** The whole command line. */
export function program(): Command {
  const all = newCommand(PROGRAM, '')
    .description('Checks lock settings, runs scenarios on a reference Locket, and calls a real one.')
    .version(version(), '-V, --version', 'print the version')
    .usage('COMMAND [OPTION...]')
    .commandsGroup(OTHER)
    .helpCommand('help [command]', 'print the help of a command');
  const groups: [heading: string, commands: Command[]][] = [
    [SIMULATE, [runCommand(), storiesCommand(), sweepCommand(), minimizeCommand(), replayCommand(), exportCommand(), serveCommand()]],
    [CHECK, [exploreCommand(), batchCommand(), compareCommand(), mapCommand(), adviseCommand(), marginCommand()]],
    [MACHINES, [mergeCommand()]],
    [EXPLAIN, [diagnoseCommand()]],
    [CALL, [locksCommand(), presencesCommand(), claimLockCommand(), claimPresenceCommand(), releaseLockCommand()]],
    [OBSERVE, [doctorCommand(), watchCommand(), recordCommand(), conformCommand()]],
    [OTHER, [completionCommand(() => all)]],
  ];
  for (const [heading, commands] of groups) {
    for (const command of commands) all.addCommand(command.helpGroup(heading));
  }
  return all.addHelpText('after', `\n${EXIT_CODES}`);
}
