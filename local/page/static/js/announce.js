// Reacts to new events: lets a screen reader read out messages that arrive in an open chat, and follows new bots and
// moved groups.
import { change, current } from "./store.js";
import { excerpt } from "./excerpt.js";
import { toast } from "/web/parts/toasts.js";
import { writerName } from "./people.js";
import { meetBots, openSomething } from "./first_visit.js";

export const announcement = { say: () => {} };

const words = (message) => message.service || excerpt(message);

async function meet(panes) {
  for (const pane of panes) await meetBots(pane.me);
  openSomething();
}

// A group that became a supergroup continues under another key.
function followMigration(chat, panes) {
  const key = `g${Math.abs(chat.migrated_to)}`;
  change({ panes: panes.map((pane) => (pane.chat === chat.key ? { ...pane, chat: key } : pane)) });
}

/** Called after each new event of the world. */
export function arrived(event, before) {
  const { panes, people, bots } = current();
  if (event.type === "bot" && !before.bots[event.bot.id]) meet(panes).catch((problem) => console.warn(problem.message));
  if (event.type === "chat" && event.chat.migrated_to) followMigration(event.chat, panes);
  if (event.type === "notice" && event.text) toast(event.text);
  if (event.type !== "message") return;
  const { message } = event;
  const heard = panes.some((pane) => pane.chat === message.chat && pane.me !== message.from);
  if (heard) announcement.say(`${writerName({ people, bots }, message)}: ${words(message)}`);
}
