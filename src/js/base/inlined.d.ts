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

/** The bytes of a module, in Node. The manifest says from where: a file, or within a bundle the bundle itself. */
declare module '#module/*' {
  export function moduleBytes(): Uint8Array;
}
