// lull's descriptions of the files in messages, by the files' unique ids. The page uses them as labels, for people who
// cannot see or hear the files.
import { change, useStore } from "./store.js";

/** Store the descriptions from an answer of /inspect/chats. */
export function noteDescriptions(known = {}) {
  change((state) => {
    const isNew = Object.entries(known).some(([id, words]) => state.described[id] !== words);
    return isNew ? { described: { ...state.described, ...known } } : null;
  });
}

/** The description or transcript of a file; empty while it is not known. */
export const useDescription = (file) => useStore((state) => state.described[file?.unique_id] || "");
