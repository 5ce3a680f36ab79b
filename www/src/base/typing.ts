// Whether keys mean text where they are pressed.

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'range';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.shadowRoot !== null;
}
