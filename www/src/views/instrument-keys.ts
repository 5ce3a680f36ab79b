// The keys of the instrument besides those of time: zoom and undo.

import { isTyping, isWriting } from '../base/typing.js';
import type { Session } from '../core/session.svelte.js';
import type { Viewport } from '../core/viewport.svelte.js';

export function instrumentKeys(session: Session, viewport: Viewport): (event: KeyboardEvent) => void {
  const zooms: Record<string, () => void> = { '+': () => viewport.zoomBy(1), '=': () => viewport.zoomBy(1), '-': () => viewport.zoomBy(-1), 0: () => viewport.fit() };
  return (event) => {
    if (event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const isUndo = isCommand && !event.shiftKey && event.key === 'z' && !isWriting(event.target);
    const act = isUndo ? () => session.undo() : isCommand || isTyping(event.target) ? undefined : zooms[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
}
