// Keeps the state in step with the server: reads the world once, and then follows the server-sent events.
import { change, current } from "./store.js";
import { settledChats } from "./delivery.js";
import { expire, reduce } from "./reduce.js";
import { world } from "./world.js";
import { arrived } from "./announce.js";
import { settle } from "./first_visit.js";
import { loadMessages } from "./actions.js";

const REPLAYED = 2000; // number of earlier events that are read too: they tell which messages the webhook has taken
const LONGEST_PAUSE_MS = 5000;

const byKey = (items, key) => Object.fromEntries(items.map((item) => [item[key], item]));

async function readWorld() {
  const all = await world.all();
  const settled = await settledChats(all.bots, all.chats);
  const { messages, complete } = current();
  const known = byKey(all.chats, "key");
  const kept = (entries) => Object.fromEntries(Object.entries(entries).filter(([key]) => known[key]));
  change({
    bots: byKey(all.bots, "id"),
    people: byKey(all.people, "id"),
    chats: known,
    stickers: all.stickers || [],
    customEmoji: all.custom_emoji || [],
    hasConsole: Boolean(all.console),
    seq: all.seq,
    settled,
    trouble: {},
    messages: kept(messages),
    complete: kept(complete),
    typing: {},
    drafts: {},
  });
  // No event will report the messages that came before this reading, so they are loaded.
  for (const key of Object.keys(kept(messages))) loadMessages(key);
  return all.seq;
}

const isReport = (event) => event.type === "delivered" || event.type === "undelivered";

function take(event, readAt) {
  if (event.seq <= readAt && !isReport(event)) return;
  const before = current();
  change((state) => reduce(state, event));
  if (event.seq > readAt) arrived(event, before);
  const runsOut = event.until && event.until * 1000 - Date.now();
  if (runsOut) setTimeout(() => change((state) => expire(state, Date.now() / 1000)), Math.max(runsOut, 0) + 50);
}

function listen(readAt) {
  return new Promise((resolve) => {
    const source = new EventSource(`/world/events?after=${Math.max(0, readAt - REPLAYED)}`);
    source.onopen = () => change({ connection: "live" });
    const stop = () => {
      source.close();
      resolve();
    };
    source.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      // "reset" means that events were missed, so the world is read again.
      if (event.type === "reset" && event.seq > readAt) stop();
      else take(event, readAt);
    };
    source.onerror = stop;
  });
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs as long as the page is open: reads the world, settles in, and listens to events. If the server goes away, waits
 * and begins again.
 */
export async function live() {
  let waited = 500;
  for (;;) {
    try {
      const readAt = await readWorld();
      await settle();
      change({ phase: "ready" });
      waited = 500;
      await listen(readAt);
    } catch (problem) {
      console.warn(problem.message);
    }
    change({ connection: "away" });
    await pause(waited);
    waited = Math.min(waited * 2, LONGEST_PAUSE_MS);
  }
}
