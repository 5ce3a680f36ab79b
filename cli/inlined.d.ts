/** The recorded conformance cases that consist of client calls, inlined by the build. */
declare module '#cases' {
  const cases: unknown;
  export default cases;
}
