import { html } from "/web/parts/html.js";
import { useStore } from "../store.js";
import { Avatar as Face } from "/web/parts/avatar.js";
import { chatName, fullName, hueOfKey, isBot, someone, toneOf } from "../people.js";

/**
 * The initials of a person or a bot, or of a given name. Bots are square, so that they can be recognized without
 * colours.
 */
export function Avatar({ id, named, size = "m" }) {
  const name = useStore((state) => named || fullName(someone(state, id)));
  const bot = useStore((state) => isBot(state, id));
  const tone = useStore((state) => toneOf(state, id));
  return html`<${Face} name=${name} tone=${tone} isBot=${bot} size=${size} />`;
}

export function ChatAvatar({ chat, size = "m" }) {
  const name = useStore((state) => chatName(state, chat));
  if (chat.type === "private") return html`<${Avatar} id=${chat.bot_id} size=${size} />`;
  return html`<${Face} name=${name} tone=${hueOfKey(chat.key)} size=${size} />`;
}
