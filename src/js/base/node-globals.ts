// What Node has without a global, for test environments that hide it, such as jest's jsdom. build.mjs gives it to the
// entries for Node.

export { TextDecoder, TextEncoder } from 'node:util';
