// Whether keys have a meaning of their own where they are pressed: text, or the value of a slider. The handle of time follows the page's keys.

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !target.hasAttribute('data-time');
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.shadowRoot !== null;
}
