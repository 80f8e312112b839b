// The field in which the owner writes. It grows with the text; Enter sends, Shift+Enter begins a line. "/" offers the
// commands, and the up key in the empty field edits the last message.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../parts/html.js";
import { AnsweringBar } from "../../parts/answering_bar.js";
import { useCompletions } from "../../parts/completions.js";
import { Icon } from "../../parts/icon.js";
import { forget, remember, remembered } from "../../parts/memory.js";
import { t } from "../words.js";
import { excerpt } from "./answering.js";
import { useCommands } from "./commands.js";
import { useFileTools } from "./file_tools.js";
import { Uploads } from "./uploads.js";

const LONGEST = 16_000; // as in shared/webchat/inbound.py
const COUNTED_FROM = LONGEST - 500;
const TALLEST = 220;
const COMMAND = /^(\/)(\w*)$/;
const isTouch = () => matchMedia("(pointer: coarse)").matches;
const lengthOf = (text) => (text.length < COUNTED_FROM ? text.length : [...text].length);

const draftOf = (name) => `console.draft.${name}`;

/** The text of the field, which this browser stores. An edit has a separate text. */
function useDraft(name, answering) {
  const kept = draftOf(name);
  const [draft, setDraft] = useState(() => remembered(kept, ""));
  const [edited, setEdited] = useState("");
  const editing = answering?.mode === "edit" ? answering : null;
  useEffect(() => {
    if (editing) setEdited(editing.text ?? editing.item.text);
  }, [editing]);
  const change = (next) => {
    setDraft((now) => {
      const text = typeof next === "function" ? next(now) : next;
      if (text) remember(kept, text);
      else forget(kept);
      return text;
    });
  };
  return editing ? { text: edited, setText: setEdited, change } : { text: draft, setText: change, change };
}

/** Moves an unsent text from one conversation's field to another's. */
export function moveDraft(from, to) {
  const text = remembered(draftOf(from), "");
  forget(draftOf(from));
  if (text) remember(draftOf(to), text);
}

/** Shows how many characters are left once they are few. */
function Room({ length }) {
  if (length < COUNTED_FROM) return null;
  const left = LONGEST - length;
  const words = left < 0 ? t("message.too_long", { count: -left, most: LONGEST }) : t("message.room", { count: left });
  return html`<p class=${`composer-room${left < 0 ? " is-bad" : ""}`} role="status">${words}</p>`;
}

const Answering = ({ answering, onStop }) =>
  answering &&
  html`<${AnsweringBar}
    mode=${answering.mode}
    title=${answering.mode === "edit" ? t("message.editing") : t("message.replying", { name: answering.item.by.name })}
    text=${excerpt(answering.item)}
    stop=${t(answering.mode === "edit" ? "message.stop_editing" : "message.stop_replying")}
    onStop=${onStop}
  />`;

const show = (offer) => html`<span class="command">${offer.label} <small>${offer.about}</small></span>`;

function useHeight(field, text) {
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return; // something is recorded
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight, TALLEST)}px`;
  }, [text]);
}

/** The button at the end of the field. */
const Send = ({ isEdit, canSend }) => {
  const label = t(isEdit ? "message.save" : "talk.send");
  return html`<button type="submit" class="icon-button composer-send" aria-label=${label} title=${label} disabled=${!canSend}><${Icon} name=${isEdit ? "check" : "send"} size=${20} /></button>`;
};

/**
 * `writing`: from useAnswering; `attachments`: from useAttachments; `refused`: a message that could not be stored. Its
 * text is put back into the field.
 */
export function Composer({ name, writing, attachments, refused, focus }) {
  const { answering, stop, editLast, finish } = writing;
  const { text, setText, change } = useDraft(name, answering);
  const field = useRef(null);
  const files = useFileTools(attachments, () => field.current?.focus({ preventScroll: true }));
  const isEdit = answering?.mode === "edit";
  const hasFiles = files.hasFiles && !isEdit;
  const length = lengthOf(text.trim());
  const canSend = (length > 0 || hasFiles) && length <= LONGEST;
  const offers = { "/": useCommands(text.startsWith("/")) };
  const completions = useCompletions({ id: `commands-${name}`, offers, pattern: COMMAND, field, text, setText, label: t("message.commands"), show });
  useHeight(field, text);
  useEffect(() => {
    if (!focus || isTouch()) return;
    field.current.focus();
    field.current.setSelectionRange(text.length, text.length);
  }, []);
  useEffect(() => {
    if (answering) field.current?.focus();
  }, [answering]);
  useEffect(() => {
    if (refused) change((now) => [refused.text, now].filter(Boolean).join("\n"));
  }, [refused]);
  const send = (event) => {
    event?.preventDefault();
    const said = field.current.value.trim();
    if (!canSend || !(said || hasFiles)) return;
    field.current.value = ""; // the second click of a double click finds nothing
    setText("");
    finish(said, hasFiles ? attachments.send : undefined);
    field.current.focus();
  };
  const onKey = (event) => {
    if (event.isComposing || completions.onKeyDown(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !isTouch()) send(event);
    else if (event.key === "ArrowUp" && !text && !answering && editLast()) event.preventDefault();
    else if (event.key === "Escape" && answering) {
      event.preventDefault();
      event.stopPropagation();
      stop();
    }
  };
  return html`
    <form class="composer" onSubmit=${send}>
      <${Answering} answering=${answering} onStop=${stop} />
      ${completions.list}
      <${Room} length=${length} />
      <${Uploads} attachments=${attachments} />
      ${!isEdit && files.tray}
      ${files.recorder || html`<div class="composer-row">
        ${!isEdit && files.clip}
        <label class="hidden" for=${`write-${name}`}>${t("talk.write")}</label>
        <textarea id=${`write-${name}`} ref=${field} rows="1" dir="auto" placeholder=${t(hasFiles ? "files.caption" : "talk.write")} value=${text} ...${completions.active} onInput=${(event) => setText(event.target.value)} onKeyDown=${onKey} onPaste=${files.onPaste}></textarea>
        ${length || hasFiles || isEdit ? html`<${Send} isEdit=${isEdit} canSend=${canSend} />` : files.mic}
      </div>`}
    </form>
  `;
}
