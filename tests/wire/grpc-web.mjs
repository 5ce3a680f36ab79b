// gRPC-Web by hand: one message as a frame, and a response taken apart. Strict, so that a slip of the server shows.

const TRAILER_FLAG = 0x80;

/** gRPC codes by number, as Go names them. */
export const CODE_NAMES = [
  'OK', 'Canceled', 'Unknown', 'InvalidArgument', 'DeadlineExceeded', 'NotFound', 'AlreadyExists', 'PermissionDenied',
  'ResourceExhausted', 'FailedPrecondition', 'Aborted', 'OutOfRange', 'Unimplemented', 'Internal', 'Unavailable', 'DataLoss',
  'Unauthenticated',
];

/** The frame of one message. */
export function frame(message, flags = 0) {
  const head = Buffer.from([flags, 0, 0, 0, 0]);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A gRPC-Web request for a URL of no consequence. */
export function webRequest(path, body, headers = {}) {
  return new Request(`http://locket.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', ...headers },
    body,
  });
}

/**
 * Takes a response apart: `httpStatus`; `code` (a name) and `message`, from the trailer frame or the headers, `undefined`
 * if neither has them; `payload`, the bytes of the message frame or `undefined`; `isText`; `headers`.
 *
 * Throws if the body is not what gRPC-Web allows.
 */
export async function readAnswer(response) {
  const body = Buffer.from(await response.arrayBuffer());
  const isText = (response.headers.get('content-type') ?? '').includes('grpc-web-text');
  const { payload, trailers } = frames(isText ? decodeText(body) : body);
  const get = (name) => trailers?.get(name) ?? response.headers.get(name) ?? undefined;
  const number = get('grpc-status');
  if (number !== undefined && trailers?.get('grpc-status') !== undefined && response.headers.has('grpc-status')) {
    throw new Error('grpc-status is in the headers and in the trailer frame');
  }
  const message = get('grpc-message');
  return {
    httpStatus: response.status,
    code: number === undefined ? undefined : (CODE_NAMES[Number(number)] ?? `code ${number}`),
    message: number === undefined ? undefined : decodeURIComponent(message ?? ''),
    payload,
    trailers,
    isText,
    headers: response.headers,
  };
}

function frames(body) {
  let payload;
  let trailers;
  for (let rest = body; rest.length > 0; ) {
    if (rest.length < 5) throw new Error(`the body ends within a frame's head: ${rest.toString('hex')}`);
    const end = 5 + rest.readUInt32BE(1);
    if (rest.length < end) throw new Error(`the body ends within a frame: ${end} bytes expected, ${rest.length} there`);
    if (trailers !== undefined) throw new Error('a frame follows the trailer frame');
    const content = rest.subarray(5, end);
    const flags = rest[0];
    rest = rest.subarray(end);
    if (flags === TRAILER_FLAG) trailers = trailerLines(content.toString('latin1'));
    else if (flags !== 0) throw new Error(`a frame has flags ${flags}`);
    else if (payload !== undefined) throw new Error('there is more than one message frame');
    else payload = content;
  }
  return { payload, trailers };
}

function trailerLines(text) {
  const lines = text.split('\r\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      if (colon < 0) throw new Error(`a trailer has no colon: ${JSON.stringify(line)}`);
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** Base64 of several texts, one after another, each with padding of its own. */
function decodeText(body) {
  const text = body.toString('latin1');
  if (!/^(?:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)*$/.test(text)) {
    throw new Error(`the body is not base64: ${JSON.stringify(text)}`);
  }
  return Buffer.concat((text.match(/[^=]+=*/g) ?? []).map((part) => Buffer.from(part, 'base64')));
}
