// What the shared parts need from this page (see web/parts/page.js).
import { change, useStore } from "../store.js";
import { copy, send } from "../actions.js";
import { useDescription } from "../descriptions.js";
import { fullName } from "../people.js";

export const page = {
  fileAddress: (file) => `/world/files/${encodeURIComponent(file.file_id)}`,
  useDescription,
  useName: (user) => useStore((state) => (user ? fullName(state.people[user.id] || state.bots[user.id] || user) : "")),
  useCustomEmoji: (id) => useStore((state) => state.customEmoji.find((each) => each.custom_emoji_id === id)),
  showPhoto: ({ src, label }) => change({ dialog: { kind: "photo", src, label } }),
  copy,
  sendCommand: (message, me, text) => send(message.chat, { from: me, text, topic_id: message.topic_id ?? undefined }),
};
