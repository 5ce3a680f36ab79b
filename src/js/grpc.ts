// The entry `locket-wasm/grpc`, for Node: connections to Locket itself, or to a gRPC-Web proxy. It
// needs no module, so it fits the clients of every entry.

export { GrpcChannel } from './grpc/channel.js';
export type { GrpcChannelOptions, GrpcTls, GrpcWebChannelOptions } from './grpc/options.js';
export { GrpcWebChannel } from './grpc/web-channel.js';
