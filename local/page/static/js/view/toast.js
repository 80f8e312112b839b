import { html, useEffect } from "/web/parts/html.js";
import { change, useStore } from "../store.js";

const SHOWN_MS = 5000;

export function Toast() {
  const toast = useStore((state) => state.toast);
  useEffect(() => {
    if (!toast) return undefined;
    const timer = setTimeout(() => change({ toast: null }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return html`<div class="toasts" role="status" aria-live="polite">${toast && html`<p class="toast">${toast.text}</p>`}</div>`;
}
