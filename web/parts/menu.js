// A button that opens a menu. Arrow keys move in the menu; Escape or a click elsewhere closes it, and the focus returns
// to the button.
import { html, useLayoutEffect, useRef, useState } from "./html.js";

const entriesOf = (node) => [...node.querySelectorAll('[role^="menuitem"]:not([disabled])')];

function move(node, event) {
  const entries = entriesOf(node);
  const at = entries.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  entries.at(steps[event.key] % entries.length)?.focus();
}

/**
 * The floating part of a menu. With `anchor`, {x, y} in the window, it is at the pointer; otherwise it is below its
 * parent.
 */
export function Floating({ label, onClose, anchor, align = "start", role = "menu", class: name = "", children }) {
  const ref = useRef(null);
  const [place, setPlace] = useState(
    anchor ? { left: `${anchor.x}px`, top: `${anchor.y}px`, position: "fixed" } : null,
  );
  useLayoutEffect(() => {
    const node = ref.current;
    const box = node.getBoundingClientRect();
    const stay = () => anchor && setPlace(kept(anchor, node.getBoundingClientRect()));
    const watcher = new ResizeObserver(stay); // the size of a menu may change
    watcher.observe(node);
    const outside = (event) => !node.parentNode?.contains(event.target) && onClose();
    addEventListener("pointerdown", outside);
    if (anchor) stay();
    else node.classList.toggle("is-above", box.bottom > innerHeight && box.top > box.height + 60);
    const before = document.activeElement;
    (node.querySelector("[data-first]") || entriesOf(node)[0] || node).focus({ preventScroll: true });
    return () => {
      watcher.disconnect();
      removeEventListener("pointerdown", outside);
      if (node.contains(document.activeElement) && before?.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const onKeyDown = (event) => {
    if (event.key === "Escape" || event.key === "Tab") {
      event.stopPropagation();
      if (event.key === "Escape") event.preventDefault();
      onClose();
    } else move(ref.current, event);
  };
  return html`
    <div
      ref=${ref}
      class=${`floating align-${align} ${name}`}
      style=${place}
      role=${role}
      aria-label=${label}
      tabindex="-1"
      onKeyDown=${onKeyDown}
    >
      ${children}
    </div>
  `;
}

// A menu at the pointer is moved so that it is inside of the window.
function kept({ x, y }, box) {
  const left = Math.max(8, Math.min(x, innerWidth - box.width - 8));
  const top = Math.max(8, Math.min(y, innerHeight - box.height - 8));
  return { position: "fixed", left: `${left}px`, top: `${top}px` };
}

/** `button` returns the content of the button. `children` is a function that gets `close` and returns the entries. */
export function MenuButton({ label, button, class: name, align, menuClass, children, ...rest }) {
  const [open, setOpen] = useState(false);
  const place = useRef(null);
  // The focus returns to the button before anything else opens, so that a dialog also gives it back to the button.
  const close = () => {
    if (place.current.contains(document.activeElement)) place.current.firstElementChild.focus({ preventScroll: true });
    setOpen(false);
  };
  return html`
    <span class="menu-place" ref=${place}>
      <button
        type="button"
        ...${rest}
        class=${name}
        aria-label=${label}
        title=${label}
        aria-haspopup="menu"
        aria-expanded=${open}
        onClick=${() => setOpen(!open)}
      >
        ${button}
      </button>
      ${open && html`<${Floating} label=${label} onClose=${close} align=${align} class=${menuClass}>${children(close)}<//>`}
    </span>
  `;
}

/**
 * An entry of a menu: one of several alternatives (`checked`), a switch that is on or off (`checked` with `isSwitch`),
 * or an action.
 */
export const MenuItem = ({ onPick, children, checked, isSwitch, danger, ...rest }) => html`
  <button
    type="button"
    ...${rest}
    class=${`menu-item${danger ? " is-danger" : ""}`}
    role=${checked === undefined ? "menuitem" : isSwitch ? "menuitemcheckbox" : "menuitemradio"}
    aria-checked=${checked}
    onClick=${onPick}
  >
    ${children}
  </button>
`;
