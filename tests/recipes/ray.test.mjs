// The script for Ray on a cluster of two workers, one of which is killed on the way.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';

import { Folder, ROOT } from './support.mjs';

const RAY = join(ROOT, '.tools/ray');
const noRay = !existsSync(RAY) ? 'Ray is not installed; .ci/setup ray installs it' : process.platform !== 'linux' && 'it finds workers in /proc';
const SEEDS = 20_000;
const SHARDS = 16;

describe('the script for Ray', { skip: noRay, timeout: 300_000 }, () => {
  let folder;
  before(() => {
    folder = new Folder();
    folder.copy('recipes/ray_shards.py', 'ray_shards.py');
  });
  after(() => folder.remove());

  /** Runs the script; `onLine` gets each line of progress. */
  async function sweep(output, onLine = () => {}) {
    const args = ['ray_shards.py', '--shards', `${SHARDS}`, '--cpus', '2', '--output', output, '--', 'run', 'pause.json', '--seeds', `${SEEDS}`];
    const env = { ...folder.env, PYTHONPATH: RAY, RAY_USAGE_STATS_ENABLED: '0', RAY_TMPDIR: folder.path };
    const child = spawn('python3', args, { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = [];
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line);
      onLine(line, child.pid);
    });
    child.stdout.resume();
    const [status] = await once(child, 'close');
    return { status, text: lines.join('\n') };
  }

  test('loses no seed when a worker is killed: the report is that of one machine, byte for byte', async () => {
    const killed = [];
    const { status, text } = await sweep('ray.json', (line, pid) => {
      if (killed.length > 0 || !/^\d+ of 16 shards/.test(line)) return;
      const [worker] = workersOf(pid);
      if (worker === undefined) return;
      process.kill(worker, 'SIGKILL');
      killed.push(worker);
    });
    assert.equal(killed.length, 1, text);
    assert.match(text, /^16 of 16 shards: 20000 runs, \d+ failed$/m);
    assert.equal(status, 1, text);
    const [ray, one] = [folder.read('ray.json'), folder.whole(SEEDS)].map((report) => JSON.parse(report));
    assert.equal(ray.result.digest, one.result.digest);
    assert.deepEqual(ray, one);
  });

  test('runs no shard again when it is called again', async () => {
    const { status, text } = await sweep('again.json');
    assert.equal(status, 1);
    assert.match(text, /^16 of 16 shards: 20000 runs/m);
    assert.doesNotMatch(text, /Started a local Ray/);
    assert.equal(folder.read('again.json'), folder.read('ray.json'));
  });
});

/** The processes below one that run a shard: Ray names them after their task. */
function workersOf(ancestor) {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => processOf(Number(pid)));
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid) => pid === ancestor || (parents.has(pid) && isBelow(parents.get(pid)));
  return processes.filter(({ pid, command }) => command.startsWith('ray::run_shard') && isBelow(pid)).map(({ pid }) => pid);
}

/** A process that ended meanwhile is none. */
function processOf(pid) {
  try {
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return [{ pid, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }];
  } catch {
    return [];
  }
}
