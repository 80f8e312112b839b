// Reports to all tabs of this browser that the owner has seen a conversation.
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("lull.looked") : null;
const listeners = new Set();

const tell = (id) => {
  for (const listener of [...listeners]) listener(id);
};
if (channel) channel.onmessage = ({ data }) => typeof data === "string" && tell(data);

export function tellLooked(id) {
  channel?.postMessage(id);
  tell(id);
}

/** Calls `listener(id)` when a conversation was seen; returns a function that stops this. */
export function onLooked(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
