// A folder like that of a user of the recipes: the scenario, and the program on the PATH.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { blocksOf } from '../docs/blocks.mjs';
import { CLI } from '../node/support/command-line.mjs';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = join(ROOT, 'docs/do/many-machines.md');
/** The seeds of the recipes, and their number in tests. */
const SEEDS = /--seeds 1000000/g;
const FEWER = 400;

/** The text of a recipe's file, with fewer seeds. */
export function recipe(name) {
  const text = readFileSync(join(ROOT, 'recipes', name), 'utf8');
  const fewer = text.replace(SEEDS, `--seeds ${FEWER}`);
  if (fewer === text) throw new Error('expected --seeds 1000000 in the recipe');
  return fewer;
}

/** A folder with pause.json of the page, locket-wasm, and an npx that takes it instead of the registry's. */
export class Folder {
  constructor() {
    this.path = mkdtempSync(join(tmpdir(), 'locket-recipes-'));
    writeFileSync(this.at('pause.json'), blocksOf(PAGE).find(({ file }) => file === 'pause.json').text);
    mkdirSync(this.at('bin'));
    this.program('locket-wasm', `exec ${process.execPath} ${CLI} "$@"`);
    this.program('npx', 'while [ "$1" != locket-wasm ]; do shift; done\nexec "$@"');
    // HOME: an engine keeps its settings there.
    this.env = { ...process.env, HOME: this.path, PATH: `${this.at('bin')}${delimiter}${process.env.PATH}` };
  }

  at(name) {
    return join(this.path, name);
  }

  read(name) {
    return readFileSync(this.at(name), 'utf8');
  }

  copy(name, as) {
    copyFileSync(join(ROOT, name), this.at(as));
  }

  program(name, text) {
    writeFileSync(this.at(`bin/${name}`), `#!/bin/sh\n${text}\n`);
    chmodSync(this.at(`bin/${name}`), 0o755);
  }

  run(program, args, { env = {}, cwd = this.path } = {}) {
    const options = { cwd, env: { ...this.env, ...env }, encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 28 };
    const { status, stdout, stderr } = spawnSync(program, args, options);
    return { status, stdout, stderr };
  }

  sh(script, env) {
    return this.run('sh', ['-c', script], { env });
  }

  /** The report of one machine. */
  whole(seeds = FEWER) {
    this.sh(`locket-wasm run pause.json --seeds ${seeds} --jobs 2 --output whole.json`);
    return this.read('whole.json');
  }

  /** The merged report of the files. */
  merged(files) {
    this.sh(`locket-wasm merge ${files} --output merged.json`);
    return this.read('merged.json');
  }

  remove() {
    rmSync(this.path, { recursive: true, force: true });
  }
}
