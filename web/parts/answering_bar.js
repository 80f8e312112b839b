// The message that is answered or edited, shown above the field.
import { html } from "./html.js";
import { Icon, IconButton } from "./icon.js";

/** `mode`: "reply" or "edit". */
export const AnsweringBar = ({ mode, title, text, stop, onStop }) => html`
  <div class="answering">
    <${Icon} name=${mode} />
    <p><strong>${title}</strong><span dir="auto">${text}</span></p>
    <${IconButton} icon="close" label=${stop} onClick=${onStop} />
  </div>
`;
