// The page's service worker: keeps every file of one build, so that the page works without a network.
//
// By hand: the whole rule is a list of files, and Workbox would bring some hundred packages for it. Files with a hash in their
// name come from what is kept; the page itself comes from the network if there is one, so that a new build is seen at once.

const FILES = ['__FILES__'];
const CACHE = 'locket-__BUILD__';

const kept = new Set(FILES.map((file) => new URL(file, registration.scope).href));

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => ofCache(registration.scope)));
  else if (kept.has(request.url)) event.respondWith(ofCache(request.url));
});

async function keep() {
  await (await caches.open(CACHE)).addAll([registration.scope, ...kept]);
}

/** Pages of an earlier build are closed by now: until then this worker waits. */
async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('locket-') && name !== CACHE).map((name) => caches.delete(name)));
}

async function ofCache(url) {
  return (await (await caches.open(CACHE)).match(url)) ?? fetch(url);
}
