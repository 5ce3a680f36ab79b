// The entry `locket-wasm/grpc` outside of Node: a page cannot speak gRPC, and the first use says what to take instead.

function inNodeOnly(name: string): Error {
  return new Error(`${name} needs Node.js: a page cannot open HTTP/2 connections of its own. Call a gRPC-Web proxy with new LocketClient({ baseUrl }) of locket-wasm/client`);
}

export class GrpcChannel {
  constructor() {
    throw inNodeOnly('GrpcChannel');
  }
}

export class GrpcWebChannel {
  constructor() {
    throw inNodeOnly('GrpcWebChannel');
  }
}
