// Imports locket-wasm/client, makes one call to the URL that is given, and prints when each was done.

const started = performance.now();
const { LocketClient } = await import('locket-wasm/client');
const imported = performance.now() - started;
const client = new LocketClient({ baseUrl: process.argv[2] });
await client.lock({ key: 'cold', owner: 'client', ttl: '15s' });
console.log(JSON.stringify({ imported, called: performance.now() - started }));
