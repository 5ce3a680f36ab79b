// Errors of TLS in words. The message of Node's is a line of OpenSSL's log, with a thread, a source file and its line.

/** The library, a function of it, and the reason. */
const LOG_LINE = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/;

/** The same error, or one that says its reason. */
export function inWords(error: Error): Error {
  const reason = LOG_LINE.exec(error.message)?.[1];
  return reason === undefined ? error : new Error(`TLS: ${reason}`, { cause: error });
}
