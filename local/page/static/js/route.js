// Converts the panes to and from the address of the page, so that reloading, going back and bookmarks keep what is
// open: #/person/chat/topic, and a second pane after a "+".

const part = (pane) => ["", pane.me, pane.chat, pane.topic].filter((value) => value !== null).join("/");

export const toHash = (panes) => `#${panes.map(part).join("+")}`;

function toPane(text) {
  const [, me, chat, topic] = text.split("/");
  return { me: Number(me) || null, chat: chat || null, topic: Number(topic) || null };
}

// The state of an entry of the history in which the panel covers the chat.
export const OVER_CHAT = { over: "chat" };
export const isOverChat = () => history.state?.over === OVER_CHAT.over;

/** The part that a narrow window shows of these panes in the current entry of the history: list | chat | panel. */
export const sheetOf = (panes) => (!panes[0]?.chat ? "list" : isOverChat() ? "panel" : "chat");

export function fromHash(hash) {
  return hash
    .replace(/^#/, "")
    .split("+")
    .slice(0, 2)
    .map(toPane)
    .filter((pane) => pane.me);
}
