// Lists by name. `Map.groupBy` is not in every browser that the package runs in.

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
