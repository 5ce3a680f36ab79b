// Runs the command line as a shell does.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program. */
export const CLI = fileURLToPath(new URL('../../../pkg/dist/cli.js', import.meta.url));

/** Runs the command line: its exit code, and what it prints. */
export function cli(args, input = '', env = {}) {
  const options = { input, encoding: 'utf8', env: { ...process.env, ...env }, maxBuffer: 2 ** 28 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
  return { status, stdout, stderr };
}

/** Why there is no terminal, if so: `script` is that of util-linux; another one takes its arguments otherwise. */
export const noScript = !/util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout) && 'there is no terminal to be had';

/** The same on a terminal, of which there is one for both outputs. */
export function cliOnTerminal(args, env = {}) {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  // Nothing else of the environment: CI, NODE_DISABLE_COLORS and others have a say in colours.
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, TERM: 'xterm', ...env } };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], options);
  return { status, stdout };
}
