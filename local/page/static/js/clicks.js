// Double clicks do what a click does, once.

/** The second click of a double click does nothing. */
export const once = (act) => (event) => event.detail > 1 || act(event);

/** A double click on what goes away leaves the focus where its first click has put it. */
export function keepFocus() {
  let pressed = null;
  const onMouseDown = (event) => {
    if (event.detail < 2) pressed = event.target;
    else if (!pressed?.isConnected) event.preventDefault();
  };
  addEventListener("mousedown", onMouseDown, { capture: true });
}
