// What lull knows of the files in messages, by their unique ids: the page tells it where it shows them, for those who do not see or hear.
import { change, useStore } from "./store.js";

/** Keep what an answer of /inspect/chats knows. */
export function noteDescriptions(known = {}) {
  change((state) => {
    const isNew = Object.entries(known).some(([id, words]) => state.described[id] !== words);
    return isNew ? { described: { ...state.described, ...known } } : null;
  });
}

/** What a file shows, or what is said in it; empty while that is not known. */
export const useDescription = (file) => useStore((state) => state.described[file?.unique_id] || "");

/** "Photo: a cat on a sofa"; without a description, what else is known of it. */
export const labelled = (kind, ...known) => [kind, known.find(Boolean)?.replace(/[\s.]+$/, "")].filter(Boolean).join(": ");
