// The pieces of a body between the one who receives them and the one who reads them.

type Chunk = { done: false; value: Uint8Array } | { done: true; value: undefined };

const DONE: Chunk = { done: true, value: undefined };

/** A body as it arrives, with what src/transport/fetch/ uses of a stream's reader. */
export class Chunks {
  readonly #unread: Uint8Array[] = [];
  readonly #cancel: () => void;
  #reader: { resolve: (chunk: Chunk) => void; reject: (error: Error) => void } | undefined;
  #isEnded = false;
  #error: Error | undefined;

  /** `cancel` is called when the reader stops. */
  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }

  push(value: Uint8Array): void {
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#unread.push(value);
    else reader.resolve({ done: false, value });
  }

  /** Nothing more comes; with an error, the body is not whole. */
  end(error: Error | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    const reader = this.#reader;
    this.#reader = undefined;
    if (error === undefined) reader?.resolve(DONE);
    else reader?.reject(error);
  }

  /** The next piece. */
  read(): Promise<Chunk> {
    const value = this.#unread.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#isEnded) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
  }

  async cancel(): Promise<void> {
    this.#cancel();
  }
}
