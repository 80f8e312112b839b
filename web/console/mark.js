// Marks: whether the agent was right to answer a message, or to be silent. In a view of a conversation:
//
//   const marks = useMarks(conversation);
//   <MarkButton marks=${marks} message=${{ seq, turn, isAgent, isAnswered }} />
//
// `seq` and `turn` are the message's numbers in the transcript. For a message of the agent, the message that it answers
// is marked. `isAnswered` says whether the agent answered a person's message.
import { html } from "../parts/html.js";
import { Icon } from "../parts/icon.js";
import { MenuButton, MenuItem } from "../parts/menu.js";
import { attempt } from "../parts/toasts.js";
import { post, useGet } from "./api.js";
import { t } from "./words.js";

const verdictsFor = ({ isAgent, isAnswered }) =>
  isAgent || isAnswered ? ["right", "should_have_been_silent", "wrong_content"] : ["right", "should_have_answered"];

/** The marks of a conversation: {of(message), set(message, verdict), remove(mark)}. */
export function useMarks(conversation) {
  const path = `/api/conversations/${encodeURIComponent(conversation)}/marks`;
  const marks = useGet(conversation ? path : null);
  const items = marks.data?.items || [];
  const of = ({ seq, turn, isAgent }) => items.find((mark) => (isAgent ? mark.answered && mark.turn === turn : mark.seq === seq));
  const keep = (change) => marks.set((data) => ({ ...data, items: change(data?.items || []) }));
  const set = (message, verdict) =>
    attempt(async () => {
      const mark = await post(path, { seq: message.seq, verdict });
      keep((known) => [...known.filter((each) => each.id !== mark.id), mark]);
    });
  const remove = (mark) =>
    attempt(async () => {
      await post(`/api/marks/${encodeURIComponent(mark.id)}/remove`);
      keep((known) => known.filter((each) => each.id !== mark.id));
    });
  return { of, set, remove };
}

/** The button beside a message. Its label tells the mark, if there is one. */
export function MarkButton({ marks, message }) {
  const mark = marks.of(message);
  const label = mark ? t("marks.marked", { verdict: t(`marks.${mark.verdict}`) }) : t("marks.mark");
  const tone = !mark ? "" : mark.verdict === "right" ? " is-right" : " is-wrong";
  const picked = (close, act) => () => {
    close();
    act();
  };
  return html`
    <${MenuButton} label=${label} class=${`icon-button mark-button${tone}`} align="end" button=${html`<${Icon} name=${mark?.verdict === "right" ? "check" : mark ? "close" : "question"} size=${16} />`}>
      ${(close) => html`
        ${verdictsFor(message).map(
          (verdict) => html`<${MenuItem} key=${verdict} checked=${mark?.verdict === verdict} onPick=${picked(close, () => marks.set(message, verdict))}>${t(`marks.${verdict}`)}<//>`,
        )}
        ${mark && html`<${MenuItem} danger onPick=${picked(close, () => marks.remove(mark))}>${t("marks.remove")}<//>`}
      `}
    <//>
  `;
}
