// The mark beside a message: one tick for "sent", two for "the webhook has taken it", and a warning with the reason if
// it has not.
import { fullName } from "./people.js";
import { world } from "./world.js";

const together = (state, ids) => ids.map((id) => fullName(state.bots[id])).join(" and ");

// Whether some bot gets all messages of the chat. In privacy mode a bot gets only the messages of a group that are
// meant for it.
function seesAll(state, chat) {
  if (chat.type === "private") return true;
  return (chat.bots || []).some((id) => !state.bots[id]?.privacy || (chat.admins || []).includes(id));
}

/** {mark: "sent"|"taken"|"trouble", words} for a message that a person sent. */
export function tickOf(state, message) {
  const chat = state.chats[message.chat];
  const takers = state.deliveries[`${message.chat}/${message.message_id}`];
  if (takers) return { mark: "taken", words: `Received by ${together(state, takers)}` };
  if (chat && seesAll(state, chat) && message.date < (state.settled[message.chat] || 0))
    return { mark: "taken", words: "Received" };
  const troubled = Object.entries(state.trouble[message.chat] || {});
  if (!troubled.length) return { mark: "sent", words: "Sent" };
  return {
    mark: "trouble",
    words: troubled.map(([id, report]) => trouble(fullName(state.bots[id]), report)).join(" "),
  };
}

function nextTry(seconds) {
  if (seconds === null) return "It won't be tried again.";
  return seconds < 1 ? "Trying again now." : `Next try in ${Math.round(seconds)} s.`;
}

/** A text that says why a bot's webhook has not taken an update. */
export function trouble(name, { why, retryIn }) {
  const reason = why ? ` (${why})` : "";
  return `Not delivered: ${name}'s webhook has not accepted it${reason}. ${nextTry(retryIn)}`;
}

/** The chats in which no update waits for a bot, each with the time of this check in epoch seconds. */
export async function settledChats(bots, chats) {
  const now = Math.floor(Date.now() / 1000);
  const queues = await Promise.all(bots.map((bot) => world.queue(bot.id)));
  const waiting = new Set(queues.flatMap(({ queues: lanes }) => lanes.map((lane) => lane.chat)));
  return Object.fromEntries(chats.filter((chat) => !waiting.has(chat.key)).map((chat) => [chat.key, now]));
}
