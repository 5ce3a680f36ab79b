// The pointer on a strip of time: a press, a drag along time, the wheel and two fingers. Where things are is the caller's.

/** The callbacks of the gestures; places are pixels from the strip's corner. */
export interface Gestures {
  /** Pressed and let go without moving. */
  press: (at: { x: number; y: number }) => void;
  start: () => void;
  seek: (x: number) => void;
  /** Says whether anything changed: the page scrolls where nothing does. */
  zoom: (factor: number, x: number) => boolean;
  pan: (byX: number) => boolean;
}

/** A pointer that moved less than this was pressed. */
const DRAG_MIN = 5;
/** How much a pixel of the wheel zooms. */
const WHEEL = 0.002;
/** A wheel's line in pixels. */
const LINE = 16;

/** As an attachment. */
export function gestures(does: Gestures): (strip: HTMLElement) => () => void {
  return (strip) => {
    const fingers = new Map<number, { x: number; y: number }>();
    let pressed: { x: number; y: number; isDrag: boolean } | undefined;
    const place = (event: MouseEvent): { x: number; y: number } => {
      const { left, top } = strip.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };

    const down = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, place(event));
      pressed = fingers.size === 1 ? { ...place(event), isDrag: false } : undefined;
      does.start();
    };
    const move = (event: PointerEvent): void => {
      const at = place(event);
      if (fingers.size === 2) return pinch(event.pointerId, at);
      if (pressed === undefined) return;
      if (!pressed.isDrag) {
        if (Math.abs(at.x - pressed.x) < DRAG_MIN) return;
        pressed.isDrag = true;
        strip.setPointerCapture(event.pointerId);
      }
      does.seek(at.x);
    };
    const pinch = (id: number, at: { x: number; y: number }): void => {
      const before = fingers.get(id);
      const other = [...fingers].find(([one]) => one !== id)?.[1];
      if (before === undefined || other === undefined) return;
      fingers.set(id, at);
      const [was, is] = [Math.abs(before.x - other.x), Math.abs(at.x - other.x)];
      if (was > DRAG_MIN && is > DRAG_MIN) does.zoom(is / was, (at.x + other.x) / 2);
      does.pan((before.x - at.x) / 2);
    };
    const up = (event: PointerEvent): void => {
      const wasPress = pressed !== undefined && !pressed.isDrag;
      end(event);
      if (wasPress) does.press(place(event));
    };
    const end = ({ pointerId }: PointerEvent): void => {
      fingers.delete(pointerId);
      pressed = undefined;
    };
    const wheel = (event: WheelEvent): void => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
      const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const byX = (event.deltaX || event.deltaY) * unit;
      const changed = isPan ? does.pan(byX) : does.zoom(Math.exp(-event.deltaY * unit * WHEEL * (event.ctrlKey ? 5 : 1)), place(event).x);
      if (changed || event.ctrlKey) event.preventDefault();
    };

    const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: end } as const;
    for (const [name, listener] of Object.entries(listeners)) strip.addEventListener(name, listener as EventListener);
    strip.addEventListener('wheel', wheel, { passive: false });
    return () => {
      for (const [name, listener] of Object.entries(listeners)) strip.removeEventListener(name, listener as EventListener);
      strip.removeEventListener('wheel', wheel);
    };
  };
}
