// Throw-away projects that have nothing but the packed tarball.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What the program says if the package works: the digest is the one that native Rust has. */
export const EXPECTED = `bbs-0 then resource-not-found, first-look ${
  JSON.parse(readFileSync(join(ROOT, 'sim/scenarios/digests.json'), 'utf8'))['first-look.json']
}`;

/** Packs pkg/ into an empty folder target/NAME; the tarball and its size in bytes. */
export function pack(name) {
  const folder = join(ROOT, 'target', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, join(ROOT, 'pkg')]);
  const tarball = join(folder, readdirSync(folder)[0]);
  return { folder, tarball, bytes: statSync(tarball).size };
}

/** The project's tools could not be installed. */
export class NotInstalled extends Error {}

/**
 * A project beside the tarball with the tarball installed, the program, and the row's own files.
 *
 * Tools such as esbuild are the workspace's, found in a node_modules above; the package is the installed one, which is nearer.
 * A row's own `packages` are installed beside it, from the registry.
 */
export function createProject({ folder, tarball }, { name, files, packages = {} }) {
  const project = join(folder, name.replace(/\W+/g, '-'));
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--silent', '--offline', '--no-package-lock', tarball], { cwd: project });
  const specifiers = Object.entries(packages).map(([tool, version]) => `${tool}@${version}`);
  if (specifiers.length > 0) {
    // Browsers are the machine's.
    const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
    const options = { cwd: project, encoding: 'utf8', env };
    const { status, stderr } = spawnSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', ...specifiers], options);
    if (status !== 0) throw new NotInstalled(stderr.match(/^npm (?:error|ERR!) .*$/gm)?.slice(0, 3).join('; ') ?? stderr);
  }
  cpSync(fileURLToPath(new URL('program.mjs', import.meta.url)), join(project, 'program.mjs'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
  }
  return project;
}
