// Marks an answer or a silence as right or wrong. Marks become cases for `make bench NAME=decisions`.
import { html } from "../../parts/html.js";
import { Badge } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { MenuButton, MenuItem } from "../../parts/menu.js";
import { attempt } from "../../parts/toasts.js";
import { useGet, post } from "../api.js";
import { t } from "../words.js";

const AFTER_ANSWER = ["right", "should_have_been_silent", "wrong_content"];
const AFTER_SILENCE = ["right", "should_have_answered"];

/** The marks of a conversation, by entry number: {of(seq), set(seq, verdict), remove(mark)}. */
export function useMarks(path) {
  const read = useGet(`${path}/marks`);
  const marks = read.data?.items || [];
  return {
    of: (seq) => marks.find((mark) => mark.seq === seq),
    set: (seq, verdict) => attempt(() => post(`${path}/marks`, { seq, verdict }).then(read.reload)),
    remove: (mark) => attempt(() => post(`/api/marks/${encodeURIComponent(mark.id)}/remove`).then(read.reload)),
  };
}

/** The mark of a person's message, or the button that makes one. */
export function Marking({ item, marks }) {
  if (!marks || !item.decision || item.decision.tier === "wait") return null;
  const mark = marks.of(item.seq);
  const verdicts = item.decision.respond ? AFTER_ANSWER : AFTER_SILENCE;
  return html`
    <${MenuButton} label=${t("marks.mark")} class="link talk-mark" align="end" button=${mark ? html`<${Badge} tone=${mark.verdict === "right" ? "good" : "bad"}>${t(`marks.${mark.verdict}`)}<//>` : html`<${Icon} name="check" size=${14} /> ${t("marks.mark")}`}>
      ${(close) => html`
        ${verdicts.map((verdict) => html`<${MenuItem} key=${verdict} checked=${mark?.verdict === verdict} onPick=${() => {
          close();
          marks.set(item.seq, verdict);
        }}>${t(`marks.${verdict}`)}<//>`)}
        ${mark && html`<${MenuItem} onPick=${() => {
          close();
          marks.remove(mark);
        }}>${t("marks.remove")}<//>`}
      `}
    <//>
  `;
}
