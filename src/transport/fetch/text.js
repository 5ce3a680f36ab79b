// The base64 of gRPC-Web's text mode: one encoding after another, each padded for itself.

/** The bytes; `undefined` if that is no base64. A missing padding at the very end is none of its faults. */
export function decodeText(body) {
  const text = new TextDecoder('latin1').decode(body).replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]+={0,2})*$/.test(text)) return undefined;
  try {
    const parts = (text.match(/[A-Za-z0-9+/]+={0,2}/g) ?? []).map(atob);
    return Uint8Array.from(parts.join(''), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
