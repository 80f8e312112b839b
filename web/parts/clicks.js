// Makes a double click do the same as a single click.

/** Returns a handler that ignores the second click of a double click. */
export const once = (act) => (event) => event.detail > 1 || act(event);

/**
 * If the first click of a double click removes the clicked element, the second click leaves the focus where the first
 * has put it.
 */
export function keepFocus() {
  let pressed = null;
  const onMouseDown = (event) => {
    if (event.detail < 2) pressed = event.target;
    else if (!pressed?.isConnected) event.preventDefault();
  };
  addEventListener("mousedown", onMouseDown, { capture: true });
}
