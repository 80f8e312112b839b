// A long press on a touch screen does what the right mouse button does.
import { useRef } from "./html.js";

const LONG_PRESS_MS = 500;

/** Handlers for an element; `open` gets the place of the finger, {x, y} in the window. */
export function useLongPress(open) {
  const timer = useRef(null);
  const stop = () => clearTimeout(timer.current);
  const start = (event) => {
    if (event.pointerType !== "touch") return;
    const at = { x: event.clientX, y: event.clientY };
    stop();
    timer.current = setTimeout(() => open(at), LONG_PRESS_MS);
  };
  return { onPointerDown: start, onPointerUp: stop, onPointerMove: stop, onPointerCancel: stop };
}
