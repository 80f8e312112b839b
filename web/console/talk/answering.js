// The message that the owner replies to or edits: {mode: "reply" or "edit", item}.
import { useState } from "../../parts/html.js";
import { isOfWeb } from "./clock.js";

const LONGEST_QUOTE = 140;
const isMine = (item, me) => item.type === "message" && !item.by?.is_agent && item.by?.id === me;

export const mayReply = (item) => isOfWeb(item.id) && !["sending", "away"].includes(item.role);
export const mayEdit = (item, me) => isMine(item, me) && isOfWeb(item.id) && ["turn", "waiting"].includes(item.role) && Boolean(item.text) && !item.media && !item.files.length;

/** A message in one line. */
export const excerpt = (item) => [item.media, item.text].filter(Boolean).join(": ").replace(/\s+/g, " ").slice(0, LONGEST_QUOTE);

/**
 * {answering, answer, stop, editLast, finish}: `finish(text, send)` sends the text as a message, a reply or an edit;
 * `send`, if given, posts it instead, together with files. `items`: those of the transcript.
 */
export function useAnswering(talk, items, me) {
  const [answering, setAnswering] = useState(null);
  const answer = (mode, item) => setAnswering({ mode, item });
  const stop = () => setAnswering(null);
  const editLast = () => {
    const last = items.findLast((item) => item.type === "message" && mayEdit(item, me));
    if (last) answer("edit", last);
    return Boolean(last);
  };
  const save = async (item, text) => {
    if (text === item.text) return;
    if (!(await talk.edit(item, text))) setAnswering((now) => now || { mode: "edit", item, text });
  };
  const finish = (text, send = talk.send) => {
    setAnswering(null);
    if (answering?.mode === "edit") return save(answering.item, text);
    if (answering?.mode !== "reply") return send(text);
    const { item } = answering;
    return send(text, { reply_to: item.id }, { reply: { id: item.id, by: item.by.name, text: excerpt(item) } });
  };
  return { answering, answer, stop, editLast, finish };
}
