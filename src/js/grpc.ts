// The entry `locket-wasm/grpc`, for Node: a connection to Locket itself, with no proxy in between. It needs no module, so it
// fits the clients of every entry.

export { GrpcChannel } from './grpc/channel.js';
export type { GrpcChannelOptions, GrpcTls } from './grpc/options.js';
