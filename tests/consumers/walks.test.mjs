// Three walks of people who have the tarball and its pages, or the one executable, and nothing else.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { blocksOf } from '../docs/blocks.mjs';
import { createProject, pack } from './project.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const packed = pack('consumers-walks');
after(() => rmSync(packed.folder, { recursive: true }));

/** A project, and the code blocks of the pages that came with the package. */
function projectWith(name, files) {
  const folder = createProject(packed, { name, files });
  const page = (path) => blocksOf(join(folder, 'node_modules/locket-wasm', path));
  return { folder, file: (path, wanted) => page(path).find(({ file }) => file === wanted).text, output: (path) => page(path).find(({ words }) => words.includes('output')).text };
}

test('from the README to a failing test, whose message says why', () => {
  const { folder, file, output } = projectWith('readme', {});
  writeFileSync(join(folder, 'leader.test.ts'), file('README.md', 'leader.test.ts'));
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder], { cwd: folder, encoding: 'utf8', env });
  assert.equal(status, 1);
  const said = stripVTControlCharacters(stdout + stderr);
  for (const line of output('README.md').trim().split('\n')) assert.ok(said.includes(line.trim()), `${line}\n${said}`);
  assert.match(said, /leader\.test\.ts:\d+/);
});

test('from the page about locks to a lock in production, whose loss ends the work', async () => {
  const { folder, file } = projectWith('production', {
    'main.mjs': `import { setTimeout as sleep } from 'node:timers/promises';
import { LocketClient } from 'locket-wasm/client';
import { work } from './work.mjs';
const client = new LocketClient({ baseUrl: process.argv[2] });
let done = 0;
await work(client, 'bbs-0', () => sleep(50, (done += 1) === 1 && console.log('works')));
console.log('stopped in time');
`,
  });
  writeFileSync(join(folder, 'work.mjs'), file('docs/do/locks.md', 'work.mjs'));
  const cli = join(folder, 'node_modules/.bin/locket-wasm');
  const server = spawn(cli, ['serve', '--port', '0', '--json'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(server.stdout, 'data');
    const url = /http:\/\/[\w.:]+/.exec(line.toString())[0];
    const program = spawn(process.execPath, ['main.mjs', url], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    program.stdout.on('data', (text) => (said += text));
    await once(program.stdout, 'data');
    execFileSync(cli, ['release-lock', '--url', url, '-k', 'bbs', '-o', 'bbs-0']);
    execFileSync(cli, ['claim-lock', '--url', url, '-k', 'bbs', '-o', 'rival', '-t', '60']);
    const [code] = await once(program, 'exit');
    assert.deepEqual([code, said], [0, 'works\nstopped in time\n']);
  } finally {
    server.kill();
  }
});

test('an operator without Node asks the executable about a manifest', () => {
  const { file } = projectWith('operator', {});
  const folder = mkdtempSync(join(tmpdir(), 'locket-operator-'));
  try {
    execFileSync(process.execPath, ['.ci/binary.mjs'], { cwd: ROOT });
    writeFileSync(join(folder, 'cf.yml'), file('docs/do/bosh.md', 'cf.yml'));
    const asked = ['advise', '--manifest', 'cf.yml', '--latency', '1s', '--json'];
    const { status, stdout, stderr } = spawnSync(join(ROOT, 'target/binary/locket-wasm'), asked, { cwd: folder, encoding: 'utf8', env: { PATH: folder } });
    assert.ok([0, 1].includes(status), stderr);
    const jobs = JSON.parse(stdout).jobs.map(({ job }) => job);
    assert.ok(jobs.includes('routing-api') && jobs.includes('rep'), stdout);
    // Threads run the same program.
    const map = execFileSync(join(ROOT, 'target/binary/locket-wasm'), ['explore', '--map', 'pause', '--ttl', '3s..4s', '--jobs', '2', '--json'], { cwd: folder, encoding: 'utf8', env: { PATH: folder } });
    assert.equal(JSON.parse(map).cells.length, 10);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
