// The calls of a test that nothing has awaited: their effect may come after the test's last claim.

/** Has the stack of a caller; it is written only when it is read. */
export interface Place {
  stack?: string;
}

/** A call whose promise the test has. */
interface Call {
  words: string;
  at: Place;
  isForgotten: () => boolean;
}

/** A call of a test. */
export interface Noted<T> {
  words: string;
  promise: Promise<T>;
  /** The function that the test has called: the frames below it are the test's. */
  method: (...args: never[]) => unknown;
  /** True if the test has to await the call; it always has to without this function. */
  isForgotten?: () => boolean;
}

/** The calls of one test. */
export class AwaitedCalls {
  readonly #never = new Set<Call>();

  /** Notes a call until its promise is used. */
  note<T>({ words, promise, method, isForgotten = () => true }: Noted<T>, onAwaited = (_at: Place): void => {}): Promise<T> {
    const call: Call = { words, at: {}, isForgotten };
    if (Error.captureStackTrace === undefined) call.at = new Error();
    else Error.captureStackTrace(call.at, method);
    this.#never.add(call);
    const { constructor } = promise;
    // `await`, `then`, `catch`, `finally`, `Promise.all` and a `return` all read it, before anything
    // else, and a promise of another class would settle later.
    const read = (): unknown => {
      if (this.#never.delete(call)) onAwaited(call.at);
      return constructor;
    };
    return Object.defineProperty(promise, 'constructor', { get: read, configurable: true });
  }

  /** The calls that nothing has awaited, each as a sentence with its line. */
  never(): string[] {
    return [...this.#never].filter((call) => call.isForgotten()).map(({ words, at }) => `${words} was never awaited: ${lineOf(at)}`);
  }

  /** The error of a test that has ended without awaiting its calls; `undefined` if it has. */
  failure(): Error | undefined {
    const first = [...this.#never].find((call) => call.isForgotten());
    if (first === undefined) return undefined;
    const message = `${this.never().join('\n')}\nAwait it, or catch its failure, so that its effect comes before the end of the test.`;
    this.#never.clear();
    return errorAt(first.at, message);
  }
}

/** Replaces a method of an object, which `words` name, by one whose promise must be awaited. */
export function noteCalls(calls: AwaitedCalls, of: object, name: string, words: string): void {
  const own = (of as Record<string, (...args: unknown[]) => Promise<unknown>>)[name];
  const method = (...args: unknown[]): Promise<unknown> => calls.note({ words: `${words}.${name}`, promise: own?.apply(of, args) as Promise<unknown>, method });
  Object.defineProperty(of, name, { value: method, configurable: true, writable: true });
}

/** An error at a place: test runners show the line that a stack begins with. */
export function errorAt(at: Place, message: string): Error {
  return Object.assign(new Error(message), { stack: `Error: ${message}\n${framesOf(at).join('\n')}` });
}

function framesOf({ stack = '' }: Place): string[] {
  return stack.split('\n').filter((line) => placeOf(line) !== undefined);
}

function lineOf(at: Place): string {
  return placeOf(framesOf(at)[0] ?? '') ?? 'its line is unknown';
}

/** The place at the end of a frame: a file with line and column, if it has one. */
function placeOf(frame: string): string | undefined {
  const last = frame.trim().split(/[\s(]/).at(-1) ?? '';
  const place = (last.endsWith(')') ? last.slice(0, -1) : last).replace('file://', '');
  return /:\d+:\d+$/.test(place) ? place : undefined;
}
