// The message that is answered or edited, shown above the text field.
import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { excerpt } from "../excerpt.js";
import { writerName } from "../people.js";
import { Icon, IconButton } from "/web/parts/icon.js";

export function AnsweringBar({ answering, onStop }) {
  const { mode, message } = answering;
  const name = useStore((state) => writerName(state, message));
  return html`
    <div class="answering">
      <${Icon} name=${mode} />
      <p><strong>${mode === "edit" ? "Edit your message" : `Reply to ${name}`}</strong><span>${excerpt(message)}</span></p>
      <${IconButton} icon="close" label=${mode === "edit" ? "Stop editing" : "Do not reply"} onClick=${onStop} />
    </div>
  `;
}
