// Imports connect-web, makes one call to the URL that is given, and prints when each was done. What describes the service is
// imported in between and not counted: a program has generated code for that.

const started = performance.now();
const { createClient } = await import('@connectrpc/connect');
const { createGrpcWebTransport } = await import('@connectrpc/connect-web');
const imported = performance.now() - started;
const { Locket } = await import('../../wire/locket.mjs');
const described = performance.now();
const client = createClient(Locket, createGrpcWebTransport({ baseUrl: process.argv[2] }));
await client.lock({ resource: { key: 'cold', owner: 'client', typeCode: 1 }, ttlInSeconds: 15n });
console.log(JSON.stringify({ imported, called: imported + performance.now() - described }));
