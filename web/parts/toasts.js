// Short notes at the edge of the page: `toast("Saved")`, `toast("Deleted", {undo: () => …})`, `toast(text, {isBad: true})`.
import { html, useEffect } from "./html.js";
import { observable } from "./observable.js";
import { t } from "./words.js";

const SHOWN_MS = 5_000;
const UNDO_MS = 10_000;

const shown = observable(null);
let number = 0;

export function toast(text, { undo = null, isBad = false } = {}) {
  number += 1;
  shown.set({ text, undo, isBad, number });
}

/** Runs `work`; if it fails, a toast says why, and the result is undefined. */
export async function attempt(work) {
  try {
    return await work();
  } catch (problem) {
    toast(problem.message, { isBad: true });
    return undefined;
  }
}

/** The place of the notes; once in a page. */
export function Toasts() {
  const note = shown.use();
  useEffect(() => {
    if (!note) return undefined;
    const timer = setTimeout(() => shown.set((now) => (now === note ? null : now)), note.undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [note]);
  const undo = () => {
    shown.set(null);
    note.undo();
  };
  return html`<div class="toasts" role="status" aria-live="polite">
    ${
      note &&
      html`<p class=${`toast${note.isBad ? " is-bad" : ""}`} key=${note.number}>
        <span>${note.text}</span>${note.undo && html`<button type="button" class="toast-undo" onClick=${undo}>${t("parts.undo")}</button>`}
      </p>`
    }
  </div>`;
}
