// Text and files in a chat that somebody has not sent yet, and the number of files that are being sent. The text
// survives a reload of the page; files cannot.
import { forget, remember, rememberedUnder } from "/web/parts/memory.js";
import { change, current, useStore } from "./store.js";

const NOTHING = { text: "", files: [], sending: 0 };

/** Called when the page starts: restores the texts that were written before and not sent. */
export function restoreDrafts() {
  for (const [place, text] of Object.entries(rememberedUnder("draft."))) keep(place, { text });
}

/** The key of the unsent text and files: the person, the chat and the topic. */
export const placeOf = ({ me, chat, topic }) => `${me}/${chat.key}/${topic}`;

export const unsentAt = (place) => current().unsent[place] || NOTHING;

export const useUnsent = (place) => useStore((state) => state.unsent[place] || NOTHING);

/** Replace a part of the unsent things at a place. */
export function keep(place, part) {
  change(({ unsent }) => ({ unsent: { ...unsent, [place]: { ...(unsent[place] || NOTHING), ...part } } }));
  if (part.text) remember(`draft.${place}`, part.text);
  else if (part.text === "") forget(`draft.${place}`);
}

export const attach = (place, items) => keep(place, { files: [...unsentAt(place).files, ...items] });

/** Put back text and files that could not be sent, before those that were added since. */
export function putBack(place, { text = "", files = [] }) {
  const since = unsentAt(place);
  keep(place, { text: [text, since.text].filter(Boolean).join("\n"), files: [...files, ...since.files] });
}

/** Count `count` files as being sent until the promise `done` is settled. */
export async function whileSending(place, count, done) {
  keep(place, { sending: unsentAt(place).sending + count });
  try {
    return await done;
  } finally {
    keep(place, { sending: unsentAt(place).sending - count });
  }
}
