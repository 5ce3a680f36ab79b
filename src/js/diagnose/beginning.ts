// Pieces of foreign text.

/** The beginning of a text, without halves of surrogate pairs, which no text of a scenario may have. */
export function beginning(text: string, max: number): string {
  return text.slice(0, max).replace(/\p{Surrogate}/gu, '\ufffd');
}

/** A piece of a text keeps all of it in memory, and a text of pieces each of them. Engines write a text out before they cut it. */
export const copied = (text: string): string => ` ${text}`.slice(1);
