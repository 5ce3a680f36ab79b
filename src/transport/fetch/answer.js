// Reads a buffered HTTP answer as gRPC-Web, or as gRPC if its `protocol` says so: then HTTP/2 has carried the trailers,
// and they stand beside the body. An answer may contain any bytes; nothing throws.
//
// Where gRPC's documents leave a code open, it is the one that the Connect conformance suite expects.

import { failed, httpFailure, INTERNAL, OK, otherProtocol, RESOURCE_EXHAUSTED, tooLarge, UNIMPLEMENTED, UNKNOWN } from './failure.js';
import { frameSize, readFrames } from './frames.js';
import { metadataOf, parseTrailers, statusOf } from './trailers.js';

const TEXT = 'application/grpc-web-text';

/** The protocol of an answer whose trailers HTTP/2 has carried. */
const GRPC = 'gRPC';

/** The largest message, in bytes, that gRPC accepts by default. */
export const MESSAGE_SIZE_MAX = 4 * 1024 * 1024;

/** The largest frame of trailers, in bytes: as much as Envoy takes of a server's headers. */
const TRAILERS_SIZE_MAX = 60 * 1024;

/** The longest body that is read: a message of the largest size as text with line ends, and its trailers. */
export function wireSizeMax(messageSizeMax) {
  return Math.ceil(messageSizeMax * 1.5) + 2 * TRAILERS_SIZE_MAX;
}

/** Whether an answer is in text mode. Names in `headers` are in lower case. */
export function isText(headers) {
  return mediaOf(headers)[0] === TEXT;
}

/**
 * Reads a whole answer: the server's status, or a failure. `body` is `undefined` if it is no base64, as its text mode
 * promises.
 */
export function readAnswer(response, headers, body, messageSizeMax) {
  const { code, message, data, outcome, cause, trailers = {} } = judge(response, headers, body, messageSizeMax);
  return {
    code,
    message,
    data,
    outcome,
    cause,
    headers,
    trailers,
    // Few look at it, and it takes as long as all the rest.
    get metadata() {
      return { ...metadataOf(headers), ...metadataOf(trailers) };
    },
  };
}

/** A body that was cut because it is too long, or is endless. */
export function readTooLong(body, messageSizeMax) {
  const size = frameSize(body);
  return tooLarge(size !== undefined && size > messageSizeMax ? size : body.length, messageSizeMax);
}

function judge(response, headers, body, messageSizeMax) {
  const { status, statusText, protocol } = response;
  const inHeaders = statusOf(headers);
  const refusal = inHeaders !== undefined && inHeaders.code !== OK ? inHeaders : undefined;
  const problem = status >= 200 && status < 300 ? undefined : httpFailure(status, statusText, protocol);
  if (body?.length === 0 && inHeaders !== undefined) {
    return refusal ?? problem ?? failed(UNIMPLEMENTED, 'the server sent the status OK and no message');
  }
  const framed = readBody(response, headers, body, messageSizeMax);
  // A status in the headers counts only if the body has none.
  if (framed.outcome !== undefined) return refusal ?? problem ?? framed;
  if (framed.code !== OK || (problem ?? refusal) === undefined) return framed;
  return problem ?? failed(INTERNAL, `the headers' grpc-status ${refusal.code} contradicts the trailers' 0`);
}

/** The content type's medium, and its codec if it has one. */
function mediaOf(headers) {
  return USUAL[headers['content-type']] ?? (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase().split('+');
}

/** As servers write them: nearly all answers have one of these. */
const USUAL = {
  'application/grpc': ['application/grpc'],
  'application/grpc+proto': ['application/grpc', 'proto'],
  'application/grpc-web': ['application/grpc-web'],
  'application/grpc-web+proto': ['application/grpc-web', 'proto'],
};

function readBody(response, headers, body, messageSizeMax) {
  const [media = '', codec] = mediaOf(headers);
  if (media !== TEXT && media !== 'application/grpc-web' && media !== 'application/grpc') {
    const said = media === '' ? 'an answer without a content-type' : `an answer of content-type ${media}`;
    return otherProtocol(said, response.protocol);
  }
  if (codec !== undefined && codec !== 'proto') {
    return failed(INTERNAL, `an answer in ${codec}, but proto was asked for`);
  }
  if (body === undefined) return failed(INTERNAL, 'the answer is not the base64 text that its content-type promises');
  const isGrpc = response.protocol === GRPC;
  const frames = readFrames(body, !isGrpc);
  return readStatus(frames, isGrpc ? response.trailers : trailersOf(frames), isGrpc, messageSizeMax);
}

/** The frequent causes. A browser hides headers of other origins, and a refusal is nothing but headers. */
const NO_STATUS =
  "; frequent causes: access-control-expose-headers lacks grpc-status, grpc-message; a native gRPC port";

function trailersOf({ trailerFrame }) {
  return trailerFrame === undefined || trailerFrame.length > TRAILERS_SIZE_MAX ? undefined : parseTrailers(trailerFrame);
}

function readStatus({ message, messages, trailerFrame, fault }, trailers, isGrpc, messageSizeMax) {
  if (fault !== undefined) return failed(INTERNAL, fault);
  if (trailerFrame?.length > TRAILERS_SIZE_MAX) {
    return failed(RESOURCE_EXHAUSTED, `received trailers larger than max (${trailerFrame.length} vs. ${TRAILERS_SIZE_MAX})`);
  }
  const told = trailers === undefined ? undefined : statusOf(trailers);
  if (told === undefined) {
    return { ...failed(UNKNOWN, `an answer without a grpc-status${isGrpc ? '' : NO_STATUS}`), trailers };
  }
  if (told.code !== OK) return { ...told, trailers };
  if (messages !== 1) {
    const count = messages === 0 ? 'no message' : `${messages} messages`;
    return { ...failed(UNIMPLEMENTED, `the server sent the status OK and ${count}`), trailers };
  }
  if (message.length > messageSizeMax) return { ...tooLarge(message.length, messageSizeMax), trailers };
  return { code: OK, message: '', data: message, trailers };
}
