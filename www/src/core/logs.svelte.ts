// The visitor's logs: the progress of reading, the diagnosis, and the chosen finding.

import type { Finding, LogSource } from 'locket-wasm/diagnose';

import type { Checker } from './checker.js';
import type { Incident, ReadProgress } from './checker-words.js';

/** How far the reading of files is. */
interface Reading extends ReadProgress {
  files: number;
  totalBytes: number;
}

export class Logs {
  /** The progress of reading, while it lasts. */
  reading = $state.raw<Reading | undefined>();
  incident = $state.raw<Incident | undefined>();
  /** Why nothing is shown, for people. */
  problem = $state.raw('');
  /** The place of the finding that is looked at; the worst is the first. */
  chosen = $state.raw(0);

  readonly finding: Finding | undefined = $derived(this.incident?.diagnosis.findings[this.chosen]);

  readonly #checker: Checker;
  #reading: AbortController | undefined;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /** Reads files, instead of whatever was read before. They stay in this browser. */
  async read(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    this.stop();
    const reading = (this.#reading = new AbortController());
    const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
    const tell = (read: ReadProgress): void => void (this.reading = { files: files.length, totalBytes, ...read });
    this.incident = undefined;
    this.problem = '';
    this.chosen = 0;
    tell({ bytes: 0, lines: 0, leftMs: undefined });
    try {
      const incident = await this.#checker.diagnose(sourcesOf(files), reading.signal, tell);
      if (incident.diagnosis.toMs === 0) this.problem = nothingIn(incident);
      else this.incident = incident;
    } catch (error) {
      if (!reading.signal.aborted) this.problem = `These logs could not be read: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      if (this.#reading === reading) this.reading = undefined;
    }
  }

  /** Reads those of an incident that comes with the page. */
  async readExample(): Promise<void> {
    const { exampleLogs } = await import('./example-logs.js');
    await this.read(exampleLogs);
  }

  /** Reads no further. */
  stop(): void {
    this.#reading?.abort();
    this.reading = undefined;
  }

  /** Forgets what was read. */
  clear(): void {
    this.stop();
    this.incident = undefined;
    this.problem = '';
  }
}

/** Every virtual machine calls its log the same, so those after the first get a number; each is a machine with a clock of its own. */
function sourcesOf(files: readonly File[]): LogSource[] {
  const counts = new Map<string, number>();
  return files.map((file) => {
    const count = (counts.get(file.name) ?? 0) + 1;
    counts.set(file.name, count);
    return { name: count === 1 ? file.name : `${count}/${file.name}`, data: file };
  });
}

function nothingIn({ diagnosis: { sources, summary } }: Incident): string {
  const unread = sources.flatMap(({ name, problem }) => (problem === null ? [] : [`${name} cannot be read: ${problem}.`]));
  const first = sources.flatMap(({ name, firsts: { unread: line } }) => (line === undefined ? [] : [`${name} has no line of such a log; line ${line.line} is: ${line.text}`]));
  return [summary, ...unread, ...first.slice(0, 1), 'Choose the logs of Locket and its clients, such as locket.stdout.log and bbs.stdout.log.'].join(' ');
}
