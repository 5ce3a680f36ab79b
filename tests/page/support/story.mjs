// The stage as visitors find it.

import { readFileSync } from 'node:fs';

/** The sentences of the first visit. */
export const CAPTIONS = [
  'A takes the lock for 15 seconds. Only A may write.',
  'A freezes. It still believes it holds the lock.',
  'A sends no renewal. After 15 seconds the lock expires.',
  'B asks, finds the lock free, and takes it. B writes.',
  'A wakes, believes it holds the lock, and overwrites B’s work.',
];

/** Longer than any beat plays. */
export const BEAT_MS = 6_000;

export const sentence = (page) => page.locator('.tour [data-caption]').textContent();
export const stage = (page) => page.getByRole('main').getByRole('img');
export const button = (page, name) => page.getByRole('button', { name, exact: false });

/** The beat that is shown, from 1. */
export const beat = async (page) => Number(await page.locator('[aria-current="step"]').locator('.number').textContent());

/** Opens the stage at the end of a beat, without motion. */
export const openBeat = (site, number, options) => site.open(`?still#beat=${number}`, options);

/** Goes to the end of another beat. */
export async function showBeat(page, number) {
  await page.evaluate((beat) => (location.hash = `beat=${beat}`), number);
  await page.locator('a[aria-current="step"] .number', { hasText: String(number) }).waitFor();
}

/** Opens another story than the first one, once its run has been loaded: until then the first one is on the stage. */
export async function openTour(site, address, options) {
  const page = await site.open(address, options);
  await page.waitForFunction(isNotFirst, FIRST_DIGEST);
  return page;
}

const FIRST_DIGEST = JSON.parse(readFileSync(new URL('../../../sim/scenarios/digests.json', import.meta.url), 'utf8'))['holder-paused-longer-than-its-ttl.json'];

/** Plays an answer to its end, once its run is on the stage: so many beats, with the time to read each. */
export async function playAnswer(page, beats) {
  await page.waitForFunction(isNotFirst, FIRST_DIGEST);
  for (let beat = 0; beat < beats; beat += 1) await page.clock.fastForward(BEAT_MS);
}

const isNotFirst = (first) => document.querySelector('.tour').dataset.digest !== first;

/** Which drawn elements have the colour of danger. */
export async function redElements(page) {
  return await page.locator('main').evaluate((main) => {
    const probe = main.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    const { color: red } = getComputedStyle(probe);
    probe.remove();
    // The figure of a search is about another program.
    return [...main.querySelectorAll('*')].filter((element) => element.closest('defs, figure') === null && element.checkVisibility())
      .filter((element) => ['color', 'fill', 'stroke', 'borderTopColor', 'backgroundColor'].some((name) => getComputedStyle(element)[name] === red))
      .map((element) => element.outerHTML.slice(0, 80));
  });
}
