// How many lines of code each room has. ceilings.mjs compares.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** A file counts for the first room that its path begins with, or for `other`. */
const ROOMS = ['sim/src/check', 'sim/src', 'sim/tests', 'src/js', 'src/', 'cli', 'www/src', 'www', 'tests', 'docs', 'recipes', 'templates', '.ci'];
const COMMENTS = { '/*': '*/', '<!--': '-->' };

/** The lines of code in each room: those of files in git, without empty lines and comments of whole lines. */
export function codeLines() {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const files = listed.filter((file) => /\.(?:rs|ts|mjs|js|svelte|css|html)$/.test(file) && existsSync(`${ROOT}${file}`));
  const lines = Object.fromEntries([...ROOMS, 'other'].map((room) => [room, 0]));
  for (const file of files) lines[ROOMS.find((room) => file.startsWith(room)) ?? 'other'] += codeLinesOf(file);
  return lines;
}

function codeLinesOf(file) {
  let end;
  const isCode = (line) => {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      return false;
    }
    const begin = Object.keys(COMMENTS).find((it) => line.startsWith(it));
    if (begin !== undefined && !line.includes(COMMENTS[begin])) end = COMMENTS[begin];
    return begin === undefined && line !== '' && !line.startsWith('//');
  };
  return readFileSync(`${ROOT}${file}`, 'utf8').split('\n').filter((line) => isCode(line.trim())).length;
}
