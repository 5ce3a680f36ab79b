// Node's own names for globals, for test environments that hide them, such as jest's jsdom.
// build.mjs injects them into the entries for Node.

export { TextDecoder, TextEncoder } from 'node:util';
