/** The module's bytes, gzipped and inlined by build.mjs; only carried.ts may import them. */
declare module '#wasm' {
  const compressed: Uint8Array<ArrayBuffer>;
  export default compressed;
}

/** The texts of sim/scenarios by name, inlined by build.mjs. */
declare module '#stories' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
