// Remembers which messages each person has seen in this browser.
import { change, current } from "./store.js";
import { remember } from "/web/parts/memory.js";

const keyOf = (me, chat) => `${me}/${chat}`;

/** The number of loaded messages in the chat that are by others and that `me` has not seen. */
export function unread(state, me, chat) {
  const seen = state.reads[keyOf(me, chat)] ?? 0;
  const list = state.messages[chat] || [];
  return list.filter((each) => each.message_id > seen && each.from !== me && !each.service).length;
}

const seenUpTo = (state, me, chat) => state.reads[keyOf(me, chat)] ?? 0;

export function markRead(me, chat) {
  const newest = current().messages[chat]?.at(-1)?.message_id;
  if (!newest || seenUpTo(current(), me, chat) >= newest) return;
  change((state) => ({ reads: { ...state.reads, [keyOf(me, chat)]: newest } }));
  remember("reads", current().reads);
}
