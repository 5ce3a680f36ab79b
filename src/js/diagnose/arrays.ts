// What arrays of older runtimes lack.

/** The last element for which something holds. */
export function lastWhere<T>(list: readonly T[], holds: (element: T) => boolean): T | undefined {
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const element = list[index] as T;
    if (holds(element)) return element;
  }
  return undefined;
}

/** The elements by a name that each of them has; those without one are left out. */
export function grouped<T>(list: Iterable<T>, nameOf: (element: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const element of list) {
    const name = nameOf(element);
    if (name === '') continue;
    const others = groups.get(name);
    if (others === undefined) groups.set(name, [element]);
    else others.push(element);
  }
  return groups;
}
