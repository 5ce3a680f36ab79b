// Keeps the page for use without a network, once a visitor stays: the simulator and the editor are large.

const STAYS_MS = 5_000;

/** Registers the service worker of a built page, where the browser allows one. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Without it the page works all the same, with a network.
  setTimeout(() => void navigator.serviceWorker.register('./offline.js').catch(() => {}), STAYS_MS);
}
