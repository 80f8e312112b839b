// The mark of a message. One tick: the message was sent. Two ticks: the webhook has taken it. A warning: the webhook
// has not taken it.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { tickOf } from "../delivery.js";

const SHAPES = {
  sent: "M3 8.5l3.2 3.2L13 4.8",
  taken: "M1 8.5l3.2 3.2L11 4.8M7.5 11l.7.7L15 4.8",
  trouble: "M8 3v6.5M8 12.6v.1",
};

export function Tick({ message }) {
  const mark = useStore((state) => tickOf(state, message).mark);
  const words = useStore((state) => tickOf(state, message).words);
  return html`
    <span class=${`tick is-${mark}`} title=${words} data-tick=${mark}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"><path d=${SHAPES[mark]} /></svg>
      <span class="hidden">${words}</span>
    </span>
  `;
}
