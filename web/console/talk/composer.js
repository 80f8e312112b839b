// Where the owner writes: a field that grows, Enter sends, Shift and Enter begins a line.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../parts/html.js";
import { Icon } from "../../parts/icon.js";
import { forget, remember, remembered } from "../../parts/memory.js";
import { t } from "../words.js";

const LONGEST = 16_000;
const TALLEST = 220;
const isTouch = () => matchMedia("(pointer: coarse)").matches;

export function Composer({ name, onSend, focus }) {
  const kept = `console.draft.${name}`;
  const [text, setText] = useState(() => remembered(kept, ""));
  const field = useRef(null);
  useLayoutEffect(() => {
    const area = field.current;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight, TALLEST)}px`;
  }, [text]);
  useEffect(() => {
    if (focus && !isTouch()) field.current.focus();
  }, []);
  const change = (next) => {
    setText(next);
    if (next) remember(kept, next);
    else forget(kept);
  };
  const send = async (event) => {
    event?.preventDefault();
    const said = text.trim();
    if (!said) return;
    change("");
    if (!(await onSend(said))) setText((now) => now || said);
    field.current?.focus();
  };
  const onKey = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouch()) return;
    send(event);
  };
  return html`
    <form class="composer" onSubmit=${send}>
      <label class="hidden" for=${`write-${name}`}>${t("talk.write")}</label>
      <textarea id=${`write-${name}`} ref=${field} rows="1" dir="auto" maxlength=${LONGEST} placeholder=${t("talk.write")} value=${text} onInput=${(event) => change(event.target.value)} onKeyDown=${onKey}></textarea>
      <button type="submit" class="icon-button composer-send" aria-label=${t("talk.send")} title=${t("talk.send")} disabled=${!text.trim()}><${Icon} name="send" size=${20} /></button>
    </form>
  `;
}
