// A real Locket behind a gRPC-Web endpoint, as it is right now: asked again and again while somebody looks.

import { LocketClient, LocketError, type Resource, TypeCode } from 'locket-wasm';

/** How often the table is asked for, and how long an answer may take. */
const INTERVAL_MS = 1_000;
const TIMEOUT_MS = 5_000;

export type LiveKind = 'lock' | 'presence';

/** A lock or presence as Locket lists it. */
export interface LiveRow extends Resource {
  kind: LiveKind;
}

export class Live {
  endpoint = $state.raw<string | undefined>();
  rows = $state.raw<LiveRow[]>([]);
  /** What went wrong last, for people. */
  trouble = $state.raw<string | undefined>();
  /** What was done last, for people. */
  said = $state.raw('');
  /** Whether the rows are of the last answer, and none has failed since. */
  isFresh = $state.raw(false);

  #client: LocketClient | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Begins to look at an endpoint. */
  connect(baseUrl: string): void {
    this.disconnect();
    try {
      this.#client = new LocketClient({ baseUrl, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      this.trouble = messageOf(error);
      return;
    }
    this.endpoint = baseUrl;
    void this.#look(this.#client);
  }

  disconnect(): void {
    clearTimeout(this.#timer);
    this.#client = undefined;
    this.endpoint = undefined;
    this.rows = [];
    this.isFresh = false;
    this.trouble = undefined;
    this.said = '';
  }

  async claim(kind: LiveKind, key: string, owner: string, value: string, ttlSeconds: number): Promise<void> {
    const typeCode = kind === 'lock' ? TypeCode.LOCK : TypeCode.PRESENCE;
    await this.#do(`${owner} holds ${key} for ${ttlSeconds} s`, (client) => client.lock({ key, owner, value, typeCode, ttlSeconds }));
  }

  async release({ key, owner }: Resource): Promise<void> {
    await this.#do(`${key} is released`, (client) => client.release({ key, owner }));
  }

  async #do(words: string, call: (client: LocketClient) => Promise<void>): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    try {
      await call(client);
      this.said = words;
      this.trouble = undefined;
    } catch (error) {
      this.said = '';
      this.trouble = messageOf(error);
    }
    await this.#refresh(client);
  }

  async #look(client: LocketClient): Promise<void> {
    if (!document.hidden) await this.#refresh(client);
    if (client === this.#client) this.#timer = setTimeout(() => void this.#look(client), INTERVAL_MS);
  }

  async #refresh(client: LocketClient): Promise<void> {
    try {
      const [locks, presences] = await Promise.all([
        client.fetchAll({ typeCode: TypeCode.LOCK }),
        client.fetchAll({ typeCode: TypeCode.PRESENCE }),
      ]);
      if (client !== this.#client) return;
      const rows = [
        ...locks.map((row): LiveRow => ({ ...row, kind: 'lock' })),
        ...presences.map((row): LiveRow => ({ ...row, kind: 'presence' })),
      ];
      this.rows = rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
      if (!this.isFresh) this.trouble = undefined;
      this.isFresh = true;
    } catch (error) {
      if (client !== this.#client) return;
      this.isFresh = false;
      this.trouble = messageOf(error);
    }
  }
}

function messageOf(error: unknown): string {
  if (error instanceof LocketError && error.outcome === 'unknown') return `${error.message} (whether it was done is not known)`;
  return error instanceof Error ? error.message : String(error);
}
