// Reads and writes the files of commands.

import { readFileSync, writeFileSync } from 'node:fs';

import { EXIT_FAILED, Failure } from './command.js';

/** A file's text; `-` is standard input. */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot read ${file}: ${(error as Error).message}`, error);
  }
}

/** Writes a file; `-` is standard output. */
export function writeText(file: string, text: string): void {
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Failure(EXIT_FAILED, `cannot write ${file}: ${(error as Error).message}`, error);
  }
}
