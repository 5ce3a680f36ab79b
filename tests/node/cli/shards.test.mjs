// Work in shards: seeds and maps give reports that merge to the result of one machine.

import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';

import { cli } from '../support/command-line.mjs';
import { at, file, folder } from '../support/folder.mjs';
import { sealed } from '../support/shard-reports.mjs';

const read = (name) => readFileSync(at(name), 'utf8');

const CLIENT = { key: 'k', ttl: '15s', retryInterval: '5s', runner: 'upstream' };
const SCENARIO = {
  name: 'losses',
  profile: 'upstream',
  random: true,
  until: '1m',
  network: { latency: { max: '1s' }, loss: '9%' },
  clients: [{ ...CLIENT, name: 'a' }, { ...CLIENT, name: 'b', startAt: '1s' }],
  expect: [{ at: '40s', key: 'k', owner: 'a' }],
};
const scenario = file('losses.json', SCENARIO);

/** The kinds of work; each has some more units than shards. */
const KINDS = {
  seeds: ['run', scenario, '--seeds', '31'],
  map: ['explore', '--map', 'pause', '--ttl', '4s..8s', '--retry-interval', '1s..2s', '--runner', 'upstream'],
};

/** The report of a shard, which is written once. */
function part(kind, shard) {
  const name = `${kind}-${shard.replace('/', '-of-')}.json`;
  const { status, stderr } = cli([...KINDS[kind], '--shard', shard, '--output', at(name), '--json']);
  assert.equal(status, 0, stderr);
  return at(name);
}

const parts = (kind) => ['3/3', '1/3', '2/3'].map((shard) => part(kind, shard));
const partsOf = {};
before(() => {
  for (const kind of Object.keys(KINDS)) partsOf[kind] = parts(kind);
});

for (const [kind, command] of Object.entries(KINDS)) {
  describe(`the shards of ${kind}`, () => {
    test('merge to the output of one machine, byte for byte', () => {
      assert.deepEqual(cli(['merge', '--json', ...partsOf[kind]]), cli([...command, '--json']));
    });

    test('merge to the report of one machine, byte for byte', () => {
      cli([...command, '--output', at(`${kind}-one.json`)]);
      cli(['merge', ...partsOf[kind], '--output', at(`${kind}-merged.json`)]);
      assert.equal(read(`${kind}-merged.json`), read(`${kind}-one.json`));
    });

    test('count once if they ran twice', () => {
      const twin = at(`${kind}-twin.json`);
      copyFileSync(partsOf[kind][0], twin);
      assert.deepEqual(cli(['merge', ...partsOf[kind], twin]), cli(['merge', ...partsOf[kind]]));
    });

    test('are named if they are missing, and the exit code is 5', () => {
      const { status, stdout, stderr } = cli(['merge', partsOf[kind][1]]);
      assert.deepEqual([status, stdout], [5, '']);
      assert.match(stderr, /shards 2\/3, 3\/3 are missing; run them and merge again/);
    });

    test('do not run again while their report is complete', () => {
      const [path] = partsOf[kind];
      const written = statSync(path, { bigint: true }).mtimeNs;
      const { status, stdout, stderr } = cli([...command, '--shard', '3/3', '--output', path, '--json']);
      assert.equal(statSync(path, { bigint: true }).mtimeNs, written);
      assert.match(stderr, /has the complete report of this shard; it is not run again/);
      assert.deepEqual({ status, stdout }, { status: 0, stdout: cli([...command, '--shard', '3/3', '--json']).stdout });
    });

    test('give the same report with several cores', () => {
      const path = at(`${kind}-jobs.json`);
      cli([...command, '--shard', '3/3', '--jobs', '2', '--output', path]);
      assert.equal(readFileSync(path, 'utf8'), readFileSync(partsOf[kind][0], 'utf8'));
    });
  });
}

