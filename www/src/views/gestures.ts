// The pointer on a strip of time: a press, and a drag along time. Where things are is the caller's.

/** The callbacks of the gestures; places are pixels from the strip's corner. */
export interface Gestures {
  /** Pressed and let go without moving. */
  press: (at: { x: number; y: number }) => void;
  start: () => void;
  seek: (x: number) => void;
}

/** A pointer that moved less than this was pressed. */
const DRAG_MIN = 5;

/** As an attachment. */
export function gestures(does: Gestures): (strip: HTMLElement) => () => void {
  return (strip) => {
    let pressed: { id: number; x: number; isDrag: boolean } | undefined;
    const place = (event: MouseEvent): { x: number; y: number } => {
      const { left, top } = strip.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };

    const down = (event: PointerEvent): void => {
      // Two fingers are the browser's.
      pressed = event.button === 0 && event.isPrimary ? { id: event.pointerId, x: place(event).x, isDrag: false } : undefined;
      if (pressed !== undefined) does.start();
    };
    const move = (event: PointerEvent): void => {
      const at = place(event);
      if (pressed?.id !== event.pointerId) return;
      if (!pressed.isDrag) {
        if (Math.abs(at.x - pressed.x) < DRAG_MIN) return;
        pressed.isDrag = true;
        strip.setPointerCapture(event.pointerId);
      }
      does.seek(at.x);
    };
    const up = (event: PointerEvent): void => {
      const wasPress = pressed?.id === event.pointerId && !pressed.isDrag;
      pressed = undefined;
      if (wasPress) does.press(place(event));
    };

    const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: () => void (pressed = undefined) } as const;
    for (const [name, listener] of Object.entries(listeners)) strip.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) strip.removeEventListener(name, listener as EventListener);
    };
  };
}
