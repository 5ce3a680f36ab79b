// `locket-wasm run --html`: the report of a run, one file without scripts and external resources.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { Simulation } from 'locket-wasm';
import { runPicture } from 'locket-wasm/picture';
import { stories } from 'locket-wasm/stories';

import { cli } from '../support/command-line.mjs';

const STORY = 'holder-paused-longer-than-its-lease';
const HEADLINE = 'Two owners for 3.0 s in this run, from 23.2 s to 26.2 s.';
const report = cli(['run', STORY, '--html', '-']).stdout;

const folder = mkdtempSync(join(tmpdir(), 'locket-report-'));
after(() => rmSync(folder, { recursive: true }));

const reportOf = (scenario) => cli(['run', '-', '--html', '-'], JSON.stringify({ name: 'a test', until: '20s', clients: [], ...scenario }));

describe('the report of a run', () => {
  test('it has the headline and the pictures in both themes', () => {
    assert.ok(report.includes(`<p><strong>${HEADLINE.split(', ')[0]},</strong>`));
    const pictures = [...report.matchAll(/data:image\/svg\+xml;base64,([\w+/=]+)"/g)].map(([, data]) => Buffer.from(data, 'base64').toString());
    const drawn = ['dark', 'light'].map((theme) => runPicture(new Simulation(stories[STORY]), { theme }));
    assert.deepEqual(pictures, drawn);
  });

  test('it has the parts of the summary', () => {
    assert.match(report, /<h2>Owners<\/h2>\n<pre> {2}bbs [^]* ✗ two owners: bbs-0, bbs-1<\/pre>/);
    assert.match(report, /<h2>Faults and actions<\/h2>\n<pre> +6\.000 s {2}bbs-0 is paused for 20 s<\/pre>/);
    assert.match(report, /<h2>Load<\/h2>\n<pre> {2}9 requests, /);
  });

  test('it has the events that --events prints, each with its answer', () => {
    const printed = cli(['run', STORY, '--events']).stdout.split('\n').filter((line) => /^ +[\d.]+ s {2}/.test(line));
    const rows = [...report.matchAll(/^<tr><td>([\d.]+ s)<\/td>(.*)<\/tr>$/gm)];
    // --events shows the table instead of the changes of rows.
    assert.equal(rows.filter(([, , cells]) => !/<td>(?:row bbs|the row of bbs)/.test(cells)).length, printed.length);
    assert.match(report, /<td>2\.200 s<\/td><td>bbs-1<\/td><td>locks bbs for 15 s<\/td><td>✗ lock-collision/);
  });

  test('its link repeats the run', () => {
    const [, link] = /locket-wasm replay (\S+)<\/pre>/.exec(report);
    assert.equal(Simulation.fromLink(link).digest(), /digest ([0-9a-f]+)/.exec(report)[1]);
  });

  test('it counts expectations that hold', () => {
    assert.match(report, /<section class="safe"><p>All 7 expectations hold\.<\/p>/);
  });

  test('it has each expectation that failed, and the exit code is 1', () => {
    const expect = [{ at: '9s', key: 'k', owner: null }, { at: '9s', key: 'k', owner: 'b' }];
    const { status, stdout } = reportOf({ expect });
    assert.equal(status, 1);
    assert.match(stdout, /<p>Of 2 expectations, 1 failed:<\/p>\n<ul><li>at 9\.000 s: expected &#39;k&#39; to be held by &#39;b&#39;[^<]*<\/li><\/ul>/);
  });

  test('it needs nothing from elsewhere', () => {
    assert.match(report, /default-src 'none'; img-src data:; style-src 'unsafe-inline'/);
    assert.doesNotMatch(report, /<script|<link|https?:|src="(?!data:)/);
  });

  test('texts of the scenario become no markup', () => {
    const evil = '<script>alert(1)</script>';
    const { stdout } = reportOf({ name: evil, description: evil, clients: [{ name: evil, key: evil, owner: evil, retryInterval: '5s' }], actions: [{ at: '1s', do: 'note', text: evil }] });
    assert.match(stdout, /<h1>&lt;script&gt;/);
    assert.doesNotMatch(stdout, /<script/);
  });

  test('of very many events it has the first 5,000, and counts the others', () => {
    const actions = [{ at: '0s', do: 'note', text: 'again', every: '1ms', until: '6s' }];
    const { stdout } = reportOf({ actions });
    assert.equal(stdout.match(/<td>again<\/td>/g).length, 5_000);
    assert.match(stdout, /<p>… 1,001 more events; locket-wasm run --events prints all<\/p>/);
  });
});

describe('--html', () => {
  test('writes a file beside the summary', () => {
    const path = join(folder, 'run.html');
    assert.deepEqual(cli(['run', STORY, '--html', path]), cli(['run', STORY]));
    assert.equal(readFileSync(path, 'utf8'), report);
  });

  for (const [args, says] of [
    [[STORY, 'first-look', '--html', 'a.html'], /--html shows one scenario, but 2 are given; see locket-wasm run --help/],
    [[STORY, '--json', '--html', '-'], /--html - prints only the report; leave out --json, or write the report to a file/],
    [[STORY, '--junit', '-', '--html', '-'], /--html - prints only the report; leave out --junit -, or write/],
    [[STORY, '--svg', '-', '--html', '-'], /--html - prints only the report; leave out --svg -, or write/],
  ]) {
    test(`${args.join(' ')} is refused with what to do`, () => {
      const { status, stdout, stderr } = cli(['run', ...args]);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, says);
    });
  }
});
