// A dialog, made of the browser's own element, which keeps the focus inside, closes on Escape, and returns the focus.
import { html, useId, useLayoutEffect, useRef } from "./html.js";
import { once } from "./clicks.js";
import { IconButton } from "./icon.js";
import { t } from "./words.js";

export function Dialog({ title, wide, onClose, children }) {
  const ref = useRef(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog.showModal();
    return () => dialog.close(); // so that the focus returns in whatever way the dialog is closed
  }, []);
  // the second click of a double click that opened the dialog must not count as a click outside of it
  const backdrop = (event) => event.target === ref.current && onClose();
  return html`
    <dialog ref=${ref} class=${`dialog${wide ? " is-wide" : ""}`} aria-labelledby=${id} onClose=${() => ref.current && onClose()} onMouseDown=${once(backdrop)}>
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id=${id}>${title}</h2>
          <${IconButton} icon="close" label=${t("parts.close")} onClick=${onClose} />
        </header>
        ${children}
      </div>
    </dialog>
  `;
}
