// Figures: how they are printed, read back and compared.

/** The middle one; of an even number, the lower of the two. */
export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[(numbers.length - 1) >> 1];
}

/** One line of `name value unit`, aligned for people, split by blanks for programs. */
export function line(name, value, unit) {
  return `${name.padEnd(44)} ${format(value).padStart(12)} ${unit}`;
}

/** The figures in what another program printed, by name; of one printed several times, all. */
export function parse(output) {
  const figures = new Map();
  for (const text of output.split('\n')) {
    const found = /^([\w-]+) +([\d.]+) (\S+)$/.exec(text);
    if (found === null) continue;
    const [, name, value, unit] = found;
    const values = figures.get(name)?.values ?? [];
    figures.set(name, { values: [...values, Number(value)], unit });
  }
  return figures;
}

/** Prints figures as they come, and keeps the bounds for the end. */
export class Report {
  #bounds = [];
  #begunMs = performance.now();

  /** Ends a section, which says how long it took, and begins another. */
  heading(text) {
    const nowMs = performance.now();
    console.log(`(${((nowMs - this.#begunMs) / 1000).toFixed(0)} s)\n\n# ${text}`);
    this.#begunMs = nowMs;
  }

  figure(name, value, unit) {
    console.log(line(name, value, unit));
  }

  /** A figure that has to keep `limit`; `kind` is 'at least' or 'at most'. */
  bounded(name, value, unit, kind, limit) {
    this.figure(name, value, unit);
    this.#bounds.push({ name, value, unit, kind, limit });
  }

  bounds() {
    this.heading('required');
    for (const { name, value, unit, kind, limit } of this.#bounds) {
      const holds = kind === 'at least' ? value >= limit : value <= limit;
      const bound = `${kind} ${format(limit)}`;
      console.log(`${line(name, value, unit).padEnd(70)} ${bound.padEnd(16)} ${holds ? 'holds' : 'DOES NOT HOLD'}`);
    }
  }
}

/** Three significant digits for small numbers, whole ones for large. */
function format(value) {
  return Math.abs(value) >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(3);
}
