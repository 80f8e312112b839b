// Shows values to people: an object as a list of its fields, and a long text shortened until somebody opens it.
import { html, useId, useState } from "./html.js";
import { t } from "./words.js";

const LONG_CHARACTERS = 180;
const LONG_LINES = 3;

const isLong = (text) => text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;

export function Expandable({ text }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  if (!isLong(text)) return html`<p class="prewrap" dir="auto">${text}</p>`;
  return html`
    <p id=${id} class=${`prewrap${open ? "" : " is-clamped"}`} dir="auto">${open ? text : text.replace(/\n\s*\n/g, "\n")}</p>
    <button type="button" class="link" aria-expanded=${open} aria-controls=${id} onClick=${() => setOpen(!open)}>
      ${open ? t("parts.show_less") : t("parts.show_all")}
    </button>
  `;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

function words(value) {
  if (typeof value === "string") return value;
  const isPlainList = Array.isArray(value) && value.every((each) => each === null || typeof each !== "object");
  return isPlainList ? value.join("\n") : JSON.stringify(value, null, 2);
}

/** Shows the fields of an object with their names, and anything else as a text. */
export function Fields({ value }) {
  if (!isObject(value)) return html`<${Expandable} text=${words(value)} />`;
  const named = Object.entries(value);
  if (!named.length) return html`<p class="quiet">${t("parts.no_arguments")}</p>`;
  return html`
    <dl class="fields">
      ${named.map(([name, each]) => html`<div key=${name}><dt><bdi>${name}</bdi></dt><dd><${Expandable} text=${words(each)} /></dd></div>`)}
    </dl>
  `;
}
