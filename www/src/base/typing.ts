// Whether keys have a meaning of their own where they are pressed: text, or the value of a slider. The handle of time follows the page's keys.

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === 'range') return !target.hasAttribute('data-time');
  return isWriting(target) || target instanceof HTMLSelectElement;
}

/** True if the target is a text with an undo of its own. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target.shadowRoot !== null;
}
