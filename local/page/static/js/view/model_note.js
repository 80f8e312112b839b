// A note that tells which model answers and what this model cannot do.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";

const WORDS = { ready: "ready", downloading: "downloading", starting: "starting", failed: "not running" };

export function ModelNote() {
  const model = useStore((state) => state.model);
  if (!model?.name) return null;
  return html`
    <footer class="model-note">
      <p><span class=${`dot is-${model.state}`} aria-hidden="true"></span>${model.name} · ${WORDS[model.state] || model.state}</p>
      ${model.note && html`<p class="quiet">${model.note}</p>`}
    </footer>
  `;
}
