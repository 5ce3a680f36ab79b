// The modules that `build/recorded-runs.ts` adds to the page.

declare module 'virtual:first-run' {
  const run: import('./run.js').Run;
  export default run;
}

declare module 'virtual:other-runs' {
  /** By the id of a tour. */
  const runs: Readonly<Record<string, import('./run.js').Run>>;
  export default runs;
}

declare module 'virtual:program' {
  const figure: import('./program.js').Figure;
  export default figure;
}
