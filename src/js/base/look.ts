// The line that a console shows of an object, and the facts of an error for JSON: nothing of their insides.

/** Where Node looks for what a console shows. Its type is wide on purpose: declarations leave a method of that name out. */
export const INSPECT: symbol = Symbol.for('nodejs.util.inspect.custom');

/** The words of an object, or the reason why there are none: it is closed, or its module has failed. */
export function seen(look: () => number | string): number | string {
  try {
    return look();
  } catch (problem) {
    return (problem as Error).message;
  }
}

/** A key for people: `'bbs'`. */
export function quoted(key: string): string {
  return `'${key}'`;
}

/** The facts of an error for JSON, which leaves its message out by itself. */
export function errorFacts(error: Error): Record<string, unknown> {
  const { name, message, cause, ...facts } = error;
  const isSaid = cause === undefined || Object.values(facts as object).includes(cause);
  return { name, message, ...facts, ...(isSaid ? {} : { cause: cause instanceof Error ? errorFacts(cause) : cause }) };
}

/** An error for a console: where it was thrown, then its cause in one line, instead of all that it knows. */
export function errorLines(error: Error): string {
  const { cause, stack, name, message } = error;
  const lines = [stack ?? `${name}: ${message}`];
  if (cause !== undefined) lines.push(`  caused by ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`);
  return lines.join('\n');
}
