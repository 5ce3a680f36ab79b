// What TypeScript lets its users write of the smaller entries. Checked, never run.

import { type Lock, LocketClient, LocketError } from 'locket-wasm/client';
import { diagnose, type Finding, type LogSource, reproductionOf } from 'locket-wasm/diagnose';
import { type PictureOptions, runPicture } from 'locket-wasm/picture';
import { GrpcChannel, type GrpcChannelOptions } from 'locket-wasm/grpc';
import { init, LocketServer, Simulation } from 'locket-wasm';
import { explore, type Exploration } from 'locket-wasm/check';
import type { ModuleSource } from 'locket-wasm/types';

export async function hold(baseUrl: string): Promise<Lock | undefined> {
  try {
    return await new LocketClient({ baseUrl }).acquire({ key: 'bbs', owner: 'bbs-0' });
  } catch (error) {
    if (error instanceof LocketError && error.outcome === 'refused') return undefined;
    throw error;
  }
}

export function direct(url: string, tls: NonNullable<GrpcChannelOptions['tls']>): LocketClient {
  const channel = new GrpcChannel({ url: [url], tls, keepalive: false });
  return new LocketClient({ ...channel.clientOptions, timeout: '5s' });
}

export async function gone(client: LocketClient): Promise<string | undefined> {
  for await (const event of client.watch({ kind: 'lock' })) {
    if (event.type === 'removed') return event.resource.key;
    if (event.type === 'changed') console.log(event.previous.owner, event.resource.owner);
  }
  return undefined;
}

export async function load(module: WebAssembly.Module, response: Promise<Response>): Promise<LocketServer> {
  const source: ModuleSource = module;
  await init(source);
  await init(response);
  await init('locket.wasm');
  await init();
  return new LocketServer();
}

export async function ask(): Promise<Exploration> {
  return explore({ ttl: '15s', retryInterval: '5s', latency: '1s' });
}

export async function explain(files: File[]): Promise<Finding[]> {
  const sources: LogSource[] = files.map((file) => ({ name: file.name, data: file }));
  const diagnosis = await diagnose(sources, { ttl: '15s', onProgress: ({ bytes }) => void bytes });
  reproductionOf(diagnosis)?.scenario.clients.at(0);
  // @ts-expect-error a name says where a line is
  await diagnose([{ data: '' }]);
  return diagnosis.findings.filter(({ certainty }) => certainty === 'certain');
}

export function draw(scenario: string): string {
  const options: PictureOptions = { headline: 'Two leaders', theme: 'dark' };
  // @ts-expect-error there is no such theme
  runPicture(new Simulation(scenario), { theme: 'blue' });
  return runPicture(new Simulation(scenario), options);
}
