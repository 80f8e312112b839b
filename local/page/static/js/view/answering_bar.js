// The message that a person answers or edits, shown above the text field.
import { html } from "/web/parts/html.js";
import { AnsweringBar as Bar } from "/web/parts/answering_bar.js";
import { useStore } from "../store.js";
import { excerpt } from "../excerpt.js";
import { writerName } from "../people.js";

export function AnsweringBar({ answering, onStop }) {
  const { mode, message } = answering;
  const name = useStore((state) => writerName(state, message));
  const isEdit = mode === "edit";
  const title = isEdit ? "Edit your message" : `Reply to ${name}`;
  return html`<${Bar} mode=${mode} title=${title} text=${excerpt(message)} stop=${isEdit ? "Stop editing" : "Do not reply"} onStop=${onStop} />`;
}
