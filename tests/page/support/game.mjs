// The game as visitors find it, and random games. `PLAY_SEED=… PLAY_PRESSES=…` replays those.

import { randomOf } from '../../node/support/diagnose-logs.mjs';

const SEED = Number(process.env.PLAY_SEED ?? Math.floor(Math.random() * 2 ** 31));
const PRESSES = Number(process.env.PLAY_PRESSES ?? 20);
export const RANDOM = `${PRESSES} random holds on random settings (PLAY_SEED=${SEED})`;

export const caption = (page) => page.locator('[data-caption]').innerText();
export const digest = (page) => page.locator('[data-digest]').getAttribute('data-digest');
export const seconds = (ms) => `${ms / 1_000} s`;

export async function openGame(site, address, options) {
  const page = await site.open(address, options);
  await page.locator('[data-play]:not([data-play="loading"])').waitFor();
  await page.clock.runFor(100);
  return page;
}

/** The line, once the package has completed it. */
export async function outcome(page) {
  const line = page.locator('[data-outcome]:not([data-outcome="unknown"])');
  await line.waitFor();
  return await line.innerText();
}

/** The game that the address has. */
export const gameOf = (page, { readPlayed }) => readPlayed(new URL(page.url()).hash.slice('#play='.length));

/** Settings, and from when to when client A is held, in tenths of a second. */
export function* randomHolds() {
  const random = randomOf(SEED);
  const upTo = (limit) => Math.floor(random() * limit);
  for (let press = 0; press < PRESSES; press += 1) {
    const settings = { ttlMs: (5 + upTo(26)) * 1_000, retryIntervalMs: (1 + upTo(8)) * 1_000, isSafe: upTo(4) === 0 };
    const atMs = 4_050 + upTo(200) * 100;
    yield { settings, atMs, untilMs: atMs + (1 + upTo(400)) * 100 };
  }
}
