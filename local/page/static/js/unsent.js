// What somebody wrote and attached in a chat and has not sent, and how many of their files are on their way.
// The words stay over a reload; files cannot.
import { forget, remember, rememberedUnder } from "./memory.js";
import { change, current, useStore } from "./store.js";

const NOTHING = { text: "", files: [], sending: 0 };

/** At the start of the page: what was written before and not sent. */
export function restoreDrafts() {
  for (const [place, text] of Object.entries(rememberedUnder("draft."))) keep(place, { text });
}

/** Where it belongs: whose it is, in which chat and topic. */
export const placeOf = ({ me, chat, topic }) => `${me}/${chat.key}/${topic}`;

export const unsentAt = (place) => current().unsent[place] || NOTHING;

export const useUnsent = (place) => useStore((state) => state.unsent[place] || NOTHING);

/** Replace part of it. */
export function keep(place, part) {
  change(({ unsent }) => ({ unsent: { ...unsent, [place]: { ...(unsent[place] || NOTHING), ...part } } }));
  if (part.text) remember(`draft.${place}`, part.text);
  else if (part.text === "") forget(`draft.${place}`);
}

export const attach = (place, items) => keep(place, { files: [...unsentAt(place).files, ...items] });

/** What could not be sent stands again before what came since. */
export function putBack(place, { text = "", files = [] }) {
  const since = unsentAt(place);
  keep(place, { text: [text, since.text].filter(Boolean).join("\n"), files: [...files, ...since.files] });
}

/** Count files as on their way until it is done. */
export async function whileSending(place, count, done) {
  keep(place, { sending: unsentAt(place).sending + count });
  try {
    return await done;
  } finally {
    keep(place, { sending: unsentAt(place).sending - count });
  }
}
