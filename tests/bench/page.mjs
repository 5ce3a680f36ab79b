// The page: when it is seen and when the first thing moves, here and on a slow phone, how
// long a map of settings, the diagnosis of a long log and the answer to a press take, and whether it keeps up while a client is held in
// the visitor's turn, and while a slider is dragged there. Frames are counted by Chromium's own tracing.

import { setTimeout } from 'node:timers/promises';

import { startPage, verdict } from '../page/support/page.mjs';
import { median } from './figures.mjs';
import { withLongLog } from './long-log.mjs';

const LOADS = 5;
/** How far a slider is dragged. */
const STEPS = 12;
/** Shorter than the longest freeze, of which a second shows four. */
const HOLD_MS = 4_000;
const FRAMES_MIN = 58;
const MAP_CELLS = 60;
const LOG_BYTES = 300_000_000;
const LOG_MOST_MS = 120_000;

export async function measurePage(report) {
  report.heading('the page in Chromium');
  const site = await startPage();
  try {
    await measureFirstVisit(report, site);
    await measureHolding(report, site);
    await measureMap(report, site);
    await measureLogs(report, site);
    await measureSlider(report, site);
    await measureChip(report, site);
  } finally {
    await site.close();
  }
}

/** A phone on a slow network, as Lighthouse has it: 1.6 Mbit/s, 150 ms for a round trip, a quarter of this machine's speed. */
const SLOW = { bytesPerSecond: 1_600_000 / 8, latencyMs: 150, cpuRate: 4 };

/** From the beginning of the navigation to the first picture, and to the first frame in which something flies. */
async function measureFirstVisit(report, site) {
  const here = await firstVisits(site, undefined);
  report.bounded('page-first-paint', here.paintS, 's', 'at most', 0.3);
  report.bounded('page-first-motion', here.motionS, 's', 'at most', 1);
  const slow = await firstVisits(site, SLOW);
  report.figure('page-first-paint-slow', slow.paintS, 's');
  report.bounded('page-first-motion-slow', slow.motionS, 's', 'at most', 2.5);
}

async function firstVisits(site, limits) {
  const visits = [];
  for (let load = 0; load < LOADS; load += 1) visits.push(await firstVisit(site, limits));
  return { paintS: median(visits.map(({ paintMs }) => paintMs / 1000)), motionS: median(visits.map(({ motionMs }) => motionMs / 1000)) };
}

async function firstVisit(site, limits) {
  const context = await site.browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  if (limits !== undefined) {
    const session = await context.newCDPSession(page);
    const { bytesPerSecond, latencyMs: latency, cpuRate: rate } = limits;
    await session.send('Network.emulateNetworkConditions', { offline: false, latency, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond });
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  }
  await page.goto(site.base, { waitUntil: 'commit' });
  const motionMs = await page.evaluate(() => new Promise((resolve) => {
    const flown = () => Number(document.querySelector('.stage .dot')?.getAttribute('stroke-dashoffset') ?? 0);
    const look = () => (flown() < 0 ? resolve(performance.now()) : requestAnimationFrame(look));
    look();
  }));
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  await context.close();
  return { motionMs, paintMs };
}

/** A client is frozen for as long as it is held, on a quarter of this machine's speed. */
async function measureHolding(report, site) {
  const page = await site.open('#play', { runs: true });
  await page.locator('[data-play="plays"]').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpuRate });
  const { x, y, width, height } = await page.getByRole('button', { name: 'Hold to freeze A' }).boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.locator('[data-play="held"]').waitFor();
  const held = await frames(page, () => setTimeout(HOLD_MS));
  await page.mouse.up();
  // The stage stands for a moment when a client freezes: such frames have nothing new to show.
  report.bounded('page-frames-held-slow', (held.shown + held.unchanged) / (HOLD_MS / 1000), '1/s', 'at least', FRAMES_MIN);
  report.figure('page-frames-held-slow-dropped', held.droppedPercent, '%');
  // Without a GPU the browser paints on the slowed cores, too. The page's own part has to leave room for 60 frames a second.
  report.bounded('page-frame-held-slow-page', held.pageMs, 'ms', 'at most', 1000 / 60);
  await page.done();
}

