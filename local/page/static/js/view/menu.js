// A button that opens a menu: arrow keys move, Escape and a click elsewhere close, focus goes back to the button.
import { html, useLayoutEffect, useRef, useState } from "../html.js";

const entriesOf = (node) => [...node.querySelectorAll('[role^="menuitem"]:not([disabled])')];

function move(node, event) {
  const entries = entriesOf(node);
  const at = entries.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  if (!(event.key in steps)) return;
  event.preventDefault();
  entries.at(steps[event.key] % entries.length)?.focus();
}

/** The floating part; `anchor` is {x, y} in the window for a menu at the pointer, else it hangs under its parent. */
export function Floating({ label, onClose, anchor, align = "start", role = "menu", class: name = "", children }) {
  const ref = useRef(null);
  const [place, setPlace] = useState(
    anchor ? { left: `${anchor.x}px`, top: `${anchor.y}px`, position: "fixed" } : null,
  );
  useLayoutEffect(() => {
    const node = ref.current;
    const box = node.getBoundingClientRect();
    const stay = () => anchor && setPlace(kept(anchor, node.getBoundingClientRect()));
    const watcher = new ResizeObserver(stay); // a menu may unfold
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

// A menu at the pointer stays inside of the window.
function kept({ x, y }, box) {
  const left = Math.max(8, Math.min(x, innerWidth - box.width - 8));
  const top = Math.max(8, Math.min(y, innerHeight - box.height - 8));
  return { position: "fixed", left: `${left}px`, top: `${top}px` };
}

/** `button` gives the button's content; `children` is a function of `close` that gives the entries. */
export function MenuButton({ label, button, class: name, align, menuClass, children, ...rest }) {
  const [open, setOpen] = useState(false);
  const place = useRef(null);
  // The focus goes back before anything else opens, so that a dialog gives it back to the button too.
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

/** One of several (`checked` in a group of them), one that is on or off (`checked` with `isSwitch`), or an act. */
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
