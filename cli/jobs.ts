// Work on several cores: worker threads run the command line's own file, and each does one piece of
// work after another. A piece is a row of a map or a share of the seeds.

import { parentPort, Worker, workerData } from 'node:worker_threads';

import { type MapQuestion, mapSettings, type SettingsMap, type Sweep, sweepSeeds } from 'locket-wasm/check';

import { EXIT_USAGE, Failure } from './command.js';

/** The kinds of work, with their inputs and results. */
interface Works {
  map: { needs: { question: MapQuestion; maxStates?: number }; gives: SettingsMap };
  seeds: { needs: { scenario: string; seeds: number; firstSeed: number; shard: string; maxSteps?: number }; gives: Sweep };
}

type Kind = keyof Works;

const DOES: { [K in Kind]: (needs: Works[K]['needs']) => Promise<Works[K]['gives']> } = {
  map: ({ question, ...options }) => mapSettings(question, options),
  seeds: ({ scenario, ...options }) => sweepSeeds(scenario, options),
};

/** An error that can pass between threads; the package recognizes its errors by name. */
type ErrorMembers = Record<string, unknown> & { name: string; message: string };

type Reply = { index: number; gives: unknown } | { index: number; error: ErrorMembers };

const JOBS_MAX = 256;

/** The mark of a thread of {@link inJobs}. */
const JOBS = 'locket-wasm jobs';

/** Checks the number of threads. */
export function checkJobs(jobs: number): void {
  if (jobs < 1 || jobs > JOBS_MAX) throw new Failure(EXIT_USAGE, `--jobs: expected 1 to ${JOBS_MAX}, not ${jobs}`);
}

/** Does pieces of work in threads. Returns the results in order. */
export async function inJobs<K extends Kind>(
  kind: K,
  pieces: Works[K]['needs'][],
  jobs: number,
  onDone: (count: number) => void,
): Promise<Works[K]['gives'][]> {
  const given: Works[K]['gives'][] = [];
  let next = 0;
  let done = 0;
  const workers = Array.from({ length: Math.min(jobs, pieces.length) }, thread);
  try {
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            const begin = () => {
              if (next === pieces.length) return resolve();
              worker.postMessage({ kind, index: next, needs: pieces[next] });
              next += 1;
            };
            worker.on('error', reject);
            worker.on('message', (reply: Reply) => {
              if ('error' in reply) return reject(Object.assign(new Error(), reply.error));
              given[reply.index] = reply.gives as Works[K]['gives'];
              onDone((done += 1));
              begin();
            });
            begin();
          }),
      ),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return given;
}

/** A thread runs this program: its file, or in an executable without Node its text. */
function thread(): Worker {
  const executable = process.getBuiltinModule?.('node:sea');
  if (executable?.isSea() !== true) return new Worker(new URL(import.meta.url), { workerData: JOBS });
  return new Worker(executable.getAsset('cli.cjs', 'utf8'), { workerData: JOBS, eval: true });
}

/** In a thread of {@link inJobs}: does its work. Returns false in any other thread. */
export function serveJobs(): boolean {
  if (workerData !== JOBS) return false;
  parentPort?.on('message', ({ kind, index, needs }: { kind: Kind; index: number; needs: never }) => {
    DOES[kind](needs).then(
      (gives) => parentPort?.postMessage({ index, gives } satisfies Reply),
      (error: Error) => {
        const { name, message } = error;
        parentPort?.postMessage({ index, error: { ...error, name, message } } satisfies Reply);
      },
    );
  });
  return true;
}
