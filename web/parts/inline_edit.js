// A text that is edited where it stands: Enter saves, Escape leaves it as it was.
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { Icon, IconButton } from "./icon.js";
import { t } from "./words.js";

function Editor({ value, label, longest, onDone }) {
  const field = useRef(null);
  const [text, setText] = useState(value);
  useLayoutEffect(() => field.current.select(), []);
  const onKeyDown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onDone(null);
  };
  const submit = (event) => {
    event.preventDefault();
    onDone(text.trim());
  };
  return html`
    <form class="inline-edit" onSubmit=${submit} onKeyDown=${onKeyDown}>
      <input ref=${field} type="text" aria-label=${label} value=${text} maxlength=${longest} autocomplete="off" dir="auto" onInput=${(event) => setText(event.target.value)} />
      <button type="submit" class="button is-quiet">${t("parts.save_it")}</button>
      <${IconButton} icon="close" size=${18} label=${t("parts.cancel")} onClick=${() => onDone(null)} />
    </form>
  `;
}

/** `onSave(text)` may be async; `shown` is shown in place of an empty value. */
export function InlineEdit({ value, shown, label, longest = 80, onSave }) {
  const [editing, setEditing] = useState(false);
  const button = useRef(null);
  const wasEditing = useRef(false);
  useLayoutEffect(() => {
    if (wasEditing.current && !editing) button.current.focus();
    wasEditing.current = editing;
  }, [editing]);
  const done = (text) => {
    setEditing(false);
    if (text !== null && text !== value) onSave(text);
  };
  if (editing) return html`<${Editor} value=${value} label=${label} longest=${longest} onDone=${done} />`;
  return html`
    <button type="button" class="inline-text" ref=${button} title=${label} onClick=${() => setEditing(true)}>
      <span dir="auto">${value || shown}</span> <${Icon} name="edit" size=${16} /><span class="hidden">${label}</span>
    </button>
  `;
}
