// The single state of the page: an object that is replaced by a new one, never changed in place.
import { useLayoutEffect, useReducer, useRef } from "/web/parts/html.js";
import { remembered } from "/web/parts/memory.js";

let state = {
  phase: "loading", // loading | ready | failed
  connection: "connecting", // connecting | live | away
  seq: 0,
  bots: {}, // by id
  people: {}, // by id
  chats: {}, // by key
  stickers: [],
  customEmoji: [],
  hasConsole: false, // whether the console of the agents runs here
  messages: {}, // by chat key: array, oldest first
  complete: {}, // by chat key: true once the oldest message is loaded
  typing: {}, // by place and sender: {chat, topic_id, from, until}
  drafts: {}, // by place, sender and draft: a streamed answer that is not a message yet
  unsent: {}, // by "person/chat/topic": {text, files, sending}: what is written there and not sent
  deliveries: {}, // by "chat/message": the ids of the bots whose webhook has taken it
  settled: {}, // by chat key: when (epoch seconds) nothing in it waited for any bot
  trouble: {}, // by chat key: {bot id: why its webhook has not taken the oldest waiting update}
  panes: [{ me: null, chat: null, topic: null }], // one chat, or two side by side
  active: 0, // index of the pane that was used last
  sheet: "list", // what a phone shows: list | chat | panel
  panel: { open: remembered("panel", true), tab: "did", message: null },
  reads: remembered("reads", {}), // by "person/chat": the newest message id that this person has seen
  outside: {}, // by chat key: the ids of messages that an agent wrote after it had seen words from outside
  described: {}, // by unique id of a file: what lull knows that it shows, or that is said in it
  model: null, // the answer of /inspect/model
  personas: { problem: null }, // the answer of /inspect/personas
  canary: { problem: "" }, // the answer of /inspect/canary
  dialog: null, // {kind, ...} of the open dialog
};
const listeners = new Set();

export const current = () => state;

/**
 * Replace part of the state. The argument is an object with the new fields, or a function from the state to such an
 * object.
 */
export function change(part) {
  const patch = typeof part === "function" ? part(state) : part;
  if (!patch) return;
  state = { ...state, ...patch };
  for (const listener of [...listeners]) listener();
}

/** The selected part of the state. The component renders again when this part gets another value. */
export function useStore(select) {
  const [, again] = useReducer((count) => count + 1, 0);
  const seen = useRef(null);
  seen.current = { select, value: select(state) };
  useLayoutEffect(() => {
    const check = () => {
      if (!Object.is(seen.current.select(state), seen.current.value)) again();
    };
    listeners.add(check);
    check();
    return () => listeners.delete(check);
  }, []);
  return seen.current.value;
}