describe('a report', () => {
  const ofSeeds = (output, shard = '1/3') => ['run', scenario, '--seeds', '31', '--shard', shard, '--output', output];
  const seeds = () => partsOf.seeds;
  const changedBy = (name, change) => file(name, change(readFileSync(seeds()[1], 'utf8')));
  const cut = () => changedBy('cut.json', (text) => text.slice(0, 300));
  const foreign = () => {
    const other = file('other.json', { ...SCENARIO, until: '50s' });
    cli(['run', other, '--seeds', '31', '--shard', '2/3', '--output', at('foreign.json')]);
    return at('foreign.json');
  };
  /** As if another machine had computed something else. */
  const different = () => changedBy('different.json', (text) => {
    const report = JSON.parse(text);
    return sealed({ ...report, result: { ...report.result, runs: 1 } });
  });
  const REFUSED = {
    'that was cut, by its command': [() => ofSeeds(cut()), /cut\.json is cut, or no report of a shard; delete it and run its shard again/],
    'that was cut, by merge': [() => ['merge', cut()], /cut\.json is cut, or no report of a shard; delete it and run its shard again/],
    'that was changed': [() => ['merge', changedBy('changed.json', (text) => text.replace(/"runs":\d+/, '"runs":1'))], /changed\.json was changed after it was written; delete it and run its shard again/],
    'of more seeds, which would be overwritten': [() => ['run', scenario, '--seeds', '32', '--shard', '1/3', '--output', seeds()[1]], /other work: seeds 31, not 32; delete it, or write to another file/],
    'of another shard, which would be overwritten': [() => ofSeeds(seeds()[1], '2/3'), /other work: shard 1\/3, not 2\/3/],
    'of another kind, which would be overwritten': [() => [...KINDS.map, '--shard', '1/3', '--output', seeds()[1]], /other work: seeds, not map/],
    'of another scenario': [() => ['merge', seeds()[1], foreign()], /foreign\.json has the report of other work than .*: scenarioDigest "\w+", not "\w+"; merge them apart/],
    'of another count of shards': [() => ['merge', seeds()[0], part('seeds', '1/2')], /has shard 1\/2, but .* has 3\/3; run all shards with one count/],
    'with another result of the same shard': [() => ['merge', ...seeds(), different()], /different results of shard 1\/3; delete both and run the shard again/],
    'in a folder that is not there': [() => ofSeeds(at('no', 'folder.json')), /cannot write .*folder\.json.*no such file or directory/],
  };
  for (const [what, [args, says]] of Object.entries(REFUSED)) {
    test(`${what} is refused`, () => {
      const { status, stderr } = cli(args());
      assert.equal(status, 1);
      assert.match(stderr, says);
    });
  }

  after(() => assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith('.tmp')), [], 'no unfinished file is left'));
});

describe('the verdict', () => {
  test('of a failing shard is left to the merge, so that no engine repeats the shard', () => {
    assert.match(cli([...KINDS.seeds, '--shard', '1/3']).stderr, /expectations do not hold/);
    const { status, stderr } = cli(['merge', ...partsOf.seeds]);
    assert.equal(status, 1);
    assert.match(stderr, /expectations do not hold with \d+ of 31 seeds/);
  });
});

test('--seeds writes a JUnit report with each seed that fails, and so does the merge of its shards', () => {
  const reports = [KINDS.seeds, ['merge', ...partsOf.seeds]].map((args, index) => {
    const path = at(`seeds-${index}.xml`);
    const { status, stderr } = cli([...args, '--junit', path]);
    assert.equal(status, 1, stderr);
    return readFileSync(path, 'utf8');
  });
  const { failed, runs } = JSON.parse(cli([...KINDS.seeds, '--json']).stdout);
  assert.ok(failed.length > 0 && failed.length < runs);
  for (const report of reports) {
    assert.ok(report.includes(`tests="${failed.length + 1}" failures="${failed.length}" errors="0"`), report);
    assert.deepEqual([...report.matchAll(/name="seed (\d+)">\s*<failure message="[^"]+"/g)].map(([, seed]) => Number(seed)), failed.map(({ seed }) => seed));
  }
});
