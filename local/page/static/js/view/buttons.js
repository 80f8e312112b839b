// The inline keyboard under a message.
import { html, useState } from "/web/parts/html.js";
import { press } from "../actions.js";
import { once } from "/web/parts/clicks.js";
import { safeHref } from "/web/parts/entities.js";

// After the first click of a double click, another button may be at the same place.
function Press({ message, me, button }) {
  const [busy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    await press(message, me, button.data);
    setBusy(false);
  };
  return html`<button type="button" class="key" dir="auto" disabled=${busy} onClick=${once(onClick)}>${button.text}</button>`;
}

export function Buttons({ message, me }) {
  if (!message.buttons?.length) return null;
  const key = (button) => {
    if (button.url)
      return html`<a class="key" dir="auto" href=${safeHref(button.url)} target="_blank" rel="noopener noreferrer">${button.text} ↗</a>`;
    return html`<${Press} message=${message} me=${me} button=${button} />`;
  };
  const rows = message.buttons.map((row) => html`<div class="key-row">${row.map(key)}</div>`);
  return html`<div class="keys" role="group" aria-label="Buttons">${rows}</div>`;
}
