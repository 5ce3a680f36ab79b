// What TypeScript lets its users write of the smaller entries. Checked, never run.

import { type Lock, LocketClient, LocketError } from 'locket-wasm/client';
import { init, initSync, LocketServer, type ModuleSource } from 'locket-wasm/slim';

export async function hold(baseUrl: string): Promise<Lock | undefined> {
  try {
    return await new LocketClient({ baseUrl }).acquire({ key: 'bbs', owner: 'bbs-0' });
  } catch (error) {
    if (error instanceof LocketError && error.outcome === 'refused') return undefined;
    throw error;
  }
}

export async function load(module: WebAssembly.Module, response: Promise<Response>): Promise<LocketServer> {
  const source: ModuleSource = module;
  await init(source);
  await init(response);
  await init('locket.wasm');
  initSync(new Uint8Array());
  // @ts-expect-error nothing is found by itself
  await init();
  return new LocketServer();
}
