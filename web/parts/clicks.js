// Makes a double click do the same as a single click.

/** Returns a handler that ignores the second click of a double click. */
export const once = (act) => (event) => event.detail > 1 || act(event);

/**
 * Keeps the second click of a double click from moving the focus, if the first click has removed the clicked element.
 */
export function keepFocus() {
  let pressed = null;
  const onMouseDown = (event) => {
    if (event.detail < 2) pressed = event.target;
    else if (!pressed?.isConnected) event.preventDefault();
  };
  addEventListener("mousedown", onMouseDown, { capture: true });
}
