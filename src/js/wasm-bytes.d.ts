/** The module's bytes, inlined by build.mjs; only the entry for browsers may import them. */
declare module '#wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
