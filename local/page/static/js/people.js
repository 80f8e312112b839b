// Names, initials and colours of people and bots.
const HUES = 8;

export const fullName = (someone) =>
  someone ? [someone.first_name, someone.last_name].filter(Boolean).join(" ") : "Someone who left";

export const isBot = (state, id) => Boolean(state.bots[id]);

export const someone = (state, id) => state.people[id] || state.bots[id];

/** Who wrote a message; what a linked channel posts has nobody of the group's. */
export const writerName = (state, message) =>
  message.from ? fullName(someone(state, message.from)) : message.forwarded_from;

/** One or two letters for an avatar; whole characters, so that an emoji name is not cut in half. */
export function initials(name) {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const firsts = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return firsts.map((word) => [...word][0].toUpperCase()).join("") || "?";
}

const hue = (id) => Math.abs(Number(id) || 0) % HUES;

const BOT_TONES = [3, 5, 0, 6, 4, 7, 1, 2];

/** The avatar colour of a person or bot; bots take theirs in turn, so that a few of them differ. */
export function toneOf(state, id) {
  if (!state.bots[id]) return hue(id);
  const first = firstAgent(state).id;
  const others = Object.keys(state.bots)
    .map(Number)
    .filter((each) => each !== first);
  return BOT_TONES[[first, ...others].indexOf(Number(id)) % HUES];
}

/** Ids of groups are like "g4000000012"; their colour comes from the number. */
export const hueOfKey = (key) => hue(Number(String(key).replace(/\D/g, "").slice(-6)));

/** What a chat is called by the person who looks at it. */
export function chatName(state, chat) {
  if (!chat) return "";
  if (chat.type === "private") return fullName(state.bots[chat.bot_id]);
  return chat.title || "Group";
}

/** The agent that a newcomer should meet first: lull itself, else any. Ids of bots have no order that means something. */
export function firstAgent(state) {
  const bots = Object.values(state.bots);
  return bots.find((bot) => bot.first_name.toLowerCase() === "lull") || bots[0];
}

/** The chats that `me` is in, the one with the newest message first; of those without any, the first agent's. */
export function chatsOf(state, me) {
  const first = firstAgent(state)?.id;
  const newest = (chat) => state.messages[chat.key]?.at(-1)?.date ?? (chat.bot_id === first ? 1 : 0);
  return Object.values(state.chats)
    .filter((chat) => !chat.migrated_to)
    .filter((chat) => (chat.type === "private" ? chat.person_id === me : (chat.members || []).includes(me)))
    .sort((a, b) => newest(b) - newest(a));
}
