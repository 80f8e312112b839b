// Names, initials and colours of people and bots.
import { toneOfId } from "/web/parts/avatar.js";

const HUES = 8;

export const fullName = (someone) =>
  someone ? [someone.first_name, someone.last_name].filter(Boolean).join(" ") : "Someone who left";

export const isBot = (state, id) => Boolean(state.bots[id]);

export const someone = (state, id) => state.people[id] || state.bots[id];

/** The name of a message's author. The posts of a linked channel have no author in the group. */
export const writerName = (state, message) =>
  message.from ? fullName(someone(state, message.from)) : message.forwarded_from;


const BOT_TONES = [3, 5, 0, 6, 4, 7, 1, 2];

/**
 * The avatar colour of a person or bot. Bots get the colours in turn, so that a few bots all have different colours.
 */
export function toneOf(state, id) {
  if (!state.bots[id]) return toneOfId(id);
  const first = firstAgent(state).id;
  const others = Object.keys(state.bots)
    .map(Number)
    .filter((each) => each !== first);
  return BOT_TONES[[first, ...others].indexOf(Number(id)) % HUES];
}

/** The colour of a group. It is derived from the number in the group's key, such as "g4000000012". */
export const hueOfKey = (key) => toneOfId(Number(String(key).replace(/\D/g, "").slice(-6)));

/** The name of a chat, as its people see it. */
export function chatName(state, chat) {
  if (!chat) return "";
  if (chat.type === "private") return fullName(state.bots[chat.bot_id]);
  return chat.title || "Group";
}

/** The agent that newcomers should meet first: lull itself, or else any. The order of the bots' ids means nothing. */
export function firstAgent(state) {
  const bots = Object.values(state.bots);
  return bots.find((bot) => bot.first_name.toLowerCase() === "lull") || bots[0];
}

/**
 * The chats that `me` is in, ordered by their newest messages. Among chats without messages, the first agent's comes
 * first.
 */
export function chatsOf(state, me) {
  const first = firstAgent(state)?.id;
  const newest = (chat) => state.messages[chat.key]?.at(-1)?.date ?? (chat.bot_id === first ? 1 : 0);
  return Object.values(state.chats)
    .filter((chat) => !chat.migrated_to)
    .filter((chat) => (chat.type === "private" ? chat.person_id === me : (chat.members || []).includes(me)))
    .sort((a, b) => newest(b) - newest(a));
}
