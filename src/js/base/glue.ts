// The package's side of a module's glue. build.mjs gives each glue this value. A function that serves
// several modules takes it as an argument.

/** A module behind its glue. Its bytes or what was compiled of them is an `object`, as in `ModuleSource`. */
export interface Glue {
  instantiate(module: object): void;
  isLoaded(): boolean;
  /** Loads the module from its source, if it is not loaded yet. */
  load(): void;
  /** The text of the last panic. */
  lastPanic(): string;
  /** Gives a memory of more bytes back, if nothing lives in it. */
  giveBackAbove(bytes: number): void;
  /** Calls back when the instance ends. Returns a function that takes that back. */
  onInstanceEnd(callback: (error: Error) => void): () => void;
  /** Sets the errors of a trap, of the use of a lost object, and of a module that does not load. */
  setErrors(ofTrap: (trap: Error, memorySize: number) => Error, ofLoss: () => Error, ofLoading: (thrown: unknown) => Error): void;
  /** Sets where the module comes from at its first use. */
  setSource(source: () => object): void;
}