/** From a click to the last cell, and the longest that the page stood still meanwhile. */
async function measureMap(report, site) {
  const page = await site.open('?still#view=diagram', { runs: true });
  await verdict(page);
  const { ms, cells, longestMs } = await page.evaluate(() => new Promise((resolve) => {
    const started = performance.now();
    let [last, longestMs] = [started, 0];
    const look = (now) => {
      longestMs = Math.max(longestMs, now - last);
      last = now;
      // The map's own script arrives first.
      const progress = document.querySelector('progress');
      if (progress !== null && progress.value === progress.max) resolve({ ms: now - started, cells: progress.max, longestMs });
      else requestAnimationFrame(look);
    };
    [...document.querySelectorAll('nav button')].find(({ textContent }) => textContent === 'Map').click();
    requestAnimationFrame(look);
  }));
  report.bounded('page-map-60-cells', (ms / 1000) * (MAP_CELLS / cells), 's', 'at most', 0.5);
  report.figure('page-map-longest-frame', longestMs, 'ms');
  await page.done();
}

/** From the choice of files to the headline of their diagnosis. */
async function measureLogs(report, site) {
  const page = await site.open('?still#view=logs', { runs: true });
  await withLongLog(LOG_BYTES, async ({ files }) => {
    const started = performance.now();
    await page.locator('input[type=file]').setInputFiles(files);
    await page.locator('[data-summary]').waitFor({ timeout: LOG_MOST_MS });
    report.bounded('page-log-300-mb', (performance.now() - started) / 1000, 's', 'at most', 10);
  });
  await page.done();
}

/** The TTL of a game that is over is dragged, on a quarter of this machine's speed: how long a step takes until it is drawn. */
async function measureSlider(report, site) {
  const page = await site.open('#play=15-5-u.fA6050-24550', { runs: true });
  await page.locator('[data-wall="known"]').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.cpuRate });
  const steps = await page.getByRole('slider', { name: /TTL/ }).evaluate(async (slider, count) => {
    const times = [];
    for (let step = 1; step <= count; step += 1) {
      await new Promise(requestAnimationFrame);
      const started = performance.now();
      slider.value = 15_000 + 1_000 * step;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      times.push(performance.now() - started);
    }
    return times;
  }, STEPS);
  report.bounded('page-slider-step-slow', median(steps), 'ms', 'at most', 50);
  report.figure('page-slider-step-slow-longest', Math.max(...steps), 'ms');
  await page.done();
}

/** From the press of a fault in the diagram to its caption. Of several the quickest: others wait for whatever else the machine does. */
async function measureChip(report, site) {
  const page = await site.open('?still#story=collision-while-the-holder-renews&t=6000', { runs: true });
  const times = [];
  for (let turn = 0; turn < 8; turn += 1) {
    times.push(await page.evaluate(async () => {
      const answered = new Promise((resolve) => new MutationObserver(resolve).observe(document.querySelector('[data-caption]'), { characterData: true, childList: true, subtree: true }));
      const started = performance.now();
      document.querySelector('[data-lane="node:bbs-0"] .chips button:nth-child(2)').click();
      await answered;
      return performance.now() - started;
    }));
  }
  report.bounded('page-chip-answer', Math.min(...times), 'ms', 'at most', 100);
  await page.done();
}

/** The frames that Chromium shows, leaves as they were and drops while something is done, and the time of the page's own thread that one takes. */
async function frames(page, act) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['cc', 'benchmark', 'viz', 'devtools.timeline'] } });
  await act();
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await ended;
  const reports = events.filter(({ name, ph }) => name === 'PipelineReporter' && ph === 'b').map(({ args }) => args?.frame_reporter ?? {});
  const distinct = (pattern) => new Set(reports.filter(({ state }) => pattern.test(state)).map((it) => `${it.layer_tree_host_id} ${it.frame_sequence}`)).size;
  const shown = distinct(/^STATE_PRESENTED/);
  const unchanged = distinct(/^STATE_NO_UPDATE_DESIRED$/);
  // Chromium also counts as dropped what nobody could see; not so here.
  const dropped = reports.filter(({ state, affects_smoothness: isSeen }) => state === 'STATE_DROPPED' && isSeen).length;
  const drawn = events.filter(({ name, ph }) => name === 'ProxyMain::BeginMainFrame' && ph === 'X');
  const pageMs = drawn.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0) / Math.max(drawn.length, 1);
  return { shown, unchanged, pageMs, droppedPercent: (100 * dropped) / Math.max(dropped + shown, 1) };
}
