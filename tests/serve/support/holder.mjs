// A program that takes a lock and works under it: `node holder.mjs URL OPTIONS [gRPC]`. It prints a line at each step, releases
// the lock when it is told to on its standard input, and then has nothing more to do.

import { LocketClient } from 'locket-wasm';
import { GrpcChannel } from 'locket-wasm/grpc';

const [url, options, protocol] = process.argv.slice(2);
const client = new LocketClient(protocol === 'gRPC' ? new GrpcChannel({ url }).clientOptions : { baseUrl: url });
const lock = await client.acquire(JSON.parse(options));
console.log(lock.held ? 'held' : 'not held');
process.stdin.once('data', async () => {
  process.stdin.unref();
  const { released } = await lock.release();
  console.log(released ? 'released' : 'not released');
});
