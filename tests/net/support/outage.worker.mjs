// A Locket to kill: the process is there before it listens, so that it listens at the moment at which it is told to.

import { serve } from 'locket-wasm/serve';

process.on('message', async (port) => process.send((await serve({ port, profile: 'upstream' })).port));
